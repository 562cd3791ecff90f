import { mailDomain } from "#src/mime/email-key.ts";

/** An address that can be asked about. */
export interface Target {
  /** As it goes on the wire: the local part as it was typed, the domain in A-labels. */
  address: string;
  domain: string;
  /** What answers are kept under. */
  key: string;
}

const MAX_LOCAL_BYTES = 64;
const MAX_ADDRESS_BYTES = 254;
const utf8 = new TextEncoder();

/** RFC 5321 section 4.1.2 and RFC 6531: an atom, loosely, or a quoted string; nothing that could end a command. */
const ATOM = /^[^\p{Cc}\p{Z}"(),:;<>@[\\\]]+$/u;
const QUOTED = /^"(?:[^"\\\p{Cc}]|\\[\x20-\x7e])*"$/u;

/** Null for what no mail host could be asked about. */
export function readTarget(text: string): Target | null {
  const typed = text.trim();
  const at = typed.lastIndexOf("@");
  if (at < 1 || typed.length > MAX_ADDRESS_BYTES || !typed.isWellFormed()) return null;
  const local = typed.slice(0, at).normalize("NFC");
  const domain = mailDomain(typed.slice(at + 1));
  if (domain === null || !(ATOM.test(local) || QUOTED.test(local))) return null;
  if (utf8.encode(local).length > MAX_LOCAL_BYTES) return null;
  const address = `${local}@${domain}`;
  if (utf8.encode(address).length > MAX_ADDRESS_BYTES) return null;
  return { address, domain, key: `${local.toLowerCase()}@${domain}` };
}
