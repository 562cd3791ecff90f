import * as z from "zod";
import type { Mailbox } from "../mime/address.ts";
import { emailKey } from "../mime/email-key.ts";
import type { SmtpCredentials } from "../providers/mail/index.ts";

/** The sender and the relay of the service's own mail. */
export interface SystemMail {
  from: Mailbox;
  relay: SmtpCredentials;
}

/** A relay as a URL; a password is written with percent signs where it has characters of the URL's own. */
export const relayUrl = z.string().transform((value, context): SmtpCredentials => {
  const relay = readRelayUrl(value);
  if (typeof relay !== "string") return relay;
  context.addIssue(relay);
  return z.NEVER;
});
/** `Name <address>`, or an address alone. */
export const sender = z.string().transform((value, context): Mailbox => {
  const [, name = "", address = value] = /^([^<>]*)<([^<>]+)>$/.exec(value.trim()) ?? [];
  const email = address.trim();
  // oxlint-disable-next-line no-control-regex -- they would end the header
  const isLine = !/[\u0000-\u001f\u007f]/.test(name);
  if (isLine && emailKey(email) !== null)
    return { ...(name.trim() !== "" && { name: name.trim() }), email };
  context.addIssue("must be an address, or a name and <an address>");
  return z.NEVER;
});

const SCHEMES = {
  "smtps:": { security: "tls", port: 465 },
  "smtp:": { security: "starttls", port: 587 },
} as const;
const LOOPBACK = ["localhost", "127.0.0.1"];

/**
 * `smtp[s]://user:password@host:port`: TLS from the start with `smtps`, else by STARTTLS, which the relay must offer.
 * `?security=none` is for a relay on this machine alone. Answers what is wrong with it, in words.
 */
export function readRelayUrl(value: string): SmtpCredentials | string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const scheme = SCHEMES[url?.protocol as keyof typeof SCHEMES];
  if (url === null || scheme === undefined || url.hostname === "")
    return "must be smtp://user:password@host:port, or smtps://";
  if (url.pathname.length > 1 || url.hash !== "") return "must end after the port";
  const wish = url.searchParams.get("security");
  if (wish !== null && wish !== "none") return "knows no security but none; TLS is the default";
  if (wish === "none" && !LOOPBACK.includes(url.hostname))
    return "may do without TLS only to a relay on this machine";
  const [username, password] = [url.username, url.password].map(decoded);
  if (username === null || password === null) return "has a percent sign that is no escape";
  return {
    host: url.hostname,
    port: url.port === "" ? scheme.port : Number(url.port),
    security: wish ?? scheme.security,
    ...(username && { username }),
    ...(password && { password }),
  };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
