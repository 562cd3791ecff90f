import { mailDomain } from "#src/mime/email-key.ts";

export interface Address {
  /** As it was typed, in Unicode's NFC; with its quotes, if it has them. */
  local: string;
  /** As A-label (RFC 5890), in lower case. */
  domain: string;
}

/** RFC 5321 section 4.5.3.1: octets of a local part, and of a path without its angle brackets. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
/** Beyond any address, in whatever spelling of its domain. */
const MAX_TEXT = 320;

/** RFC 5322 dot-atom, with the letters of RFC 6531 beyond ASCII. */
const DOT_ATOM =
  /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** RFC 5321 section 4.1.2: printable characters, quote and backslash behind a backslash. */
const QUOTED = /^"(?:[ !#-[\]-~\u00a0-\u{10ffff}]|\\[ -~])*"$/u;

const utf8 = new TextEncoder();

/**
 * One `local@domain` on the public internet, or null. Wider than what is sent to (`emailKey`): a quoted
 * local part is legal, and some servers take it. An address literal (`[192.0.2.1]`) is legal
 * too and no lead's address: null.
 */
export function readAddress(text: string): Address | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_TEXT || !trimmed.isWellFormed()) return null;
  const at = trimmed.lastIndexOf("@");
  const local = trimmed.slice(0, Math.max(at, 0)).normalize("NFC");
  const domain = mailDomain(trimmed.slice(at + 1));
  if (at < 1 || domain === null || !(DOT_ATOM.test(local) || QUOTED.test(local))) return null;
  const octets = utf8.encode(local).length;
  return octets > MAX_LOCAL || octets + 1 + domain.length > MAX_ADDRESS ? null : { local, domain };
}

/** Whether only a server with SMTPUTF8 (RFC 6531) can be told of it. */
export const needsSmtpUtf8 = ({ local }: Address): boolean => /[^\x20-\x7e]/.test(local);
