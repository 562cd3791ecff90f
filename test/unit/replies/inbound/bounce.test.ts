import { expect, test } from "vitest";
import { ordinaryMails } from "../../../../scripts/eval-ordinary-mails.ts";
import type { Bounce } from "#src/domain/replies/inbound/bounce-kinds.ts";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { parseInbound } from "#src/domain/replies/inbound/parse.ts";
import { classified, daemon, mail, notice, report, type MailInput } from "./mails.ts";

async function bounced(input: MailInput): Promise<Bounce> {
  const inbound = await classified(input);
  expect(inbound.class).toMatch(/^(bounce|delayed|delivered)$/);
  return inbound as Bounce;
}

test("a report of RFC 3464 says who, why and how final", async () => {
  const diagnostic = "550 5.1.1 <ann@lead.zz>: Recipient address rejected: User unknown";
  const bounce = await bounced(report({ status: "5.1.1", diagnostic }));
  expect(bounce).toMatchObject({ class: "bounce", format: "report" });
  expect(bounce.recipients).toEqual([
    {
      recipient: "ann@lead.zz",
      originalRecipient: "ann@lead.zz",
      kind: "hard",
      category: "no_such_user",
      status: "5.1.1",
      reply: "550",
      diagnostic: `smtp; ${diagnostic}`,
      rule: "words:no_such_user",
    },
  ]);
});

test.each([
  ["5.1.1", "550 5.1.1 no such user here", "hard", "no_such_user"],
  ["5.1.1", "", "hard", "no_such_user"],
  ["5.1.2", "550 5.1.2 Host unknown", "hard", "no_domain"],
  ["5.1.10", "556 5.1.10 Recipient address has null MX", "hard", "no_mail_accepted"],
  ["5.1.6", "551 5.1.6 user has moved", "hard", "moved"],
  ["5.2.2", "552 5.2.2 Mailbox full", "soft", "mailbox_full"],
  ["5.2.1", "550 5.2.1 The account is disabled", "soft", "disabled"],
  ["5.3.4", "552 5.3.4 Message size exceeds fixed limit", "soft", "too_big"],
  ["4.4.1", "connect to mx.lead.zz: Connection timed out", "soft", "timeout"],
  ["5.4.6", "554 5.4.6 Too many hops", "soft", "loop"],
  ["4.2.0", "450 4.2.0 Greylisted, come back later", "soft", "greylisted"],
  ["4.1.1", "450 4.1.1 unverified address: user unknown", "soft", "no_such_user"],
  [
    "5.7.26",
    "550 5.7.26 Unauthenticated mail is not accepted due to DMARC policy",
    "policy",
    "authentication",
  ],
  [
    "5.7.1",
    "554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org",
    "policy",
    "ip_blocked",
  ],
  ["5.7.1", "550 5.7.1 message looks like spam", "policy", "spam"],
  ["5.7.1", "550 5.7.1 rejected for policy reasons", "policy", "policy"],
  ["5.7.1", "554 5.7.1 Relay access denied", "policy", "relay_denied"],
  ["5.1.8", "553 5.1.8 Sender address rejected: Domain not found", "policy", "sender_rejected"],
  ["5.6.0", "552 5.6.0 virus found", "policy", "content"],
])("%s %s is %s", async (status, diagnostic, kind, category) => {
  const bounce = await bounced(report({ status, diagnostic }));
  expect(bounce.recipients).toMatchObject([{ kind, category }]);
});

test("the remote system's code is nearer to the reason than the summary", async () => {
  const bounce = await bounced(report({ status: "5.1.1", diagnostic: "550 5.7.1 not today" }));
  expect(bounce.recipients).toMatchObject([{ kind: "policy", status: "5.7.1" }]);
});

test("a delayed message has not failed", async () => {
  const bounce = await bounced(
    report({ action: "delayed", status: "4.4.1", diagnostic: "user unknown" }),
  );
  expect(bounce).toMatchObject({ class: "delayed", recipients: [{ kind: "delayed" }] });
});

test.each(["delivered", "relayed", "expanded"])(
  "a report of action %s is no failure",
  async (action) => {
    expect(await bounced(report({ action, status: "2.0.0" }))).toMatchObject({
      class: "delivered",
      recipients: [],
    });
  },
);

test("each recipient of a report has its own verdict", async () => {
  const input = report({ status: "5.1.1", diagnostic: "550 5.1.1 user unknown" });
  const second =
    "\nFinal-Recipient: rfc822; <Bob@lead.zz>\nAction: failed\nStatus: 4.2.2\nDiagnostic-Code: smtp; 452 4.2.2 mailbox full\n\n--=b\nContent-Type: message/rfc822";
  const bounce = await bounced({
    ...input,
    body: input.body!.replace("\n--=b\nContent-Type: message/rfc822", second),
  });
  expect(bounce.recipients).toMatchObject([
    { recipient: "ann@lead.zz", kind: "hard" },
    { recipient: "bob@lead.zz", kind: "soft", category: "mailbox_full" },
  ]);
});

test("an unknown user reported after the message was read is a filter", async () => {
  const words =
    "<ann@lead.zz>: host mx.lead.zz said: 550 Unknown user ann@lead.zz (in reply to end of DATA command)";
  const input = report({ status: "5.0.0", diagnostic: "550 Unknown user ann@lead.zz" });
  const body = input.body!.replace("This is the mail system at host mx.relay.zz.", words);
  expect((await bounced({ ...input, body })).recipients).toMatchObject([
    { kind: "soft", category: "recipient_filter" },
  ]);
});

test("what was refused before a recipient was named is about the sender", async () => {
  const bounce = await bounced(
    notice(
      "The following address failed:\n\n  ann@lead.zz\n    SMTP error from remote mail server after MAIL FROM:<b@sender.zz>:\n    550 No such user here",
    ),
  );
  expect(bounce.recipients).toMatchObject([{ kind: "policy", category: "sender_rejected" }]);
});

const NOTICES: readonly [string, MailInput, object][] = [
  [
    "qmail",
    notice(
      "Hi. This is the qmail-send program at mx.relay.zz.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<ann@lead.zz>:\nSorry, no mailbox here by that name. (#5.1.1)",
    ),
    { kind: "hard", status: "5.1.1" },
  ],
  [
    "Exim",
    notice(
      "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ann@lead.zz\n    host mx.lead.zz [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ann@lead.zz>:\n    550 unknown user",
      "------ This is a copy of the message, including all the headers. ------",
      ["X-Failed-Recipients: ann@lead.zz"],
    ),
    { kind: "hard", reply: "550" },
  ],
  [
    "sendmail of old",
    notice(
      "   ----- The following addresses had permanent fatal errors -----\n<ann@lead.zz>\n\n   ----- Transcript of session follows -----\n... while talking to mx.lead.zz.:\n>>> RCPT To:<ann@lead.zz>\n<<< 550 <ann@lead.zz>... User unknown\n550 <ann@lead.zz>... User unknown",
      "   ----- Original message follows -----",
    ),
    { kind: "hard" },
  ],
  [
    "Exchange in words",
    {
      ...notice(
        "Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n      ann@lead.zz on 30.07.2026 11:00\n            The e-mail account does not exist at the organization this message was sent to.",
      ),
      subject: "Undeliverable: Question",
    },
    { kind: "hard", category: "no_such_user" },
  ],
  [
    "a full mailbox in German",
    {
      ...notice(
        "Ihre Nachricht konnte nicht zugestellt werden.\n\nann@lead.zz\nDas Postfach des Empfängers ist voll.",
      ),
      subject: "Unzustellbar: Frage",
    },
    { kind: "soft", category: "mailbox_full" },
  ],
  [
    "an unknown user in French",
    {
      ...notice("Votre message n'a pas pu être remis.\n\nann@lead.zz : utilisateur inconnu"),
      subject: "Échec de la remise",
    },
    { kind: "hard" },
  ],
  [
    "an unknown user in Russian",
    {
      ...notice(
        "Ваше письмо не может быть доставлено получателю:\n\nann@lead.zz\nпользователь не найден",
      ),
      subject: "Недоставленное сообщение",
    },
    { kind: "hard" },
  ],
  [
    "a gateway that gave up",
    notice("Message could not be delivered to:\n\n<ann@lead.zz>\nretry timeout exceeded"),
    { kind: "soft", category: "timeout" },
  ],
];

test.each(NOTICES)("a notice without a report is read: %s", async (_, input, wanted) => {
  const bounce = await bounced(input);
  expect(bounce).toMatchObject({
    class: "bounce",
    format: "notice",
    recipients: [{ recipient: "ann@lead.zz" }],
  });
  expect(bounce.recipients[0]).toMatchObject(wanted);
});

test("a bare code in words alone does not give an address up", async () => {
  const bounce = await bounced(notice("Could not deliver to:\n<ann@lead.zz>: 550 unknown user"));
  expect(bounce.recipients).toMatchObject([{ kind: "soft", category: "recipient_filter" }]);
});

test("a warning in words has not failed either", async () => {
  const words =
    "A message that you sent has not yet been delivered to:\n\n  ann@lead.zz\n    Delay reason: connection timed out\n\nNo action is required on your part. Delivery attempts will continue.";
  expect(
    await bounced({ ...notice(words), subject: "Warning: message delayed 24 hours" }),
  ).toMatchObject({ class: "delayed" });
});

test("a report whose parts have lost their boundary is read from the text", async () => {
  const input = report({ status: "5.1.1", diagnostic: "550 5.1.1 user unknown" });
  const body = input.body!.replaceAll(/^--=b.*$/gm, "").replaceAll(/^Content-Type: .*$/gm, "");
  expect((await bounced({ ...input, body })).recipients).toMatchObject([
    { recipient: "ann@lead.zz", kind: "hard" },
  ]);
});

test("a mailing list that refuses a stranger says nothing about an address", async () => {
  const headers = ["X-MLServer: fml 4.0"];
  const refusal = {
    from: "list-admin@club.zz",
    subject: "Not a member",
    body: "You are not a member of this mailing list <club@club.zz>.",
  };
  const bounce = await bounced({ ...refusal, headers });
  expect(bounce.recipients).toMatchObject([
    { recipient: "club@club.zz", kind: "soft", category: "recipient_filter" },
  ]);
  // What it passes on to its members refuses nothing.
  const passedOn = await classified({ ...refusal, headers: [...headers, "List-Id: <club.zz>"] });
  expect(passedOn.class).not.toBe("bounce");
});

test("Amazon's notification by mail is read", async () => {
  const message = JSON.stringify({
    notificationType: "Bounce",
    bounce: {
      bouncedRecipients: [
        {
          emailAddress: "Ann@lead.zz",
          status: "5.1.1",
          diagnosticCode: "smtp; 550 5.1.1 user unknown",
        },
      ],
    },
  });
  const body = JSON.stringify({ Type: "Notification", Message: message });
  const bounce = await bounced({
    from: "no-reply@sns.amazonaws.com",
    subject: "AWS Notification Message",
    body,
  });
  expect(bounce.recipients).toMatchObject([{ recipient: "ann@lead.zz", kind: "hard" }]);
});

test("nobody else's mail is taken for Amazon's notification", async () => {
  const body = JSON.stringify({
    notificationType: "Bounce",
    bounce: { bouncedRecipients: [{ emailAddress: "ann@lead.zz" }] },
  });
  expect((await classified({ from: "eve@evil.zz", body })).class).toBe("reply");
});

test.each(ordinaryMails())("no bounce and no complaint: $name", async ({ raw }) => {
  expect(classifyInbound(await parseInbound(raw)).class).not.toMatch(
    /^(bounce|delayed|delivered|complaint)$/,
  );
});

test("a person who attaches a report did not send one", async () => {
  const attached = report({ status: "5.1.1" });
  const body = `--=o\nContent-Type: text/plain\n\nWhat is this?\n--=o\nContent-Type: message/rfc822\n\nFrom: ${daemon.from}\nSubject: ${daemon.subject}\n${attached.headers!.join("\n")}\n\n${attached.body}\n--=o--\n`;
  const inbound = await classified({
    headers: ['Content-Type: multipart/mixed; boundary="=o"'],
    body,
  });
  expect(inbound).toMatchObject({ class: "reply", text: "What is this?" });
});

test("a responder that speaks of failed deliveries is a responder", async () => {
  const headers = ["Return-Path: <>", "Auto-Submitted: auto-replied", "X-Autoreply: yes"];
  const body = "I am out of the office. Parcels could not be delivered (550 5.1.1).";
  expect((await classified({ subject: "Delivery failed?", headers, body })).class).toBe(
    "out_of_office",
  );
});

test("the message that a notice returns is found in its text", async () => {
  const { original } = await mail(notice("Could not deliver to <ann@lead.zz>"));
  expect(original).toMatchObject({
    messageId: "0123abc@sender.zz",
    returnPath: "b+token@bounce.sender.zz",
    to: ["ann@lead.zz"],
  });
});
