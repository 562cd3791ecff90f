import { HostRefused } from "#src/providers/net/index.ts";
import type { AccountStage, SmtpCredentials } from "./index.ts";
import { adviceFor } from "./smtp-advice.ts";
import { lineTroubleOf } from "./smtp-line-trouble.ts";
import { isPermanent, replyText, SmtpProtocolError, type SmtpReply } from "./smtp-replies.ts";

/** A doubt about the error's cause, which another try at the server can settle (`smtp-diagnose.ts`). */
export type OpenDoubt =
  /** The runtime does not say whether the line or TLS failed. */
  | "line_or_tls"
  /** Connected, and not a word was said: it may wait for TLS. */
  | "silence";

/** The account could not be opened. `message` is in plain words and names host and port, never a secret. */
export class SmtpOpenError extends Error {
  override readonly name = "SmtpOpenError";
  readonly stage: AccountStage;
  /** The account's owner must change something; otherwise the line or the server may recover. */
  readonly permanent: boolean;
  readonly code: number | undefined;
  readonly reply: string | undefined;
  readonly doubt: OpenDoubt | undefined;
  /** What the runtime said. */
  readonly words: string | undefined;
  /** The server refused the access token: another one may be taken. */
  readonly tokenRefused: boolean;

  constructor(
    stage: AccountStage,
    message: string,
    permanent: boolean,
    {
      reply,
      doubt,
      words,
      tokenRefused = false,
    }: { reply?: SmtpReply; doubt?: OpenDoubt; words?: string; tokenRefused?: boolean } = {},
  ) {
    super(message);
    this.stage = stage;
    this.permanent = permanent;
    this.code = reply?.code;
    this.reply = reply && replyText(reply);
    this.doubt = doubt;
    this.words = words;
    this.tokenRefused = tokenRefused;
  }
}

/** The server said no: what it refused, its own words, and what to do. */
export function refusedToOpen(
  stage: AccountStage,
  message: string,
  reply: SmtpReply,
  host: string,
  login: { tokenRefused?: boolean } = {},
): SmtpOpenError {
  const byToken = login.tokenRefused !== undefined;
  const { advice, temporary } = adviceFor(stage, reply, host, byToken);
  const permanent = isPermanent(reply) && temporary !== true;
  return new SmtpOpenError(stage, `${message}: "${replyText(reply, 300)}". ${advice}`, permanent, {
    reply,
    ...login,
  });
}

/** The account requires STARTTLS: no mail goes out without it. */
export function notOffered({ host, port, username }: SmtpCredentials): SmtpOpenError {
  const what = username === undefined ? "mail is" : "passwords and mail are";
  const advice =
    port === 465
      ? "Port 465 is TLS from the first byte: choose the security tls."
      : "Check the port (587 for starttls), or choose the security tls with port 465.";
  return new SmtpOpenError(
    "tls",
    `${host}:${port} does not offer STARTTLS, and ${what} never sent in clear. ${advice}`,
    true,
  );
}

const DOING: Record<AccountStage, string> = {
  connect: "connecting",
  greeting: "waiting for its greeting",
  tls: "going over to TLS",
  ehlo: "introducing ourselves (EHLO)",
  auth: "logging in",
  sender: "asking whether it takes the sender",
};

/** The error of a wait that failed, for the account's owner. */
export function brokeOff(
  stage: AccountStage,
  { host, port, security }: SmtpCredentials,
  error: unknown,
): SmtpOpenError {
  const where = `${host}:${port}`;
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof HostRefused) return new SmtpOpenError(stage, error.message, true);
  if (error instanceof SmtpProtocolError) {
    const message = `${where} does not speak SMTP: ${words}. Check host and port.`;
    return new SmtpOpenError(stage, message, true, { words });
  }
  if (stage === "connect" || stage === "tls") {
    const trouble = lineTroubleOf(words);
    const mayBeTls = stage === "tls" || security === "tls";
    const isTls = mayBeTls && trouble.kind === "tls";
    const what =
      isTls || stage === "tls" ? `TLS with ${where} failed` : `Could not connect to ${where}`;
    const advice =
      trouble.kind === "opaque" ? "Check host and port; the server may be down." : trouble.advice;
    const doubt = mayBeTls && trouble.kind === "opaque" ? ({ doubt: "line_or_tls" } as const) : {};
    return new SmtpOpenError(isTls ? "tls" : stage, `${what}. ${advice} (${words})`, isTls, {
      words,
      ...doubt,
    });
  }
  const hint =
    stage === "greeting" && port === 465 && security !== "tls"
      ? " Port 465 is mostly TLS from the first byte: choose the security tls."
      : "";
  const message = `The connection to ${where} broke off while ${DOING[stage]}: ${words}.${hint}`;
  const doubt = stage === "greeting" ? ({ doubt: "silence" } as const) : {};
  return new SmtpOpenError(stage, message, false, { words, ...doubt });
}
