import { fieldValue, fieldValues } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { addressesIn, originalOf } from "./original-message.ts";
import type { SesNotification } from "./ses-notification.ts";

export interface Complaint {
  class: "complaint";
  /** RFC 5965 section 3.1; see `isComplaint`. */
  feedbackType: string;
  /** The complaining recipients; empty when the provider has redacted them. */
  recipients: readonly string[];
  evidence: readonly string[];
}

/** Headers of the returned message in which providers name the complaining recipient. */
const RECIPIENT_HEADERS = [
  "x-hmxmroriginalrecipient",
  "x-original-to",
  "x-rcpt-to",
  "delivered-to",
];
const KNOWN_TYPES =
  /^(abuse|fraud|virus|other|opt-out|opt-out-list|not-spam|miscategorized|auth-failure)$/;

/**
 * Whether a recipient complained. `not-spam` takes a complaint back, and `auth-failure` (RFC 6591) tells
 * the owner of a domain of forged mail.
 */
export const isComplaint = ({ feedbackType }: Complaint): boolean =>
  feedbackType !== "not-spam" && feedbackType !== "auth-failure";

/** A complaint: an ARF report (RFC 5965), or one of the forms that providers had before it. */
export function readComplaint(mail: InboundMail, ses: SesNotification | null): Complaint | null {
  if (ses?.type === "complaint")
    return {
      class: "complaint",
      feedbackType: ses.feedbackType || "abuse",
      recipients: ses.recipients.map(({ address }) => address),
      evidence: ["ses"],
    };
  const report = mail.feedbackReport;
  const contentType = fieldValue(mail.headers, "content-type");
  if (!report && !/report-type="?feedback-report/i.test(contentType))
    return isJmrp(mail) ? jmrp(mail) : null;
  const said = fieldValue(report ?? [], "feedback-type").toLowerCase();
  const feedbackType = KNOWN_TYPES.test(said) ? said : "abuse";
  const named = [
    ...fieldValues(report ?? [], "original-rcpt-to"),
    ...fieldValues(report ?? [], "removal-recipient"),
  ].flatMap(addressesIn);
  const recipients = named.length > 0 ? named : recipientsOfOriginal(mail);
  return {
    class: "complaint",
    feedbackType,
    recipients: [...new Set(recipients)],
    evidence: ["feedback_report"],
  };
}

/** Microsoft's Junk Mail Reporting Program returns the message without a report. */
export const isJmrp = ({ from, subject }: Pick<InboundMail, "from" | "subject">): boolean =>
  /^staff@(hotmail|outlook|live|msn)\.com$/i.test(from?.email ?? "") &&
  /^\s*complaint about message from/i.test(subject);

function jmrp(mail: InboundMail): Complaint {
  const recipients = recipientsOfOriginal(mail);
  return { class: "complaint", feedbackType: "abuse", recipients, evidence: ["jmrp"] };
}

function recipientsOfOriginal(mail: InboundMail): string[] {
  const original = mail.original ?? originalOf(mail.text);
  if (!original) return [];
  const named = RECIPIENT_HEADERS.flatMap((name) => fieldValues(original.headers, name)).flatMap(
    addressesIn,
  );
  return named.length > 0 ? named : [...original.to];
}
