import type { Faults } from "../part.ts";
import { decodeBase64Text, parsePlainCredentials } from "./smtp-syntax.ts";

/** Who may read which mailbox. */
export interface Logins {
  password(username: string, password: string): boolean;
  token(username: string, token: string): boolean;
}

export interface Credentials {
  username: string;
  secret: string;
  kind: keyof Logins;
}

/** An exchange of AUTHENTICATE: the client's next answer, or null to begin without one, to what the server says. */
export type Exchange = (answer: string | null) => { challenge: string } | Credentials | null;

/** The mechanisms, each beginning a new exchange. Null ends one that made no sense. */
export const mechanisms: Record<string, () => Exchange> = {
  PLAIN: () => once((text) => withKind("password", parsePlainCredentials(text))),
  LOGIN() {
    let username: string | null = null;
    return (answer) => {
      if (answer === null) return { challenge: base64("Username:") };
      const text = decodeBase64Text(answer);
      if (text === null) return null;
      if (username !== null) return { username, secret: text, kind: "password" };
      username = text;
      return { challenge: base64("Password:") };
    };
  },
  XOAUTH2: () => once(readXoauth2),
  OAUTHBEARER: () => once(readOauthBearer),
};

/** What is said to a token that does not open the mailbox, before the NO (RFC 7628 section 3.2.2). */
export const TOKEN_REFUSAL = base64(
  JSON.stringify({ status: "401", schemes: "bearer", scope: "https://mail.google.com/" }),
);

export function checkLogin(logins: Logins, { username, secret, kind }: Credentials): boolean {
  return logins[kind](username, secret);
}

/** How a login is answered when it is not to be tried at all. */
export function orderedRefusal(faults: Faults): string | null {
  if (faults.take("imap_unavailable")) return "NO [UNAVAILABLE] Try again later";
  return faults.take("imap_auth_refused") ? BAD_CREDENTIALS : null;
}

export const BAD_CREDENTIALS = "NO [AUTHENTICATIONFAILED] Invalid credentials";

function once(read: (text: string) => Credentials | null): Exchange {
  return (answer) => {
    if (answer === null) return { challenge: "" };
    const text = decodeBase64Text(answer);
    return text === null ? null : read(text);
  };
}

function withKind(
  kind: keyof Logins,
  credentials: { username: string; password: string } | null,
): Credentials | null {
  if (credentials === null) return null;
  return { username: credentials.username, secret: credentials.password, kind };
}

/** `user=<name>^Aauth=Bearer <token>^A^A`. */
function readXoauth2(text: string): Credentials | null {
  const match = /^user=([^\x01]+)\x01auth=Bearer ([^\x01]+)\x01\x01$/i.exec(text);
  return match && { username: match[1] ?? "", secret: match[2] ?? "", kind: "token" };
}

/** `n,a=<name>,^Akey=value^A...auth=Bearer <token>^A^A` (RFC 7628 section 3.1). */
function readOauthBearer(text: string): Credentials | null {
  const name = /^n,a=([^,\x01]+),\x01/.exec(text)?.[1];
  const token = /\x01auth=Bearer ([^\x01]+)\x01/i.exec(text)?.[1];
  if (name === undefined || token === undefined || !text.endsWith("\x01\x01")) return null;
  return {
    username: name.replaceAll("=2C", ",").replaceAll("=3D", "="),
    secret: token,
    kind: "token",
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
