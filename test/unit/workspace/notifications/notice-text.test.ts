import { describe, expect, test } from "vitest";
import type { NoticeItem } from "#db/workspace/notice-content.ts";
import { PAUSED_REASONS } from "#db/schema/index.ts";
import { NOTICE_KINDS } from "#src/domain/workspace/notifications/audience.ts";
import { emailText } from "#src/domain/workspace/notifications/email-text.ts";
import { noticeText } from "#src/domain/workspace/notifications/notice-text.ts";
import { firstLines, oneLine } from "#src/platform/one-line.ts";
import { noticeMail } from "#src/domain/workspace/notifications/system-mail.ts";
import { templateMessage } from "#src/domain/workspace/notifications/transmit.ts";

const BASE = "https://overture.example";
const CAMPAIGN = "0198f3a0-0000-7000-8000-000000000001";
const item = (more: Partial<NoticeItem> = {}): NoticeItem => ({
  kind: "lead_reply",
  total: 1,
  campaignId: CAMPAIGN,
  campaignName: "Spring",
  campaignLeadId: "lead-id",
  reason: null,
  name: "Ada Lovelace",
  address: "ada@example.com",
  why: null,
  conversationId: "conversation-id",
  said: null,
  saidClass: null,
  emailId: null,
  accountId: null,
  accountName: null,
  aliasId: null,
  aliasEmail: null,
  domainId: null,
  domainName: null,
  webhookId: null,
  webhookUrl: null,
  subject: null,
  ...more,
});
const mailOf = (...items: NoticeItem[]) => emailText(noticeText(items, BASE)!, BASE);
const system = {
  from: { name: "Overture", email: "notices@overture.example" },
  relay: { host: "relay.example", port: 587, security: "starttls" as const },
};
const rawOf = (...items: NoticeItem[]) =>
  new TextDecoder().decode(
    noticeMail(system, mailOf(...items), { id: "d1", to: "me@home.example", date: new Date(0) })
      .raw,
  );

describe("every kind says what happened, to whom, where, and what to do", () => {
  test.each([
    [
      item({ said: "Call me.\n\nAda" }),
      "Ada Lovelace <ada@example.com> replied (Spring)",
      ["> Call me.", "> Ada", `GET ${BASE}/api/v1/conversations/conversation-id`],
    ],
    [
      item({ said: "Not now, thanks.", saidClass: "possible_opt_out" }),
      "Ada Lovelace <ada@example.com> replied, and perhaps asks for no more mail (Spring)",
      ["> Not now, thanks."],
    ],
    [
      item({ kind: "lead_hard_bounce", why: "5.1.1 User unknown" }),
      "Mail to Ada Lovelace <ada@example.com> came back for good: 5.1.1 User unknown (Spring)",
      [`GET ${BASE}/api/v1/campaigns/${CAMPAIGN}/leads/lead-id`],
    ],
    [
      item({ kind: "lead_complaint" }),
      "Ada Lovelace <ada@example.com> reported your mail as spam (Spring)",
      ["suppressed", `GET ${BASE}/api/v1/campaigns/${CAMPAIGN}/leads/lead-id`],
    ],
    [
      item({
        kind: "campaign_launch_held",
        reason: "personalization_review_pending",
        campaignLeadId: null,
      }),
      "The launch of “Spring” was held: nobody has reviewed its drafts",
      ["Review the drafts", `POST ${BASE}/api/v1/campaigns/${CAMPAIGN}/resume`],
    ],
    [
      item({
        kind: "campaign_launch_cancelled",
        reason: "personalization_review_pending",
        campaignLeadId: null,
      }),
      "The launch of “Spring” was cancelled: nobody has reviewed its drafts; it is a draft again",
      [`POST ${BASE}/api/v1/campaigns/${CAMPAIGN}/launch`],
    ],
    [
      item({
        kind: "email_reply",
        campaignId: null,
        campaignName: null,
        campaignLeadId: null,
        emailId: "e1",
        name: null,
      }),
      "ada@example.com replied",
      [`GET ${BASE}/api/v1/conversations/conversation-id`],
    ],
    [
      item({
        kind: "email_hard_bounce",
        campaignId: null,
        campaignName: null,
        campaignLeadId: null,
        emailId: "e1",
        name: null,
      }),
      "Mail to ada@example.com came back for good",
      [`GET ${BASE}/api/v1/mailer/emails/e1`],
    ],
    [
      item({
        kind: "email_complaint",
        campaignId: null,
        campaignName: null,
        campaignLeadId: null,
        emailId: "e1",
        name: null,
      }),
      "ada@example.com reported your mail as spam",
      [`GET ${BASE}/api/v1/mailer/emails/e1`],
    ],
  ])("$kind", (one, subject, parts) => {
    const mail = mailOf(one);
    expect(mail.subject).toBe(subject);
    for (const part of parts) expect(mail.text).toContain(part);
    if (one.campaignId !== null) expect(mail.text).toContain("Campaign: Spring");
    expect(mail.text).toContain("notifications/preferences");
  });

  test.each(PAUSED_REASONS)("campaign_paused by %s says why and what cures it", (reason) => {
    const { subject, text } = mailOf(
      item({ kind: "campaign_paused", reason, campaignLeadId: null }),
    );
    expect(subject).toMatch(/^The campaign “Spring” was paused: .{10}/);
    expect(text).toMatch(/(go on|Go on).*resume$/m);
  });

  test("no kind is without words", () => {
    for (const kind of NOTICE_KINDS)
      expect(mailOf(item({ kind })).subject.length).toBeGreaterThan(5);
  });
});

test("a digest counts, names the first, and says how many it does not", () => {
  const bounces = Array.from({ length: 5 }, (_, index) =>
    item({ kind: "lead_hard_bounce", total: 9_998, address: `a${index}@example.com`, name: null }),
  );
  const { subject, text } = mailOf(item({ total: 1 }), ...bounces);
  expect(subject).toBe("Spring: 1 reply, 9998 hard bounces");
  expect(text).toContain("a4@example.com");
  expect(text).toContain("And 9993 more.");
});

test("nothing left to tell is no text", () => {
  expect(noticeText([], BASE)).toBeNull();
});

describe("what strangers write", () => {
  const hostile =
    'Eve\r\nBcc: all@victim.example\r\n\r\n<script>alert("1")</script>&\u202eexe.fdp\u0000';

  test("starts no header of its own and no markup", () => {
    const raw = rawOf(
      item({ name: hostile, campaignName: hostile, said: hostile, address: hostile }),
    );
    const [head = ""] = raw.split("\r\n\r\n");
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head.match(/^Subject:/gim)).toHaveLength(1);
    const { html } = mailOf(item({ name: hostile, campaignName: hostile, said: hostile }));
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("\u202e");
  });

  test("is cut: a name, a reason, a reply and a campaign without end", () => {
    const endless = "🐘 لؤلؤة ".repeat(200_000);
    const one = item({
      name: endless,
      campaignName: endless,
      said: `${endless}\n`.repeat(3),
      why: endless,
    });
    const { subject, text, html } = mailOf(one, item({ ...one, kind: "lead_hard_bounce" }));
    expect([...subject].length).toBeLessThanOrEqual(150);
    expect(text.length).toBeLessThan(8_000);
    expect(html.length).toBeLessThan(16_000);
    expect((subject + text + html).isWellFormed()).toBe(true);
  });

  test("written from right to left keeps to itself", () => {
    const { html } = mailOf(item({ name: "لؤلؤة", said: "שלום" }));
    expect(html).toContain("<bdi>שלום</bdi>");
    expect(html).toMatch(/<bdi>لؤلؤة &lt;ada@example\.com&gt; replied\.<\/bdi>/);
  });

  test("half a surrogate pair, and a name of blanks alone", () => {
    const { subject } = mailOf(item({ name: "\ud83d\u0020\u2028", address: null }));
    expect(subject.isWellFormed()).toBe(true);
    expect(mailOf(item({ name: " \t\n", address: null })).subject).toBe(
      "Somebody replied (Spring)",
    );
  });
});

test("a notice's mail says that a machine wrote it, and its Message-ID is the delivery's", () => {
  const head = rawOf(item()).split("\r\n\r\n")[0]!;
  expect(head).toContain("From: Overture <notices@overture.example>");
  expect(head).toContain("Message-ID: <notice.d1@overture.example>");
  expect(head).toContain("Auto-Submitted: auto-generated");
  expect(rawOf(item())).toBe(rawOf(item()));
});

describe("as a template of WhatsApp", () => {
  const templates = { lead: "lead", digest: "digest", campaign: "campaign", language: "en" };
  const messageOf = (...items: NoticeItem[]) =>
    templateMessage(noticeText(items, BASE)!, templates);

  test("one reply, one pause, and a digest have one each, with as many parameters as it names", () => {
    expect(messageOf(item({ said: "Call me.\nAda" }))).toEqual({
      template: "lead",
      language: "en",
      parameters: [
        "Ada Lovelace <ada@example.com> replied",
        "Spring",
        "Call me. Ada",
        `Read it whole: GET ${BASE}/api/v1/conversations/conversation-id`,
      ],
    });
    const paused = item({
      kind: "campaign_paused",
      reason: "missed_schedule",
      campaignLeadId: null,
    });
    expect(messageOf(paused)).toMatchObject({ template: "campaign", parameters: { length: 3 } });
    expect(messageOf(item({ total: 2 }), item({ total: 2, name: "Bob" }))).toMatchObject({
      template: "digest",
      parameters: ["Spring", "2 replies", expect.stringContaining("; Bob"), expect.any(String)],
    });
  });

  test("no parameter has a line end, a tab or a run of blanks", () => {
    const said = "a\r\n\tb\u0085c      d\u2028e";
    for (const parameter of messageOf(item({ said, name: said, campaignName: said })).parameters)
      expect(parameter).not.toMatch(/[\r\n\t\u0085\u2028]| {2}/);
  });
});

test("a line is one line of so many characters, whatever it was", () => {
  expect(oneLine(" a\u00a0\n b ", 10)).toBe("a b");
  expect(oneLine("🐘".repeat(20), 5)).toBe("🐘🐘🐘🐘…");
  expect(firstLines("1\r\n\r\n2\n3\u20284", 3, 10)).toEqual(["1", "2", "3", "…"]);
});
