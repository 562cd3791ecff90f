import { toBase64 } from "#src/platform/encoding.ts";
import { type InboxAccount, InboxError } from "./index.ts";
import { isPrintable, quoted } from "./imap-folder.ts";
import { refusedLogin } from "./imap-errors.ts";
import type { ImapCommand, ImapWire } from "./imap-wire.ts";

const ANSWER_BYTES = 64 * 1024;

/** The server's capabilities, in upper case. */
export async function capabilitiesOf(wire: ImapWire, ms: number): Promise<Set<string>> {
  const found = new Set<string>();
  await wire.command({
    line: "CAPABILITY",
    ms,
    bytes: ANSWER_BYTES,
    onUntagged([first]) {
      const [, names] = /^\* CAPABILITY (.*)$/is.exec(typeof first === "string" ? first : "") ?? [];
      for (const name of names?.toUpperCase().split(" ") ?? []) found.add(name);
    },
  });
  return found;
}

/** Logs in by the account's token or password; throws InboxError when the server refuses. */
export async function logIn(wire: ImapWire, account: InboxAccount, ms: number): Promise<void> {
  const capabilities = await capabilitiesOf(wire, ms);
  const command = loginCommand(account, capabilities);
  if (typeof command === "string") throw new InboxError("login", command, "account");
  const result = await wire.command({ ...command, ms, bytes: ANSWER_BYTES });
  if (result.status !== "OK") throw refusedLogin(account, result);
}

type Login = Pick<ImapCommand, "line" | "answers">;

/** How to log in; words for the owner when there is no way. */
function loginCommand(account: InboxAccount, capabilities: ReadonlySet<string>): Login | string {
  const { host, port, username, login } = account;
  const where = `${host}:${port}`;
  const authenticate = (mechanism: string, response: string, ...answers: string[]): Login =>
    capabilities.has("SASL-IR")
      ? { line: `AUTHENTICATE ${mechanism} ${base64(response)}`, answers }
      : { line: `AUTHENTICATE ${mechanism}`, answers: [base64(response), ...answers] };
  if ("accessToken" in login) {
    const { accessToken } = login;
    // A refused token is explained in a challenge, which wants an answer (RFC 7628 section 3.2.3).
    if (capabilities.has("AUTH=XOAUTH2"))
      return authenticate("XOAUTH2", `user=${username}\x01auth=Bearer ${accessToken}\x01\x01`, "");
    if (capabilities.has("AUTH=OAUTHBEARER")) {
      const header = `n,a=${username.replace(/[=,]/g, (each) => (each === "=" ? "=3D" : "=2C"))},`;
      const fields = `\x01host=${host}\x01port=${port}\x01auth=Bearer ${accessToken}\x01\x01`;
      return authenticate("OAUTHBEARER", header + fields, base64("\x01"));
    }
    return `${where} takes no OAuth logins: give the inbox a password.`;
  }
  if (capabilities.has("AUTH=PLAIN"))
    return authenticate("PLAIN", `\0${username}\0${login.password}`);
  if (capabilities.has("LOGINDISABLED"))
    return `${where} takes no passwords: connect the alias by OAuth.`;
  return passwordLogin(username, login.password);
}

/** LOGIN; what is not printable ASCII goes as literals, for which the server asks. */
function passwordLogin(username: string, password: string): Login {
  if (isPrintable(username + password))
    return { line: `LOGIN ${quoted(username)} ${quoted(password)}` };
  const size = (text: string) => new TextEncoder().encode(text).length;
  return {
    line: `LOGIN {${size(username)}}`,
    answers: [`${username} {${size(password)}}`, password],
  };
}

const base64 = (text: string): string => toBase64(new TextEncoder().encode(text));
