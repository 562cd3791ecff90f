import type { HeaderField } from "./header-fields.ts";

/** An address as the mail states it, unverified. */
export interface InboundAddress {
  name: string;
  /** Domain in lower case; empty, or a name without a domain, when the header had no address. */
  email: string;
}

/** A report's fields about one recipient (RFC 3464 section 2.3). */
export interface RecipientReport {
  /** Final-Recipient, else Original-Recipient; null when withheld. */
  recipient: string | null;
  originalRecipient: string | null;
  /** Lower case: `failed`, `delayed`, `delivered`, `relayed`, `expanded`, or empty. */
  action: string;
  /** Enhanced status code such as `5.1.1`; empty when absent. */
  status: string;
  diagnostic: string;
  remoteMta: string;
}

export interface DeliveryStatus {
  reportingMta: string;
  /** Original-Envelope-Id, decoded. */
  envelopeId: string | null;
  recipients: readonly RecipientReport[];
}

/** The message a report is about, as far as the report returned it. */
export interface OriginalMessage {
  headers: readonly HeaderField[];
  messageId: string | null;
  returnPath: string | null;
  to: readonly string[];
  subject: string;
}

export interface InboundPart {
  contentType: string;
  filename: string | null;
  /** Bytes that were read; a long part is cut, see `InboundMail.truncated`. */
  size: number;
}

/** One received mail, read as far as it makes sense and never trusted. */
export interface InboundMail {
  from: InboundAddress | null;
  to: readonly InboundAddress[];
  replyTo: readonly InboundAddress[];
  /** The envelope sender: "" for a null sender, null when unknown. */
  returnPath: string | null;
  subject: string;
  /** Without angle brackets. */
  messageId: string | null;
  inReplyTo: readonly string[];
  /** Oldest first, as the header has them. */
  references: readonly string[];
  /** Null when absent or unreadable. */
  date: Date | null;
  headers: readonly HeaderField[];
  /** Plain text with LF line ends; made from the HTML when there is no text part. */
  text: string;
  html: string | null;
  parts: readonly InboundPart[];
  deliveryStatus: DeliveryStatus | null;
  /** The report (RFC 3464) that this mail, which is none itself, has attached as a message. */
  wrapped: InboundMail | null;
  /** Fields of message/feedback-report (RFC 5965), when there is one. */
  feedbackReport: readonly HeaderField[] | null;
  /** Fields of message/disposition-notification (RFC 8098), when there is one. */
  dispositionFields: readonly HeaderField[] | null;
  original: OriginalMessage | null;
  /** Whether something was left out because the mail was too long or too deep. */
  truncated: boolean;
}
