import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { deliverEmail, deliveringEmail } from "#src/domain/messages/emails/deliver.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";
import { suppress } from "../../support/campaigns.ts";
import { bounceMail, complaintMail, postMail, rawMail } from "../../support/incoming.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

const PATH = "/api/v1/mailer/emails";
const AGENT = { "user-agent": "Mozilla/5.0 (X11; Linux x64) Firefox/140.0" };

useSending();
const query = queryOf(() => sending.api.sql);
let aliasId: string;
beforeEach(async () => {
  await query`delete from emails`;
  [aliasId] = (await sending.campaign(tenant, { leads: 0 })).aliasIds as [string];
});

const wish = (more: object = {}) => ({
  alias_id: aliasId,
  to_email: "Ada@example.zz",
  subject: "A question",
  body: "<p>Hello <a href='https://example.com/a'>there</a></p>",
  ...more,
});
const send = (more: object = {}) => tenant.call("POST", PATH, wish(more));
const deliver = (id: string) => deliverEmail(sending.api.deps, id);
const stored = async (id: string) => (await tenant.call("GET", `${PATH}/${id}`)).body;

test("a message is queued, never sent inline, and goes out once however often the queue calls", async () => {
  const reply = await send();
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({
    success: true,
    status: "queued",
    to_email: "Ada@example.zz",
    scheduled_at: null,
    sent_at: null,
    track_opens: true,
    track_clicks: false,
  });
  expect(await sending.mailbox.messages()).toHaveLength(0);
  const runs = await Promise.all([1, 2, 3].map(() => deliver(reply.body.id)));
  expect(runs.sort()).toEqual(["sent", "taken", "taken"]);
  expect(await deliver(reply.body.id)).toBe("taken");
  const messages = await sending.mailbox.messages();
  expect(messages.map(({ subject }) => subject)).toEqual(["A question"]);
  expect(JSON.stringify(messages[0]!.headers["message-id"])).toContain(
    reply.body.message_id.slice(1, -1),
  );
  expect(await stored(reply.body.id)).toMatchObject({ status: "sent", error: null, events: [] });
});

test("a text body goes out as text, an HTML body with a text alternative; attachments arrive byte for byte", async () => {
  const content = Buffer.from([0, 1, 2, 250, 255, 13, 10, 46, 13, 10]);
  const { body } = await send({
    body: "Line one\n\nLine two",
    attachments: [
      {
        filename: "wörld.bin",
        content_type: "application/x-thing",
        content: content.toString("base64"),
      },
    ],
  });
  expect(await deliver(body.id)).toBe("sent");
  const [message] = await sending.mailbox.messages();
  expect(message!.text).toContain("Line one");
  const raw = await (await fetch(message!.raw_url)).text();
  const { default: PostalMime } = await import("postal-mime");
  const parsed = await PostalMime.parse(raw);
  expect(parsed.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    ["wörld.bin", "application/x-thing"],
  ]);
  expect(Buffer.from(parsed.attachments[0]!.content as ArrayBuffer)).toEqual(content);
});

test("a text is its own text alternative: no run of blanks is folded", async () => {
  const body = "Dear Ada,\n\n  Item      Price\n  Engine    1,200\n\n\n\nBye";
  const { id } = (await send({ body })).body;
  await deliver(id);
  const [message] = await sending.mailbox.messages();
  expect(message!.text.replaceAll("\r\n", "\n").trimEnd()).toBe(body);
});

describe("a later message", () => {
  test("waits for its time on the zone's wall clock, and goes out exactly once then", async () => {
    const inAnHour = new Date(Date.now() + 3_600_000);
    const wall = new Intl.DateTimeFormat("sv-SE", {
      timeZone: "Asia/Kathmandu",
      dateStyle: "short",
      timeStyle: "medium",
    }).format(inAnHour);
    const reply = await send({
      send_at: wall.replace(" ", "T"),
      send_at_timezone: "Asia/Kathmandu",
    });
    expect([reply.status, reply.body.status]).toEqual([202, "scheduled"]);
    const off = Math.abs(Date.parse(reply.body.scheduled_at) - inAnHour.getTime());
    expect(off).toBeLessThan(1000);
    expect(await deliver(reply.body.id)).toBe("not_due");
    sending.api.advance(3601);
    expect(await deliver(reply.body.id)).toBe("sent");
    expect(await deliver(reply.body.id)).toBe("taken");
    expect(await sending.mailbox.messages()).toHaveLength(1);
  });

  test.each([
    [
      "an offset wins over the zone",
      "2999-01-01T10:00:00+02:00",
      "Asia/Tokyo",
      "2999-01-01T08:00:00.000Z",
    ],
    ["naive without a zone is UTC", "2999-01-01T10:00", undefined, "2999-01-01T10:00:00.000Z"],
    [
      "a time in a gap is the moment of the gap",
      "2027-03-28T02:30",
      "Europe/Berlin",
      "2027-03-28T01:00:00.000Z",
    ],
  ])("%s", async (_name, sendAt, zone, expected) => {
    const reply = await send({ send_at: sendAt, ...(zone && { send_at_timezone: zone }) });
    expect([reply.body.status, reply.body.scheduled_at]).toEqual(["scheduled", expected]);
  });

  test("in the past goes out at once", async () => {
    const reply = await send({ send_at: "2020-01-01T10:00:00Z" });
    expect([reply.body.status, reply.body.scheduled_at]).toEqual(["queued", null]);
  });

  test("can be taken back until it begins, and then not", async () => {
    const reply = await send({ send_at: "2999-01-01T10:00:00Z" });
    const cancelled = await tenant.call("DELETE", `${PATH}/${reply.body.id}`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
    expect(await deliver(reply.body.id)).toBe("taken");
    expect((await tenant.call("DELETE", `${PATH}/${reply.body.id}`)).status).toBe(409);
  });

  test("whose wake-up the queue lost is asked for again", async () => {
    const reply = await send({ send_at: new Date(Date.now() + 60_000).toISOString() });
    sending.api.advance(120);
    expect(await deliveringEmail.requeueLost(sending.api.deps)).toBe(0);
    sending.api.advance(300);
    expect(await deliveringEmail.requeueLost(sending.api.deps)).toBe(1);
    expect(await deliver(reply.body.id)).toBe("sent");
    expect(await deliveringEmail.requeueLost(sending.api.deps)).toBe(0);
  });
});

test("a suppressed recipient is an answer: 200, success false, nothing sent", async () => {
  await suppress(sending.api.sql, tenant, "domain", "example.zz");
  const reply = await send();
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    success: false,
    status: "suppressed",
    suppression_reason: "manual",
  });
  expect(await deliver(reply.body.id)).toBe("taken");
});

test("a recipient suppressed while the message waits gets nothing", async () => {
  const reply = await send();
  await suppress(sending.api.sql, tenant, "email", "ada@example.zz");
  expect(await deliver(reply.body.id)).toBe("suppressed");
  expect(await stored(reply.body.id)).toMatchObject({ status: "suppressed", success: false });
  expect(await sending.mailbox.messages()).toHaveLength(0);
});

test("a second message of a conversation joins its thread", async () => {
  const first = await send();
  await deliver(first.body.id);
  const second = await send({
    conversation_id: first.body.conversation_id,
    subject: "Re: A question",
  });
  await deliver(second.body.id);
  const [one, two] = await sending.mailbox.messages();
  const id = first.body.message_id.slice(1, -1);
  expect(JSON.stringify(one!.headers)).not.toContain("in-reply-to");
  expect(JSON.stringify(two!.headers["in-reply-to"])).toContain(id);
  expect(JSON.stringify(two!.headers["references"])).toContain(id);
  const reply = await send({ in_reply_to: "<someone.elses@example.org>" });
  await deliver(reply.body.id);
  const third = (await sending.mailbox.messages())[2]!;
  expect(JSON.stringify(third.headers["in-reply-to"])).toContain("someone.elses@example.org");
  expect((await send({ conversation_id: randomUUID() })).status).toBe(404);
});

test("a temporary refusal is tried again later, and a final one fails with the server's words", async () => {
  const reply = await send();
  sending.mailbox.faults.order("rcpt_deferred", 1);
  expect(await deliver(reply.body.id)).toBe("again");
  expect(await deliver(reply.body.id)).toBe("not_due");
  sending.api.advance(301);
  expect(await deliver(reply.body.id)).toBe("sent");
  const refused = await send();
  sending.mailbox.faults.order("rcpt_refused", 1);
  expect(await deliver(refused.body.id)).toBe("failed");
  expect((await stored(refused.body.id)).error).toMatch(/550/);
});

const owed = async () =>
  await query`select kind, payload from outbox where workspace_id = ${tenant.workspaceId} order by created_at, kind`;

test("a relay whose resolver had no answer is tried again, and suppresses nobody", async () => {
  const { body } = await send();
  sending.mailbox.faults.order("rcpt_unresolved", 1);
  expect(await deliver(body.id)).toBe("again");
  sending.api.advance(301);
  expect(await deliver(body.id)).toBe("sent");
});

test("an address that is refused for good is suppressed, and its user is told once", async () => {
  const refused = await send();
  sending.mailbox.faults.order("rcpt_refused", 1);
  await deliver(refused.body.id);
  expect(await owed()).toEqual([
    {
      kind: "email_hard_bounce",
      payload: { email_id: refused.body.id, why: expect.stringContaining("5.1.1") },
    },
  ]);
  expect((await send()).body).toMatchObject({
    status: "suppressed",
    suppression_reason: "hard_bounce",
  });
});

test("a recipient who refuses it for good, and is there, is told of and not suppressed", async () => {
  const { deps } = sending.api;
  const answer = { code: 550, enhanced: "5.2.2", reply: "550 5.2.2 Mailbox is full" } as const;
  const send550 = async () =>
    ({ state: "rejected", scope: "recipient", stage: "rcpt", ...answer }) as const;
  const { body } = await send();
  const openMail = () => ({ ...deps.openMail(), send: send550 });
  expect(await deliverEmail({ ...deps, openMail }, body.id)).toBe("failed");
  expect(await owed()).toEqual([
    { kind: "email_hard_bounce", payload: { email_id: body.id, why: answer.reply } },
  ]);
  expect((await send()).body.status).toBe("queued");
});

test("a reply, a bounce and a complaint about a single message are told, once each", async () => {
  const { body: email } = await send();
  await deliver(email.id);
  const messageId = email.message_id.slice(1, -1);
  const to = email.from_email;
  const reply = rawMail({
    from: "ada@example.zz",
    to,
    headers: [`In-Reply-To: <${messageId}>`],
    body: "Yes.",
  });
  const report = bounceMail({
    to,
    recipient: "ada@example.zz",
    status: "5.1.1",
    diagnostic: "550 no such user",
    originalMessageId: messageId,
  });
  const complaint = complaintMail(to, messageId);
  for (const raw of [reply, report, complaint, reply, report, complaint])
    await postMail(sending.api, raw, to, { from: raw === reply ? "ada@example.zz" : "" });
  expect((await owed()).map(({ kind }) => kind).toSorted()).toEqual([
    "email_complaint",
    "email_hard_bounce",
    "email_reply",
  ]);
});

test("a message whose fate is unknown is never sent again", async () => {
  const reply = await send();
  sending.mailbox.faults.order("close_after_dot", 1);
  expect(await deliver(reply.body.id)).toBe("unknown");
  expect(await deliver(reply.body.id)).toBe("taken");
  sending.api.advance(3600);
  await deliveringEmail.requeueLost(sending.api.deps);
  expect(sending.mailbox.wireLog()).toHaveLength(1);
  expect((await stored(reply.body.id)).error).toMatch(/lost|closed|final|unknown|not known/i);
});

test("a message whose fate is unknown was sent, once its reader clicks", async () => {
  const reply = await send({ track_clicks: true });
  sending.mailbox.faults.order("close_after_dot", 1);
  await deliver(reply.body.id);
  const { trackingSecrets } = sending.api.deps.settings;
  const token = await createTrackTokens(trackingSecrets).sign({
    kind: "click",
    sendId: reply.body.id,
    linkIndex: 0,
    url: "https://example.com/a",
  });
  await sending.api.request(`/c/${token}`, { headers: AGENT, redirect: "manual" });
  await sending.api.settled();
  const email = await stored(reply.body.id);
  expect([email.status, email.error]).toEqual(["sent", null]);
  expect(email.sent_at).not.toBeNull();
});

test("a worker that dies while handing over leaves the message unknown, not queued", async () => {
  const reply = await send();
  await query`update emails set state = 'transmitting', lease_until = now() - interval '1 minute' where id = ${reply.body.id}`;
  await deliveringEmail.requeueLost(sending.api.deps);
  const rows = await query`select state from emails where id = ${reply.body.id}`;
  expect(rows[0].state).toBe("unknown");
  expect(await deliver(reply.body.id)).toBe("taken");
});

test("opens and clicks are its events; patterns choose the links", async () => {
  const { api, mailbox } = sending;
  const { body } = await send({
    track_clicks: true,
    click_tracking_patterns: ["*.com/*", "!other.com/*"],
    body: '<p><a href="https://example.com/a">a</a> <a href="https://other.com/b">b</a></p>',
  });
  await deliver(body.id);
  api.advance(60);
  const { html } = (await mailbox.messages())[0]!;
  expect(html).toContain('href="https://other.com/b"');
  const click = new URL(/href="([^"]+\/c\/[^"]+)"/.exec(html)![1]!).pathname;
  const open = new URL(/src="([^"]+\/o\/[^"]+)"/.exec(html)![1]!).pathname;
  await api.request(open, { headers: AGENT });
  const reply = await api.request(click, { headers: AGENT, redirect: "manual" });
  expect(reply.headers.get("location")).toBe("https://example.com/a");
  await api.settled();
  const { events } = await stored(body.id);
  expect(
    events.map((event: { type: string; url: string | null; classification: string }) => [
      event.type,
      event.url,
      event.classification,
    ]),
  ).toEqual([
    ["open", null, "human"],
    ["click", "https://example.com/a", "human"],
  ]);
});

test.each([
  ["an unknown alias is 404", { alias_id: randomUUID() }, 404],
  ["a recipient that is no address is 422", { to_email: "ada" }, 422],
  ["a second recipient is 422", { to_email: "ada@example.zz, eve@example.zz" }, 422],
  ["a body of 600,000 open tags is 422", { body: "<b>".repeat(600_000) }, 422],
  ["a subject of two lines is 422", { subject: "A\r\nBcc: eve@example.zz" }, 422],
  ["a date that does not exist is 422", { send_at: "2026-02-31T10:00" }, 422],
  ["and so it is with an offset", { send_at: "2027-02-30T10:00:00Z" }, 422],
  [
    "an unknown zone is 422",
    { send_at: "2027-01-01T10:00", send_at_timezone: "Mars/Olympus" },
    422,
  ],
  ["a Message-ID with a line break is 422", { in_reply_to: "<a@b>\r\nX: y" }, 422],
  ["a Message-ID with NUL is 422", { in_reply_to: "<a\u0000b@example.org>" }, 422],
  ["a Message-ID with another control character is 422", { in_reply_to: "<a@b\u0007.org>" }, 422],
  ["a Message-ID beyond ASCII is 422", { in_reply_to: "<ä@example.org>" }, 422],
  ["content that is not base64 is 422", { attachments: [{ filename: "a", content: "§" }] }, 422],
  [
    "a line break in a file's name is 422",
    { attachments: [{ filename: "a\r\nX-Evil: 1", content: "QQ==" }] },
    422,
  ],
  [
    "attachments of exactly 7 MiB pass",
    { attachments: [{ filename: "a", content: Buffer.alloc(7 * 1024 * 1024).toString("base64") }] },
    202,
  ],
  [
    "attachments a byte over 7 MiB are 422",
    {
      attachments: [
        { filename: "a", content: Buffer.alloc(7 * 1024 * 1024 + 1).toString("base64") },
      ],
    },
    422,
  ],
])("%s", async (_name, more, status) => {
  expect((await send(more)).status).toBe(status);
});

test("an alias in error takes no new message and sends those it took; a paused one sends neither", async () => {
  const [first, second] = [await send(), await send()];
  const become = (status: string) =>
    sending.api.sql.query("update mail_aliases set status = $2 where id = $1", [aliasId, status]);
  await become("error");
  const refused = await send();
  expect([refused.status, refused.body.detail]).toEqual([409, "ALIAS_NOT_READY"]);
  expect(await deliver(first.body.id)).toBe("sent");
  await become("paused");
  expect(await deliver(second.body.id)).toBe("alias_not_ready");
});

test("the list is newest first, by status, in pages", async () => {
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push((await send()).body.id);
  await tenant.call("DELETE", `${PATH}/${ids[1]}`);
  const page = await tenant.call("GET", `${PATH}?limit=2`);
  expect(page.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
  const rest = await tenant.call("GET", `${PATH}?limit=2&cursor=${page.body.next_cursor}`);
  expect(rest.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  const cancelled = await tenant.call("GET", `${PATH}?status=cancelled`);
  expect(cancelled.body.items.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
});

test("the list has the emails of a campaign's conversations, and those to an address", async () => {
  const [first, second] = [await send(), await send({ to_email: "Other.Person@example.zz" })];
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  await sending.api.sql.query("update conversations set campaign_id = $2 where id = $1", [
    first.body.conversation_id,
    campaignId,
  ]);
  const answer = await send({ conversation_id: first.body.conversation_id });
  const listed = async (asked: string, of = tenant) =>
    (await of.call("GET", `${PATH}?${asked}`)).body.items.map(({ id }: { id: string }) => id);
  const ofCampaign = [answer.body.id, first.body.id];
  expect(await listed(`campaign_id=${campaignId}`)).toEqual(ofCampaign);
  expect(await listed(`campaign_id=${campaignId}&status=cancelled`)).toEqual([]);
  expect(await listed("to_email=other.person%40EXAMPLE.zz")).toEqual([second.body.id]);
  expect(await listed(`campaign_id=${campaignId}&to_email=other.person%40example.zz`)).toEqual([]);
  expect(await listed(`campaign_id=${randomUUID()}`)).toEqual([]);
  const stranger = await sending.api.tenant();
  expect(await listed(`campaign_id=${campaignId}`, stranger)).toEqual([]);
  expect(await listed("to_email=other.person%40example.zz", stranger)).toEqual([]);
  for (const asked of ["campaign_id=1", "to_email=x", "to_email=%00%40example.zz"])
    expect((await tenant.call("GET", `${PATH}?${asked}`)).status).toBe(422);
});
