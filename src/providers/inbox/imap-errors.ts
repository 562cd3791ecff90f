import { HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import { type InboxAccount, InboxError, type InboxStage } from "./index.ts";
import { ImapProtocolError } from "./imap-responses.ts";
import type { ImapResult } from "./imap-wire.ts";

/** Response codes by which a server says that it is its own affair, and may pass (RFC 5530). */
const PASSES = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "THROTTLED"]);

const faultOf = ({ code, text }: ImapResult): "account" | "line" =>
  PASSES.has(code) || /try again|temporar|too many|throttl|rate limit/i.test(text)
    ? "line"
    : "account";

const isMicrosoft = (host: string) => /(^|\.)(office365|outlook)\.com$/i.test(host);
const isGoogle = (host: string) => /(^|\.)(gmail|googlemail|google)\.com$/i.test(host);

/** What to do about a refused login, the first that fits. */
const ADVICE: readonly (readonly [(account: InboxAccount) => boolean, string])[] = [
  [({ login }) => "accessToken" in login, "Connect the alias by OAuth again."],
  [
    ({ host }) => isMicrosoft(host),
    "Microsoft takes no passwords here: connect the alias by OAuth.",
  ],
  [
    ({ host }) => isGoogle(host),
    "Google takes an app password, which needs 2-Step Verification, or OAuth; the account's own password it refuses.",
  ],
  [() => true, "Check username and password; many providers want a password made for programs."],
];

export function refusedLogin(account: InboxAccount, result: ImapResult): InboxError {
  const { host, port, username } = account;
  const fault = faultOf(result);
  const refusal = `${host}:${port} refused the login of ${username}: "${result.text}".`;
  const advice = ADVICE.find(([fits]) => fits(account))![1];
  return new InboxError("login", fault === "line" ? refusal : `${refusal} ${advice}`, fault);
}

export function refusedFolder({ folder }: InboxAccount, result: ImapResult): InboxError {
  const message = `The folder “${folder}” cannot be opened: "${result.text}".`;
  const fault = faultOf(result);
  const advice = fault === "account" ? " Check its name; most people's is INBOX." : "";
  return new InboxError("folder", message + advice, fault);
}

const DOING: Record<InboxStage, string> = {
  connect: "connecting",
  greeting: "waiting for its greeting",
  login: "logging in",
  folder: "opening the folder",
  reading: "reading",
};

/** The error of whatever failed, for the inbox's owner. */
export function brokeOff(
  stage: InboxStage,
  { host, port }: InboxAccount,
  error: unknown,
): InboxError {
  if (error instanceof InboxError) return error;
  const words = error instanceof Error ? error.message : String(error);
  const where = `${host}:${port}`;
  if (error instanceof HostRefused || error instanceof HostNotFound)
    return new InboxError(stage, words, "account");
  if (error instanceof ImapProtocolError) {
    // A server with another greeting is another service; one that fails later has a defect.
    const isOther = stage === "greeting";
    const advice = isOther ? " Check host and port: 993 is that of IMAP over TLS." : "";
    const message = `${where} does not speak IMAP as it should: ${words}.${advice}`;
    return new InboxError(stage, message, isOther ? "account" : "line");
  }
  if (stage === "connect")
    return new InboxError(
      stage,
      `Could not connect to ${where}: it may be down, or host and port are others. (${words})`,
      "line",
    );
  return new InboxError(
    stage,
    `The connection to ${where} broke off while ${DOING[stage]}: ${words}.`,
    "line",
  );
}
