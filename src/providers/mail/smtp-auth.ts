import { toBase64 } from "#src/platform/encoding.ts";
import type { SmtpCredentials } from "./index.ts";
import { refusedToOpen, SmtpOpenError } from "./smtp-open-error.ts";
import type { Capabilities, SmtpReply } from "./smtp-replies.ts";
import type { SmtpWire } from "./smtp-wire.ts";

/** AUTH PLAIN (RFC 4616), else LOGIN; names and passwords travel as UTF-8. */
export async function authenticate(
  wire: SmtpWire,
  capabilities: Capabilities,
  { host, port, username = "", password = "" }: SmtpCredentials,
  ms: number,
): Promise<void> {
  const where = `${host}:${port}`;
  const offered = (capabilities.get("AUTH") ?? "").split(" ");
  const ask = async (line: string) => {
    await wire.write(`${line}\r\n`, ms);
    return wire.readReply(ms);
  };
  let reply: SmtpReply;
  if (offered.includes("PLAIN")) {
    reply = await ask(`AUTH PLAIN ${base64(`\0${username}\0${password}`)}`);
  } else if (offered.includes("LOGIN")) {
    reply = await ask("AUTH LOGIN");
    if (reply.code === 334) reply = await ask(base64(username));
    if (reply.code === 334) reply = await ask(base64(password));
  } else {
    throw new SmtpOpenError("auth", `${where} ${noLogin(capabilities)}`, true);
  }
  if (reply.code !== 235)
    throw refusedToOpen("auth", `${where} refused the login of ${username}`, reply, host);
}

function noLogin(capabilities: Capabilities): string {
  const methods = capabilities.get("AUTH");
  if (methods)
    return `offers only logins that we do not speak (${methods}): it has to allow PLAIN or LOGIN.`;
  return capabilities.has("STARTTLS")
    ? "offers no login before STARTTLS: choose the security starttls."
    : "offers no login: check host and port, or leave user name and password out.";
}

const base64 = (text: string): string => toBase64(new TextEncoder().encode(text));
