/** Mails that are no bounces and have much of what bounces have, written for `eval-bounces.ts`. */

interface MailText {
  subject: string;
  body: string;
  from?: string;
  headers?: readonly string[];
}

/** A mail as a mail server would hand it over. */
export function asMail({
  subject,
  body,
  from = "Ann Lead <ann@lead.zz>",
  headers = [],
}: MailText): Uint8Array {
  const head = headers.some((each) => /^return-path:/i.test(each))
    ? []
    : ["Return-Path: <ann@lead.zz>"];
  const lines = [
    ...head,
    `From: ${from}`,
    "To: Sam Sender <sam@sender.zz>",
    `Subject: ${subject}`,
    "Date: Tue, 05 May 2026 10:00:00 +0000",
    "Message-ID: <1@lead.zz>",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    ...headers,
    "",
    body,
  ];
  return new TextEncoder().encode(lines.join("\r\n"));
}

const texts: readonly (MailText & { name: string })[] = [
  {
    name: "asks about a bounce",
    subject: "Re: your mail",
    body: "Hi Sam,\nyour last mail to bob@lead.zz bounced with 550 5.1.1 user unknown. Use bob@other.zz please.\nAnn",
  },
  {
    name: "forwards a bounce",
    subject: "Fwd: Undelivered Mail Returned to Sender",
    body: "See below, what does it mean?\n\n---------- Forwarded message ---------\nFrom: Mail Delivery System <MAILER-DAEMON@mx.zz>\nSubject: Undelivered Mail Returned to Sender\n\nThis is the mail system at host mx.zz.\n\n<bob@lead.zz>: host mx.lead.zz said: 550 5.1.1 User unknown (in reply to RCPT TO command)",
  },
  {
    name: "a parcel",
    subject: "Delivery failed",
    from: "Parcel Service <service@parcel.zz>",
    body: "We could not deliver your parcel 550 to the following address. It was returned to the sender.",
  },
  {
    name: "a parcel from a robot",
    subject: "Delivery problem",
    from: "noreply@parcel.zz",
    headers: ["Auto-Submitted: auto-generated"],
    body: "Your delivery was not successful: nobody at home. Unable to deliver 2 items.",
  },
  {
    name: "an invoice",
    subject: "Invoice 550-5123",
    from: "billing@shop.zz",
    body: "Your payment failed. The card was rejected. Please try again within 5.1.1 days.",
  },
  {
    name: "a status mail",
    subject: "Server error: 451 temporary failure",
    from: "monitoring@ops.zz",
    body: "mx1: 451 4.3.0 queue is full. 550 messages deferred.",
  },
  {
    name: "a newsletter",
    subject: "Why mail bounces",
    from: "news@letters.zz",
    headers: ["List-Unsubscribe: <https://letters.zz/u>", "Precedence: bulk"],
    body: "A hard bounce means 550 5.1.1: mailbox unavailable. Undeliverable mail hurts your reputation.",
  },
  {
    name: "an out of office from Exchange",
    subject: "Automatic reply: Question",
    headers: ["Return-Path: <>", "Auto-Submitted: auto-replied", "X-Auto-Response-Suppress: All"],
    body: "I am out of the office until 14 May. For urgent matters contact the following address: bob@lead.zz. Your message will not be forwarded.",
  },
  {
    name: "an out of office with a null sender",
    subject: "Re: Question",
    headers: ["Return-Path: <>", "Auto-Submitted: auto-replied", "In-Reply-To: <2@sender.zz>"],
    body: "I cannot be reached and mail is not delivered to my phone. Back on Monday.",
  },
  {
    name: "somebody who left",
    subject: "Re: Question",
    headers: ["Return-Path: <>", "Auto-Submitted: auto-replied"],
    body: "Ann no longer works here. Mail to this address is not read. Please write to info@lead.zz.",
  },
  {
    name: "a ticket",
    subject: "[Ticket #550] We have received your request",
    from: "support@desk.zz",
    headers: ["Auto-Submitted: auto-replied"],
    body: "Your request could not be processed at once. We will reply within 2 days.",
  },
  {
    name: "an invitation",
    subject: "Accepted: Intro call",
    body: "Ann Lead has accepted this invitation.",
  },
  {
    name: "a reply in German",
    subject: "AW: Frage",
    body: "Hallo Sam,\n\nIhre E-Mail konnte ich leider nicht früher beantworten, sie war unzustellbar im Spam gelandet.\n\nGruß Ann",
  },
  {
    name: "a reply with a quoted bounce",
    subject: "Re: Delivery Status Notification (Failure)",
    body: "Solved, please send again.\n\n> Final-Recipient: rfc822; ann@lead.zz\n> Action: failed\n> Status: 5.1.1\n> Diagnostic-Code: smtp; 550 5.1.1 User unknown",
  },
  {
    name: "a moderator",
    subject: "Your post is waiting",
    from: "Moderators <mods@club.zz>",
    body: "Your post to the club was held. You are not a member yet; join at https://club.zz.",
  },
  { name: "an empty mail", subject: "", body: "" },
  {
    name: "a reply from an administrator",
    subject: "Re: Mail problem",
    from: "Admin <admin@lead.zz>",
    body: "The mailbox was full, error 552 5.2.2. I have made room, please send it again.",
  },
  {
    name: "a postmaster's own words",
    subject: "Re: Your question about SPF",
    from: "Paul <postmaster@lead.zz>",
    body: "Hi, your SPF record is fine now, go ahead.",
  },
  {
    name: "a receipt",
    subject: "Read: Question",
    headers: ["Return-Path: <>"],
    body: "Your message was read on Tuesday.",
  },
  {
    name: "a sales answer",
    subject: "Re: delivery times",
    body: "We failed to deliver on time last year, that is true. Call me at 550-123-4567.",
  },
];

export const ordinaryMails = (): { name: string; raw: Uint8Array }[] =>
  texts.map((each) => ({ name: each.name, raw: asMail(each) }));
