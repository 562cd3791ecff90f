import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import type { CampaignRows } from "../../../support/engine.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

const PATH = "/api/v1/conversations";

useSending();

test("a message sent by hand is in its conversation once it went out", async () => {
  const { aliasIds } = await sending.campaign(tenant, { leads: 0 });
  const { body: email } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasIds[0],
    to_email: "ada@example.zz",
    subject: "A question",
    body: "One line.\n\nAnother.",
  });
  const at = `${PATH}/${email.conversation_id}`;
  expect((await tenant.call("GET", at)).body).toMatchObject({ unread: false, messages: [] });
  await deliverEmail(sending.api.deps, email.id);
  const { body } = await tenant.call("GET", at);
  expect(body.messages).toMatchObject([
    { direction: "out", to: ["ada@example.zz"], subject: "A question", class: "sent" },
  ]);
  expect(body.messages[0].text).toContain("Another.");
});

test("a stranger's page comes out without what could run in a reader", async () => {
  const { body: email } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: (await sending.campaign(tenant, { leads: 0 })).aliasIds[0],
    to_email: "eve@example.zz",
    subject: "A question",
    body: "Hello",
  });
  const page = `<p onclick="x()">Hi</p><script>x()</script><a href="javascript:x()">y</a>`;
  await sending.api.sql.query(
    `insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, html, sent_at, dedup_key)
     values ($1, $2, $3, 'in', 'reply', 'eve@example.zz', '{}', 'Hi', $4, now(), $5)`,
    [randomUUID(), tenant.workspaceId, email.conversation_id, page, randomUUID()],
  );
  const { body } = await tenant.call("GET", `${PATH}/${email.conversation_id}`);
  expect(body.messages).toMatchObject([{ direction: "in", html: "<p>Hi</p><a>y</a>" }]);
});

test("of a conversation with more messages the newest five hundred are shown, oldest first", async () => {
  const { body: email } = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: (await sending.campaign(tenant, { leads: 0 })).aliasIds[0],
    to_email: "long@example.zz",
    subject: "A question",
    body: "Hello",
  });
  await sending.api.sql.query(
    `insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, sent_at, dedup_key)
     select gen_random_uuid(), $1, $2, 'in', 'reply', 'long@example.zz', '{}', n::text, $3::timestamptz + n * interval '1 second', gen_random_uuid()
     from generate_series(1, 503) n`,
    [tenant.workspaceId, email.conversation_id, sending.api.deps.clock.now()],
  );
  const { body } = await tenant.call("GET", `${PATH}/${email.conversation_id}`);
  const texts = (body.messages as { text: string }[]).map(({ text }) => text);
  expect(texts).toEqual(Array.from({ length: 500 }, (_, n) => String(n + 4)));
});

/** A conversation with the first lead of a campaign. */
async function conversationOf({ campaignId, campaignLeadIds, leadIds }: CampaignRows) {
  const id = randomUUID();
  await sending.api.sql.query(
    `insert into conversations (id, workspace_id, user_id, created_at, updated_at, peer_key, lead_id, campaign_id, campaign_lead_id, channel, last_message_at, unread)
     values ($1, $2, $3, now(), now(), 'lead1@example.zz', $4, $5, $6, 'email', now(), 1)`,
    [id, tenant.workspaceId, tenant.userId, leadIds[0], campaignId, campaignLeadIds[0]],
  );
  return id;
}

test("a campaign lead's conversation shows what the campaign sent, as it was sent", async () => {
  const rows = await sending.campaign(tenant, { leads: 1 });
  const { campaignId, leadIds } = rows;
  await sending.tick();
  const id = await conversationOf(rows);
  // What the lead is called today does not change what was said.
  await sending.api.sql.query("update leads set first_name = 'Eve' where id = $1", [leadIds[0]]);
  const { body } = await tenant.call("GET", `${PATH}/${id}`);
  expect(body.messages).toHaveLength(1);
  expect(body.messages[0].text).toContain("Step 1 for Lead 1");
  expect(body.messages[0].html).not.toContain("/o/");

  const list = (query: string) => tenant.call("GET", `${PATH}?${query}`);
  expect((await list(`lead_id=${leadIds[0]}&unread=true`)).body.items).toHaveLength(1);
  expect((await tenant.call("POST", `${PATH}/${id}/read`)).status).toBe(200);
  expect((await list(`campaign_id=${campaignId}&unread=true`)).body.items).toHaveLength(0);
  expect((await list("unread=false")).body.items).toMatchObject([{ id, unread: false }]);
});

test("a text that was kept for its days is gone, and the conversation says so; the thread goes on", async () => {
  const rows = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 366 }],
  });
  await sending.tick();
  const id = await conversationOf(rows);
  const texts = async () =>
    (await tenant.call("GET", `${PATH}/${id}`)).body.messages.map(
      ({ text, html, expired }: { text: string; html: string | null; expired: boolean }) => [
        text.split(" for")[0],
        html === null,
        expired,
      ],
    );
  sending.api.advance(364 * 86_400);
  await fullCheck(sending.api.deps);
  expect(await texts()).toEqual([["Step 1", false, false]]);
  sending.api.advance(2 * 86_400);
  await sending.tick();
  await fullCheck(sending.api.deps);
  expect(await texts()).toEqual([
    ["", true, true],
    ["Step 2", false, false],
  ]);
  const [first, second] = await sending.mailbox.messages();
  expect(second!.headers["in-reply-to"]).toBe(first!.headers["message-id"]);
});

test("a text that an older release wrote goes by when its message was sent", async () => {
  const rows = await sending.campaign(tenant, { leads: 1 });
  await sending.tick();
  const { sql, deps } = sending.api;
  await sql.query("update send_bodies set written_at = null");
  const kept = async () =>
    (
      await sql.query(
        "select 1 from send_bodies b join sends s on s.id = b.send_id where s.campaign_id = $1",
        [rows.campaignId],
      )
    ).rowCount;
  await fullCheck(deps);
  expect(await kept()).toBe(1);
  sending.api.advance(366 * 86_400);
  await fullCheck(deps);
  expect(await kept()).toBe(0);
});
