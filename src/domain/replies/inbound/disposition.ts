import { fieldValue, type HeaderField } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { addressesIn } from "./original-message.ts";

/** What a disposition notification (RFC 8098) says of the message. */
export type Disposition =
  | { is: "receipt" }
  /** A filter has refused it for its owner: Sieve's `reject` (RFC 5429). */
  | { is: "rejection"; recipient: string | null };

/** How Sieve implementations begin the owner's reason, in the RFC's own examples too. */
const REJECTED =
  /reject|refus|mail filter|abgelehnt|zurückgewiesen|rechazad|rifiutat|rejeitad|geweigerd|avvis|avvisad|odrzucon|отклон|отказ/i;

/** Null where the mail is no notification. A receipt only says that a message was shown, or deleted by hand. */
export function readDisposition(mail: InboundMail): Disposition | null {
  const isNotification = /report-type="?disposition-notification/i.test(
    fieldValue(mail.headers, "content-type"),
  );
  if (!isNotification) return null;
  const fields = mail.dispositionFields ?? [];
  const [mode = "", type = ""] = fieldValue(fields, "disposition").toLowerCase().split(";");
  const refused =
    mode.trim().startsWith("automatic-action/") &&
    /^\s*deleted\b/.test(type) &&
    REJECTED.test(`${mail.subject}\n${mail.text.slice(0, 2_000)}`);
  return refused ? { is: "rejection", recipient: recipientOf(fields) } : { is: "receipt" };
}

const recipientOf = (fields: readonly HeaderField[]): string | null =>
  ["original-recipient", "final-recipient"].flatMap((name) =>
    addressesIn(fieldValue(fields, name)),
  )[0] ?? null;
