import { expect, test } from "vitest";
import { deliverEmail } from "#src/domain/messages/emails/deliver.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { conversations, post, reply, sentOne, suppressions } from "./inbound-setting.ts";

useSending();

const DAY = 86_400;

/** Sends what the API has taken; answers with its Message-ID. */
async function deliver(id: string): Promise<string> {
  await deliverEmail(sending.api.deps, id);
  const { rows } = await sending.api.sql.query("select message_id from emails where id = $1", [id]);
  return rows[0].message_id;
}

/** A person's answer in the thread of the campaign, to an absence that somebody's machine told of. */
async function answered(alias: string, messageId: string, from: string) {
  const headers = ["Auto-Submitted: auto-replied", `In-Reply-To: <${messageId}>`];
  await post(reply(alias, messageId, { from, headers, body: "We have your mail." }), alias);
  const [{ id }] = await conversations();
  const said = { body: "Is Ada there?" };
  const { body } = await tenant.call("POST", `/api/v2/conversations/${id}/reply`, said);
  return deliver(body.email_id);
}

async function single(aliasId: string) {
  const message = { to_email: "lead1@example.zz", subject: "A question", body: "One line." };
  const order = { alias_id: aliasId, ...message };
  return deliver((await tenant.call("POST", "/api/v1/mailer/emails", order)).body.id);
}

test.each(["lead1@example.zz", "assistant@elsewhere.zz"])(
  "who replies to an answer in a campaign's thread, as %s, gets nothing more of the campaign",
  async (from) => {
    const { alias, messageId, lead, campaignId } = await sentOne();
    const answerId = await answered(alias, messageId, from);
    expect((await lead()).status).toBe("active");
    await post(reply(alias, answerId, { from }), alias);
    expect(await lead()).toMatchObject({ status: "replied", stop_reason: "replied" });
    expect(await suppressions()).toEqual([]);
    sending.api.advance(5 * DAY);
    await sending.tick();
    expect(await sending.sendsOf(campaignId)).toHaveLength(1);
  },
);

test("a reply to a message that was sent alone ends the person's leads, and with them the campaign", async () => {
  const { aliasIds, alias, lead, campaignId } = await sentOne();
  await post(reply(alias, await single(aliasIds[0]!)), alias);
  expect((await lead()).status).toBe("replied");
  const { body } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}`);
  expect(body.status).toBe("completed");
});

test("but not where a campaign goes on after replies", async () => {
  const { aliasIds, alias, lead, campaignId } = await sentOne();
  const goesOn = "update campaigns set stop_on_reply = false where id = $1";
  await sending.api.sql.query(goesOn, [campaignId]);
  await post(reply(alias, await single(aliasIds[0]!)), alias);
  expect((await lead()).status).toBe("active");
});

test("and their colleagues' leads of the thread's campaign, where it stops at a company's reply", async () => {
  const { alias, messageId, lead, campaignId } = await sentOne();
  const { sql } = sending.api;
  await sql.query("update campaigns set stop_on_company_reply = true where id = $1", [campaignId]);
  await sql.query(
    `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step, next_action_at, metadata, created_at, updated_at)
     select gen_random_uuid(), workspace_id, campaign_id, gen_random_uuid(), dataset_id, 900 + n, name, name, 'pending', 0, 1, now() + interval '9 days', '{}', created_at, updated_at
     from campaign_leads, (values (1, 'colleague@example.zz'), (2, 'stranger@elsewhere.zz')) other(n, name) where campaign_id = $1`,
    [campaignId],
  );
  await post(reply(alias, await answered(alias, messageId, "lead1@example.zz")), alias);
  expect((await lead()).status).toBe("replied");
  const { rows } = await sql.query(
    "select status from campaign_leads where campaign_id = $1 and row_index > 900 order by row_index",
    [campaignId],
  );
  expect(rows).toEqual([{ status: "replied" }, { status: "pending" }]);
});
