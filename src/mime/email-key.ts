import { domainToAscii } from "./address.ts";

/** RFC 5321 section 4.5.3.1: a path has at most 256 octets, two of which are its angle brackets. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

/** Dot-atom of RFC 5322, with the letters of RFC 6531 beyond ASCII. */
const LOCAL_PART =
  /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;

const utf8 = new TextEncoder();

/**
 * The address as it is compared: trimmed, lower case, domain as A-label (RFC 5890). Null for what is
 * not one plain `local@domain.tld`: quoted local parts, display names and address literals included.
 */
export function emailKey(address: string): string | null {
  const text = address.trim();
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > MAX_ADDRESS) return null;
  const local = text.slice(0, at).normalize("NFC").toLowerCase();
  if (!LOCAL_PART.test(local) || utf8.encode(local).length > MAX_LOCAL_PART) return null;
  const domain = mailDomain(text.slice(at + 1));
  if (domain === null || local.length + 1 + domain.length > MAX_ADDRESS) return null;
  return `${local}@${domain}`;
}

/** A domain that can have mailboxes on the public internet: at least two labels, no address, no underscore. */
export function mailDomain(domain: string): string | null {
  const ascii = domainToAscii(domain);
  if (ascii === null || ascii.includes("_") || !/\.[a-z][a-z0-9-]*[a-z0-9]$/.test(ascii))
    return null;
  return ascii;
}

/** The domain of a key that `emailKey` made. */
export const domainOfKey = (key: string): string => key.slice(key.lastIndexOf("@") + 1);
