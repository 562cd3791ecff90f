import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { suppress } from "../../support/campaigns.ts";
import { postMail, rawMail } from "../../support/incoming.ts";
import { standBefore } from "../../support/kill-at.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
let aliasId: string;
let aliasEmail: string;
beforeEach(async () => {
  [aliasId] = (await sending.campaign(tenant, { leads: 0 })).aliasIds as [string];
  [{ email: aliasEmail }] = (await query`select email from mail_aliases where id = ${aliasId}`) as [
    { email: string },
  ];
});

interface Said {
  id: string;
  direction: string;
  text: string;
}
const thread = async (id: string): Promise<Said[]> =>
  (await tenant.call("GET", `/api/v2/conversations/${id}`)).body.messages;
const answer = (id: string, body: object, as = tenant) =>
  as.call("POST", `/api/v2/conversations/${id}/reply`, body);
const rawOf = async (subject: string) => {
  const message = (await sending.mailbox.messages()).find((each) => each.subject === subject)!;
  return (await fetch(message.raw_url)).text();
};
const headerOf = (raw: string, name: string) =>
  new RegExp(`^${name}: ?((?:.+(?:\\r?\\n[ \\t].+)*))`, "im").exec(raw)?.[1]?.replace(/\s+/g, " ");

/** A message that Ada got and answered. */
async function answered(subject = "A question", body = "Tell me more.\r\nAda") {
  const ada = `ada-${randomUUID()}@example.zz`;
  const { body: sent } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasId,
    to_email: ada,
    subject,
    body: "Hello Ada",
  });
  await deliverEmail(sending.api.deps, sent.id);
  const messageId = sent.message_id.replace(/[<>]/g, "");
  await comes(ada, messageId, `Re: ${subject}`, body);
  return { id: sent.conversation_id as string, ada, messageId };
}

function comes(from: string, inReplyTo: string, subject: string, body: string, called?: string) {
  const raw = rawMail({
    from: `Ada <${from}>`,
    to: aliasEmail,
    subject,
    headers: [`In-Reply-To: <${inReplyTo}>`, `References: <${inReplyTo}>`],
    body,
  });
  const named = called === undefined ? raw : raw.replace(/(?<=^Message-ID: <)[^>]+/m, called);
  return postMail(sending.api, named, aliasEmail);
}

describe("an answer by mail", () => {
  test("goes from the thread's alias to the person, in the thread, with what they said below", async () => {
    const { id, ada, messageId } = await answered("About schools");
    const [, incoming] = await thread(id);
    const [{ message_id: theirs }] = await query`
      select message_id from conversation_messages where id = ${incoming!.id}`;
    const reply = await answer(id, {
      body: "Gladly.",
      quote: true,
      if_last_message_id: incoming!.id,
    });
    expect([reply.status, reply.body]).toMatchObject([
      202,
      { success: true, channel: "email", status: "queued", error: null },
    ]);
    await deliverEmail(sending.api.deps, reply.body.email_id);
    const raw = await rawOf("Re: About schools");
    expect(headerOf(raw, "From")).toContain(aliasEmail);
    expect(headerOf(raw, "To")).toContain(ada);
    expect(headerOf(raw, "In-Reply-To")).toBe(`<${theirs}>`);
    expect(headerOf(raw, "References")).toBe(`<${messageId}> <${theirs}>`);
    const { default: PostalMime } = await import("postal-mime");
    const { text } = await PostalMime.parse(raw);
    expect(text).toMatch(
      /^Gladly\.\n\nOn \w{3}, \d\d \w{3} \d{4} at \d\d:\d\d UTC, ada-.*@example\.zz wrote:\n> Tell me more\.\n> Ada/,
    );
    expect((await thread(id)).map(({ direction }) => direction)).toEqual(["out", "in", "out"]);
  });

  test("of HTML quotes as HTML, and what they said stays text", async () => {
    const { id } = await answered("Markup", "<script>alert(1)</script>");
    const { body } = await answer(id, { body: "<p>Yes</p>", quote: true });
    await deliverEmail(sending.api.deps, body.email_id);
    const [{ body: html }] = await query`select body from emails where id = ${body.email_id}`;
    expect(html).toContain("<blockquote>&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("to a campaign's lead names the campaign's message too", async () => {
    const campaign = await sending.campaign(tenant, { leads: 1 });
    await sending.tick();
    const [send] = await sending.sendsOf(campaign.campaignId);
    const [{ email }] = await query`select email from mail_aliases where id = ${send.lane_id}`;
    await postMail(
      sending.api,
      rawMail({
        from: send.email_key,
        to: email,
        headers: [`In-Reply-To: <${send.message_id}>`],
        body: "Interested",
      }),
      email,
    );
    const [{ id }] = await query`
      select id from conversations where campaign_lead_id = ${send.campaign_lead_id}`;
    const reply = await answer(id, { body: "When?" });
    expect(reply.status).toBe(202);
    await deliverEmail(sending.api.deps, reply.body.email_id);
    const [made] = await query`select * from emails where id = ${reply.body.email_id}`;
    expect([made.alias_id, made.to_email]).toEqual([send.lane_id, send.email_key]);
    const raw = await rawOf(made.subject);
    expect(headerOf(raw, "References")).toBe(`<${send.message_id}> <${made.in_reply_to}>`);
  });

  test.each([
    ["of 265 characters", `${"a".repeat(260)}@x.zz`, true],
    ["beyond ASCII", "grüße@x.zz", false],
  ])("to a Message-ID %s is sent, and names what a header can carry", async (of, odd, isNamed) => {
    const { id, ada, messageId } = await answered(of);
    await comes(ada, messageId, `Re: ${of}`, "And another thing.", odd);
    const { body } = await answer(id, { body: "Yes?" });
    expect(await deliverEmail(sending.api.deps, body.email_id)).toBe("sent");
    const raw = await rawOf(`Re: ${of}`);
    const [, { message_id: theirs }] = (await query`
      select message_id from conversation_messages where conversation_id = ${id} order by sent_at, id`) as [
      unknown,
      { message_id: string },
    ];
    expect(headerOf(raw, "In-Reply-To")).toBe(isNamed ? `<${odd}>` : `<${theirs}>`);
    expect(headerOf(raw, "References")).toContain(`<${messageId}> <${theirs}>`);
  });

  test("later is scheduled, and `Re:` stands once", async () => {
    const { id } = await answered("Re: AW: Fwd things");
    const at = new Date(sending.api.deps.clock.now().getTime() + 3_600_000).toISOString();
    const { status, body } = await answer(id, { body: "Later", send_at: at });
    expect([status, body.status, body.scheduled_at]).toEqual([202, "scheduled", at]);
    const [{ subject }] = await query`select subject from emails where id = ${body.email_id}`;
    expect(subject).toBe("Re: Fwd things");
  });

  test("to a person who is suppressed is not sent, and says so", async () => {
    const { id, ada } = await answered();
    await suppress(sending.api.sql, tenant, "email", ada);
    const { status, body } = await answer(id, { body: "Hello?" });
    expect([status, body]).toMatchObject([200, { success: false, status: "suppressed" }]);
    expect(body.error).toContain("suppressed");
  });

  test("is refused with the newer message where one came after, however close", async () => {
    const { id, ada, messageId } = await answered();
    const [, first] = await thread(id);
    await comes(ada, messageId, "Re: A question", "Never mind.");
    const late = await answer(id, { body: "Gladly", if_last_message_id: first!.id });
    expect([late.status, late.body]).toMatchObject([
      409,
      { code: "CONVERSATION_MOVED_ON", newer_message: { direction: "in", text: "Never mind." } },
    ]);

    // It comes between the look and the write.
    const { id: other, ada: bea, messageId: theirs } = await answered("Between");
    const last = (await thread(other)).at(-1)!;
    let came = false;
    const { leave } = standBefore(async (statement, ask) => {
      if (!came && statement.includes("for update") && statement.includes("conversations")) {
        came = true;
        await comes(bea, theirs, "Re: Between", "Too late.");
      }
      return ask();
    });
    const raced = await answer(other, { body: "Gladly", if_last_message_id: last.id }).finally(
      leave,
    );
    expect([came, raced.status, raced.body.code, raced.body.newer_message?.text]).toEqual([
      true,
      409,
      "CONVERSATION_MOVED_ON",
      "Too late.",
    ]);
    const kept =
      await query`select count(*)::int as n from emails where conversation_id = ${other}`;
    expect(kept).toEqual([{ n: 1 }]);
    const now = (await thread(other)).at(-1)!;
    expect((await answer(other, { body: "Gladly", if_last_message_id: now.id })).status).toBe(202);
  });

  test.each([
    [
      "an alias that is paused",
      "update mail_aliases set status = 'paused' where id = $1",
      "ALIAS_NOT_READY",
    ],
    [
      "a person who was erased",
      "update emails set to_email = '' where alias_id = $1",
      "NO_ADDRESS",
    ],
  ])("with %s is a clear conflict", async (_, arrange, code) => {
    const { id } = await answered();
    if (code === "NO_ADDRESS")
      await query`update conversation_messages set from_email = '' where conversation_id = ${id}`;
    await sending.api.sql.query(arrange, [aliasId]);
    const { status, body } = await answer(id, { body: "Hello" });
    expect([status, body.code]).toEqual([409, code]);
  });

  test("to another workspace's conversation, or with a forged id, is 404 and 422", async () => {
    const { id } = await answered();
    const other = await sending.api.tenant();
    expect((await answer(id, { body: "Hello" }, other)).status).toBe(404);
    expect((await answer("x", { body: "Hello" })).status).toBe(422);
    expect((await answer(id, { body: " " })).status).toBe(422);
    expect((await answer(id, { body: "a", if_last_message_id: randomUUID() })).status).toBe(409);
  });

  test("is kept once under one Idempotency-Key", async () => {
    const { id } = await answered();
    const key = { "idempotency-key": randomUUID() };
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() =>
        tenant.call("POST", `/api/v2/conversations/${id}/reply`, { body: "Once" }, key),
      ),
    );
    expect(replies.some(({ status }) => status === 202)).toBe(true);
    const kept = await query`
      select count(*)::int as n from emails where conversation_id = ${id} and body = 'Once'`;
    expect(kept).toEqual([{ n: 1 }]);
  });
});
