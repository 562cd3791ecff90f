import { MailInputError } from "./input-error.ts";

export interface Mailbox {
  name?: string;
  email: string;
}

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** A domain in A-label form (RFC 5890), lower case; null when it is no host name, or is an IP address. */
export function domainToAscii(domain: string): string | null {
  const ascii = /^[\x21-\x7e]+$/.test(domain) ? domain.toLowerCase() : toALabel(domain);
  if (ascii === null || !HOST_NAME.test(ascii)) return null;
  return /(^|\.)\d+$/.test(ascii) ? null : ascii;
}

/** The URL parser is the one implementation of UTS 46 that both runtimes carry. */
function toALabel(domain: string): string | null {
  if (/[\s/?#@:\\[\]%<>^|]/.test(domain)) return null;
  try {
    return new URL(`http://${domain}/`).hostname;
  } catch {
    return null;
  }
}

/**
 * An address fit for header and envelope: local part as given, domain as A-label. Throws
 * MailInputError on anything but one plain `local@domain`; quoted local parts are not taken.
 */
export function normalizeEmail(email: string, field: string): string {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const domain = domainToAscii(email.slice(at + 1));
  if (at < 1 || domain === null || !isDotAtom(local))
    throw new MailInputError(field, "not an email address");
  // In UTF-8 a unit of the text takes three bytes at most.
  if (local.length * 3 > 64 && new TextEncoder().encode(local).length > 64)
    throw new MailInputError(field, "the part before the @ is longer than 64 bytes");
  return `${local}@${domain}`;
}

/** RFC 5322 dot-atom, with the letters of RFC 6531 beyond ASCII. */
function isDotAtom(local: string): boolean {
  return (
    /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(
      local,
    ) && local.isWellFormed()
  );
}
