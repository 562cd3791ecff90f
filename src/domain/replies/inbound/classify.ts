import { type AutoReply, readAutoReply } from "./auto-reply.ts";
import type { Bounce } from "./bounce-kinds.ts";
import { readBounce } from "./bounce.ts";
import { type Complaint, readComplaint } from "./complaint.ts";
import { fieldValue, type HeaderField } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { asksToStop, type StopWish } from "./opt-out.ts";
import { returnPathsIn } from "./matching.ts";
import { visibleReply, visibleText } from "./reply-text.ts";
import { readSesNotification, sesBounce } from "./ses-notification.ts";
import { addressesIn } from "./original-message.ts";

/** Written by a machine and no answer to anything: a newsletter, a receipt, a notification. */
export interface Automated {
  class: "automated";
  evidence: readonly string[];
}

export interface Reply {
  class: "reply";
  /** The writer's own words, without quotes and signature. */
  text: string;
  /** Whether the writer asks not to be written to any more. */
  optOut: StopWish;
  /** A program sent it, for a button or by a rule: it is no answer of the lead. */
  byProgram: boolean;
}

export type Inbound = Bounce | Complaint | AutoReply | Automated | Reply;

/**
 * What a mail is. Reports come before auto-replies, because bounces call themselves auto-replied too;
 * what is left is taken for a person's words.
 */
export function classifyInbound(mail: InboundMail): Inbound {
  const ses = readSesNotification(mail);
  const complaint = readComplaint(mail, ses);
  if (complaint) return complaint;
  if (isUnsubscribeMail(mail))
    return { class: "reply", text: visibleReply(mail), optOut: "stop", byProgram: true };
  const disposition = readDisposition(mail);
  if (disposition?.is === "receipt")
    return { class: "automated", evidence: ["disposition_notification"] };
  if (disposition?.is === "rejection") return rejected(mail, disposition.recipient);
  const auto = readAutoReply(mail);
  const bounce = (ses && sesBounce(ses)) ?? readBounce(mail);
  if (bounce && !(auto && isRather(auto, bounce))) return bounce;
  const automated = auto ? [] : machineSigns(mail);
  if (automated.length > 0) return { class: "automated", evidence: automated };
  if (auto) return auto;
  const text = visibleReply(mail);
  return { class: "reply", text, optOut: asksToStop(text, mail.text), byProgram: false };
}

/** A responder's answer may speak of failed deliveries, and comes with a null sender. */
const isRather = (auto: AutoReply, bounce: Bounce): boolean =>
  bounce.format === "notice" &&
  !bounce.evidence.some((name) => /^(daemon|failed_recipients|report_type|system:)/.test(name)) &&
  auto.evidence.some((name) => /^(subject|responder_header|precedence|exchange)$/.test(name));

/**
 * A mail that a mail program sends to the address in List-Unsubscribe (RFC 2369 section 3.2). To a return path nothing
 * else comes so called, whatever the program puts below; to another address a person may write about it at length.
 */
const isUnsubscribeMail = (mail: InboundMail): boolean =>
  fieldValue(mail.headers, "x-apple-unsubscribe").toLowerCase() === "true" ||
  (/^\W*unsubscribe\W*$/i.test(mail.subject) &&
    (returnPathsIn(mail.headers).length > 0 || isShort(mail)));

/** With the subject as its first line, so that a signature below nothing else is one. */
const isShort = ({ subject, text }: InboundMail): boolean =>
  visibleText(`${subject}\n\n${text}`).length - subject.length < 200;

/** A filter's refusal has its owner's reason in it; one that asks for no more mail is as good as a button. */
function rejected(mail: InboundMail, recipient: string | null): Reply | Bounce {
  const text = visibleReply(mail);
  // The line in which the program tells of its refusal says nothing for its owner.
  const reason = text
    .split("\n")
    .filter((line) => !REJECTED.test(line))
    .join("\n");
  if (asksToStop(reason) === "stop")
    return { class: "reply", text, optOut: "stop", byProgram: true };
  const codes = { status: "", reply: "", originalRecipient: null };
  const refusal = {
    category: "recipient_filter",
    kind: "soft",
    rule: "disposition:rejected",
  } as const;
  return {
    class: "bounce",
    format: "notice",
    recipients: [{ recipient, ...codes, ...refusal, diagnostic: text.slice(0, 1_000) }],
    evidence: [refusal.rule],
  };
}

function machineSigns(mail: InboundMail): string[] {
  const header = (name: string) => fieldValue(mail.headers, name).toLowerCase();
  const isAnswer = mail.inReplyTo.length > 0 || mail.references.length > 0;
  const checks: readonly (readonly [string, boolean])[] = [
    ["auto_submitted", /^auto-(generated|notified)/.test(header("auto-submitted"))],
    ["list_unsubscribe", !isAnswer && header("list-unsubscribe") !== ""],
    ["precedence", !isAnswer && /^(bulk|list|junk)$/.test(header("precedence"))],
    ["null_sender", mail.returnPath === ""],
  ];
  return checks.filter(([, holds]) => holds).map(([name]) => name);
}

/** The disposition that a notification (RFC 8098) reports. */
type Disposition =
  | { is: "receipt" }
  /** A filter has refused it for its owner: Sieve's `reject` (RFC 5429). */
  | { is: "rejection"; recipient: string | null };

/** How Sieve implementations begin the owner's reason, in the RFC's own examples too. */
const REJECTED =
  /reject|refus|mail filter|abgelehnt|zurückgewiesen|rechazad|rifiutat|rejeitad|geweigerd|avvis|avvisad|odrzucon|отклон|отказ/i;

/** Null where the mail is no notification. A receipt only says that a message was shown, or deleted by hand. */
function readDisposition(mail: InboundMail): Disposition | null {
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
