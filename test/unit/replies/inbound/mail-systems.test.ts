import { expect, test } from "vitest";
import { classified, notice } from "./mails.ts";

/** The shape of each system's notice; what it says of the one recipient is ours. */
const SYSTEMS: readonly [
  system: string,
  from: string,
  subject: string,
  kind: string,
  words: string,
][] = [
  [
    "Apache James",
    "postmaster@relay.zz",
    "[BOUNCE]",
    "hard",
    "Hi. This is the James mail server at relay.zz.\nI wasn't able to deliver your message.\n\nFailed recipient(s):\nann@lead.zz\n\nError message:\n550 5.1.1 <ann@lead.zz>... User unknown",
  ],
  [
    "MailMarshal",
    '"Mail Administrator" <postmaster@relay.zz>',
    'Undeliverable Mail: "Question"',
    "soft",
    "Your message:\n   From:    sam@sender.zz\n   Subject: Question\n\nCould not be delivered because of\n\n552 5.2.2 mailbox full\n\nThe following recipients were affected:\n   ann@lead.zz",
  ],
  [
    "InterScan",
    '"InterScan MSS" <postmaster@relay.zz>',
    "Mail could not be delivered",
    "hard",
    "Sent <<< RCPT TO:<ann@lead.zz>\nReceived >>> 550 5.1.1 <ann@lead.zz>... user unknown\n\nUnable to deliver message to <ann@lead.zz>.",
  ],
  [
    "Gmail of old",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Failure)",
    "hard",
    "Delivery to the following recipient failed permanently:\n\n     ann@lead.zz\n\nThe error that the other server returned was: 550 550 Unknown user ann@lead.zz (state 14).",
  ],
  [
    "Gmail of old, after the message",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Failure)",
    "soft",
    "Delivery to the following recipient failed permanently:\n\n     ann@lead.zz\n\nThe error that the other server returned was: 550 550 Unknown user ann@lead.zz (state 18).",
  ],
  [
    "Gmail, still trying",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Delay)",
    "delayed",
    "THIS IS A WARNING MESSAGE ONLY.\n\nDelivery to the following recipient has been delayed:\n\n     ann@lead.zz\n\nMessage will be retried for 2 more day(s)",
  ],
  [
    "1&1",
    '"Mail Delivery System" <mailer-daemon@relay.zz>',
    "Mail delivery failed: returning message to sender",
    "hard",
    "A message that you sent could not be delivered. The following addresses failed:\n\n<ann@lead.zz>:\nUser is unknown",
  ],
  [
    "GMX",
    '"GMX Mailer Daemon" <mailer-daemon@gmx.de>',
    "Mail delivery failed: returning message to sender",
    "soft",
    'This is a permanent error.\nThe following address failed:\n\n"ann@lead.zz":\nSMTP error from remote server after RCPT command:\nhost: mx.lead.zz\n552 quota exceeded',
  ],
  [
    "Mimecast",
    "Mimecast <postmaster@relay.zz>",
    "[Postmaster] Email Delivery Failure",
    "hard",
    "An email you addressed to email address :\n-- ann@lead.zz\n\ncould not be delivered. The problem appears to be :\n-- Recipient email address is possibly incorrect\n\n-- 5.1.1 User Unknown",
  ],
  [
    "Proofpoint",
    "Mail Delivery Subsystem <MAILER-DAEMON@relay.zz>",
    "Returned mail: see transcript for details",
    "policy",
    "   ----- The following addresses had permanent fatal errors -----\n<ann@lead.zz>\n    (reason: 550 5.7.0 Local Policy Violation)",
  ],
  [
    "Barracuda",
    "Barracuda <MAILER-DAEMON@relay.zz>",
    "**Message you sent blocked by our bulk email filter**",
    "policy",
    "Your message to: ann@lead.zz\nwas blocked by our Spam Firewall. It has NOT BEEN DELIVERED.",
  ],
  [
    "GroupWise",
    "Mailer-Daemon@lead.zz",
    "Message status - undeliverable",
    "hard",
    "The attached file had the following undeliverable recipient(s):\n\tann@lead.zz\n\n   Transcript of session follows:\n550 5.1.1 User unknown",
  ],
  [
    "Domino",
    "postmaster@lead.zz",
    "DELIVERY FAILURE: User ann (ann@lead.zz) not listed in Domino Directory",
    "hard",
    "Your message\n\n  Subject: Question\n\nwas not delivered to:\n\n  ann@lead.zz\n\nbecause:\n\n  User ann (ann@lead.zz) not listed in Domino Directory",
  ],
  [
    "web.de",
    '"Mail Delivery System" <mailer-daemon@web.de>',
    "Mail delivery failed",
    "hard",
    "Ihre Nachricht an folgende Empfänger konnte nicht zugestellt werden:\n\nann@lead.zz\n\nEmpfänger unbekannt",
  ],
  [
    "Courier",
    '"Courier mail server at mx.relay.zz" <postmaster@mx.relay.zz>',
    "NOTICE: mail delivery status.",
    "hard",
    "                           UNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:\n\n<ann@lead.zz>:\n    mx.lead.zz [192.0.2.222]:\n>>> RCPT TO:<ann@lead.zz>\n<<< 550 5.1.1 <ann@lead.zz>... User Unknown",
  ],
  [
    "mail.ru",
    "mailer-daemon@corp.mail.ru",
    "Mail failure.",
    "hard",
    "Ваше письмо не может быть доставлено одному или нескольким получателям:\n\nann@lead.zz\n    SMTP error from remote mail server after RCPT TO:<ann@lead.zz>:\n    550 no such user",
  ],
];

test.each(SYSTEMS)("%s, with and without a null sender", async (_, from, subject, kind, words) => {
  const input = { ...notice(words), from, subject };
  for (const headers of [["Return-Path: <>"], ["Return-Path: <mailer@relay.zz>"]]) {
    const inbound = await classified({ ...input, headers });
    expect(inbound.class).toBe(kind === "delayed" ? "delayed" : "bounce");
    expect(inbound).toMatchObject({ recipients: [{ recipient: "ann@lead.zz", kind }] });
  }
});
