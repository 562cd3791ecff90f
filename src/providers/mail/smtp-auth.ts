import { toBase64 } from "#src/platform/encoding.ts";
import type { SmtpCredentials } from "./index.ts";
import { challengeStatus, type TokenMechanism, tokenMechanism } from "./sasl.ts";
import { refusedToOpen, SmtpOpenError } from "./smtp-open-error.ts";
import { type Capabilities, isPermanent, type SmtpReply } from "./smtp-replies.ts";
import type { SmtpWire } from "./smtp-wire.ts";

type Ask = (line: string) => Promise<SmtpReply>;

/** Logs in by the access token if there is one, else by the password; names and passwords travel as UTF-8. */
export async function authenticate(
  wire: SmtpWire,
  capabilities: Capabilities,
  credentials: SmtpCredentials,
  ms: number,
): Promise<void> {
  const offered = (capabilities.get("AUTH") ?? "").split(" ");
  const ask: Ask = async (line) => {
    await wire.ask(`${line}\r\n`, ms);
    return wire.readReply(ms);
  };
  const { accessToken } = credentials;
  if (accessToken !== undefined)
    return byToken(ask, offered, capabilities, { ...credentials, accessToken });
  await byPassword(ask, offered, capabilities, credentials);
}

/** AUTH PLAIN (RFC 4616), else LOGIN. */
async function byPassword(
  ask: Ask,
  offered: readonly string[],
  capabilities: Capabilities,
  { host, port, username = "", password = "" }: SmtpCredentials,
): Promise<void> {
  const where = `${host}:${port}`;
  let reply: SmtpReply;
  if (offered.includes("PLAIN")) {
    reply = await ask(`AUTH PLAIN ${base64(`\0${username}\0${password}`)}`);
  } else if (offered.includes("LOGIN")) {
    reply = await ask("AUTH LOGIN");
    if (reply.code === 334) reply = await ask(base64(username));
    if (reply.code === 334) reply = await ask(base64(password));
  } else {
    throw new SmtpOpenError("auth", `${where} ${noLogin(capabilities, "PLAIN or LOGIN")}`, true);
  }
  if (reply.code !== 235)
    throw refusedToOpen("auth", `${where} refused the login of ${username}`, reply, host);
}

async function byToken(
  ask: Ask,
  offered: readonly string[],
  capabilities: Capabilities,
  credentials: SmtpCredentials & { accessToken: string },
): Promise<void> {
  const { host, port, username = "" } = credentials;
  const where = `${host}:${port}`;
  const mechanism = tokenMechanism(offered);
  if (mechanism === undefined)
    throw new SmtpOpenError(
      "auth",
      `${where} ${noLogin(capabilities, "XOAUTH2 or OAUTHBEARER")}`,
      true,
    );
  const { reply, status } = await sayToken(ask, mechanism, { ...credentials, username });
  if (reply.code === 235) return;
  const why = status === undefined ? "" : ` (${status})`;
  throw refusedToOpen(
    "auth",
    `${where} refused the access token of ${username}${why}`,
    withoutToken(reply, credentials),
    host,
    { tokenRefused: isPermanent(reply) },
  );
}

/** RFC 4954 section 4: what would make the command longer than this waits for the server's 334. */
const MAX_COMMAND = 510;

async function sayToken(
  ask: Ask,
  { name, message, dismissal }: TokenMechanism,
  login: Parameters<TokenMechanism["message"]>[0],
): Promise<{ reply: SmtpReply; status?: string | undefined }> {
  const text = message(login);
  const command = `AUTH ${name} ${text}`;
  let reply = await ask(command.length <= MAX_COMMAND ? command : `AUTH ${name}`);
  if (command.length > MAX_COMMAND && reply.code === 334) reply = await ask(text);
  if (reply.code !== 334) return { reply };
  const status = challengeStatus(reply.lines.join(""));
  return { reply: await ask(dismissal), status };
}

/** A server may quote what it was told, and its words are stored. */
const withoutToken = (reply: SmtpReply, { accessToken }: { accessToken: string }): SmtpReply => ({
  ...reply,
  lines: reply.lines.map((line) => line.replaceAll(accessToken, "[token]")),
});

function noLogin(capabilities: Capabilities, wanted: string): string {
  const methods = capabilities.get("AUTH");
  if (methods)
    return `offers only logins that do not fit this account (${methods}): it has to allow ${wanted}.`;
  return capabilities.has("STARTTLS")
    ? "offers no login before STARTTLS: choose the security starttls."
    : "offers no login: check host and port, or leave user name and password out.";
}

const base64 = (text: string): string => toBase64(new TextEncoder().encode(text));
