import { randomUUID } from "node:crypto";
import { ActionRefused } from "./message-actions.ts";
import { headerOf, type ParsedMessage } from "./message-parse.ts";

/** A mail on its way: envelope sender (empty for a report), recipient, bytes. */
export interface PassingMail {
  from: string;
  to: string;
  raw: string | Buffer;
}
/** Hands a mail to the sender of the mailbox's messages. */
export type DeliverMail = (mail: PassingMail) => Promise<void>;

export interface Returned {
  /** Envelope of the mail that went back. */
  from: string;
  to: string;
  subject: string;
}

/** The message as its recipient would answer it. */
interface Answer {
  subject: string;
  headers?: string[];
  body: string;
}

/** A person's reply, with the message quoted below it. */
export function reply(deliver: DeliverMail, message: ParsedMessage, text: string) {
  const quoted = message.text.trim().replace(/^/gm, "> ");
  return answer(deliver, message, {
    subject: replySubject(message),
    body: `${text}\r\n\r\nOn ${new Date(message.received_at).toUTCString()}, ${message.from} wrote:\r\n${quoted}\r\n`,
  });
}

/** What a mail program sends by itself while its owner is away (RFC 3834). */
export function outOfOffice(deliver: DeliverMail, message: ParsedMessage, until: Date | null) {
  const back =
    until === null
      ? "I have no access to my mail at the moment."
      : `I will be back on ${until.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" })}.`;
  return answer(deliver, message, {
    subject: `Automatic reply: ${message.subject}`,
    headers: ["Auto-Submitted: auto-replied", "X-Auto-Response-Suppress: All"],
    body: `Thank you for your message. I am out of the office. ${back}\r\n`,
  });
}

/** A delivery report (RFC 3464) of the recipient's mail system, to the return path, with the headers of the message. */
export async function bounce(
  deliver: DeliverMail,
  message: ParsedMessage,
  status: string,
  text: string,
): Promise<Returned> {
  if (!/^[245]\.\d{1,3}\.\d{1,3}$/.test(status))
    throw new ActionRefused("status must be an enhanced status code such as 5.1.1");
  const recipient = recipientOf(message);
  const host = `mx.${recipient.split("@")[1]}`;
  return report(deliver, message, {
    from: `Mail Delivery System <MAILER-DAEMON@${host}>`,
    subject: "Undelivered Mail Returned to Sender",
    type: "delivery-status",
    words: `Your message could not be delivered to <${recipient}>: ${text}`,
    fields: [
      `Reporting-MTA: dns; ${host}`,
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${status.startsWith("4") ? "delayed" : "failed"}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${status.startsWith("4") ? 450 : 550} ${status} ${text}`,
    ],
  });
}

/** A complaint in the form that mailbox providers send (RFC 5965). */
export function complain(deliver: DeliverMail, message: ParsedMessage): Promise<Returned> {
  const provider = recipientOf(message).split("@")[1];
  return report(deliver, message, {
    from: `feedback@${provider}`,
    subject: `FW: ${message.subject}`,
    type: "feedback-report",
    words: "This is an email abuse report for a message that one of our users received.",
    fields: [
      "Feedback-Type: abuse",
      "User-Agent: Overture-Mailbox/1.0",
      "Version: 1",
      `Original-Rcpt-To: ${recipientOf(message)}`,
    ],
  });
}

async function answer(
  deliver: DeliverMail,
  message: ParsedMessage,
  { subject, headers = [], body }: Answer,
): Promise<Returned> {
  const from = recipientOf(message);
  const to = addressIn(headerOf(message, "reply-to")) ?? message.from;
  const id = headerOf(message, "message-id") ?? "";
  const references = [headerOf(message, "references"), id].filter(Boolean).join(" ");
  const raw = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${oneLine(subject)}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${randomUUID()}@${from.split("@")[1]}>`,
    ...(id === "" ? [] : [`In-Reply-To: ${id}`, `References: ${references}`]),
    ...headers,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    body.replace(/\r?\n/g, "\r\n"),
  ].join("\r\n");
  await deliver({ from, to, raw });
  return { from, to, subject };
}

async function report(
  deliver: DeliverMail,
  message: ParsedMessage,
  order: { from: string; subject: string; type: string; words: string; fields: string[] },
): Promise<Returned> {
  const to = message.envelopeFrom || message.from;
  const boundary = `report-${randomUUID()}`;
  const part = (type: string, lines: string[]) => [
    `--${boundary}`,
    `Content-Type: ${type}`,
    "",
    ...lines,
    "",
  ];
  const raw = [
    `From: ${order.from}`,
    `To: ${to}`,
    `Subject: ${oneLine(order.subject)}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${randomUUID()}@mailbox.zz>`,
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${order.type}; boundary="${boundary}"`,
    "",
    ...part("text/plain; charset=utf-8", [order.words]),
    ...part(`message/${order.type}`, order.fields),
    ...part("text/rfc822-headers", [message.headerBlock.trim()]),
    `--${boundary}--`,
    "",
  ].join("\r\n");
  await deliver({ from: "", to, raw });
  return { from: "", to, subject: order.subject };
}

const recipientOf = (message: ParsedMessage): string => message.to[0] ?? "nobody@inbox.zz";
const replySubject = ({ subject }: ParsedMessage): string =>
  /^re:/i.test(subject) ? subject : `Re: ${subject}`;
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, " ");
const addressIn = (header: string | undefined): string | undefined =>
  header && (/<([^<>]+)>/.exec(header)?.[1] ?? header.trim());
