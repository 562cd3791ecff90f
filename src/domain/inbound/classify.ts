import { readAutoReply, type AutoReply } from "./auto-reply.ts";
import type { Bounce } from "./bounce-kinds.ts";
import { readBounce } from "./bounce.ts";
import { readComplaint, type Complaint } from "./complaint.ts";
import { fieldValue } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { asksToStop } from "./opt-out.ts";
import { visibleReply } from "./reply-text.ts";
import { readSesNotification, sesBounce } from "./ses-notification.ts";

/** Written by a machine and no answer to anything: a newsletter, a receipt, a notification. */
export interface Automated {
  class: "automated";
  evidence: readonly string[];
}

export interface Reply {
  class: "reply";
  /** The writer's own words, without quotes and signature. */
  text: string;
  /** The writer asks not to be written to any more. */
  optOut: boolean;
  /** A mail program sent it for a button: nobody has answered. */
  byButton: boolean;
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
    return { class: "reply", text: visibleReply(mail), optOut: true, byButton: true };
  if (isReceipt(mail)) return { class: "automated", evidence: ["disposition_notification"] };
  const auto = readAutoReply(mail);
  const bounce = (ses && sesBounce(ses)) ?? readBounce(mail);
  if (bounce && !(auto && isRather(auto, bounce))) return bounce;
  const automated = auto ? [] : machineSigns(mail);
  if (automated.length > 0) return { class: "automated", evidence: automated };
  if (auto) return auto;
  const text = visibleReply(mail);
  return { class: "reply", text, optOut: asksToStop(text), byButton: false };
}

/** A responder's answer may speak of failed deliveries, and comes with a null sender. */
const isRather = (auto: AutoReply, bounce: Bounce): boolean =>
  bounce.format === "notice" &&
  !bounce.evidence.some((name) => /^(daemon|failed_recipients|report_type|system:)/.test(name)) &&
  auto.evidence.some((name) => /^(subject|responder_header|precedence|exchange)$/.test(name));

/** What mail programs send to the address in List-Unsubscribe (RFC 2369 section 3.2). */
const isUnsubscribeMail = (mail: InboundMail): boolean =>
  fieldValue(mail.headers, "x-apple-unsubscribe").toLowerCase() === "true" ||
  (/^\W*unsubscribe\W*$/i.test(mail.subject) && mail.text.trim().length < 200);

/** RFC 8098: somebody's program says that the message was shown. */
const isReceipt = (mail: InboundMail): boolean =>
  /report-type="?disposition-notification/i.test(fieldValue(mail.headers, "content-type"));

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
