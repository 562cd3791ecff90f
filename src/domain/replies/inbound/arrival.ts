import { registrable } from "#src/mime/registrable.ts";
import { fieldValues, type HeaderField } from "./header-fields.ts";

/** As hosts write where a mail came from and who took it (RFC 5321 section 4.4). */
const HOP = /\bfrom\s+([^\s();]+)[\s\S]*?\bby\s+([^\s();]+)([\s\S]*)$/i;
/** The registered protocols with TLS: https://www.iana.org/assignments/mail-parameters, RFC 3848 and 6531. */
const WITH_TLS = /\bwith\s+(?:UTF8)?(?:E?SMTPSA?|LMTPSA?)\b|\bversion=TLS|\busing TLS/i;
const WITH_MAIL = /\bwith\s+(?:UTF8)?(?:E?SMTP|LMTP)/i;
/** Fields that a mail is read for; the receiver's own stand first. */
const MOST_HOPS = 30;
const LONGEST_HOP = 2_000;

/**
 * Whether a mail came from its sender's hosts to its receiver's by TLS, as the receiver wrote it down; null when no field
 * says it. That is the first `Received` from above whose two hosts are not of one organisation.
 */
export function arrivedByTls(headers: readonly HeaderField[]): boolean | null {
  for (const value of fieldValues(headers, "received").slice(0, MOST_HOPS)) {
    const hop = HOP.exec(value.slice(0, LONGEST_HOP));
    if (hop === null) continue;
    const [, from = "", by = "", rest = ""] = hop;
    if (!by.includes(".") || organisation(from) === organisation(by)) continue;
    if (WITH_TLS.test(rest) || /\bversion=TLS|\busing TLS/i.test(value)) return true;
    return WITH_MAIL.test(rest) ? false : null;
  }
  return null;
}

export const organisation = (host: string): string =>
  registrable(host.toLowerCase().replace(/\.$/, ""));
