/** A campaign's messages end long after it; its figures, its leads and the links in its mails do not. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { endMessages } from "#db/campaigns/end-messages.ts";
import { ERASED, erasePiece } from "#db/workspace/workspace-erasure.ts";
import { endOldMessages } from "#src/domain/campaigns/end-messages.ts";
import { keepSums } from "#src/domain/campaigns/keep-sums.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { unsubscribe } from "#src/domain/messages/tracking/unsubscribe.ts";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { rawMail } from "../../support/incoming.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { saidFigures } from "../../support/sums.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

const DAY_MS = 86_400_000;
const LEADS = 5;

let campaignId: string;
let leads: { id: string; email_key: string }[];
const ago = (days: number) => new Date(api.deps.clock.now().getTime() - days * DAY_MS);
const sends = (of = campaignId) =>
  query`select id, campaign_lead_id from sends where campaign_id = ${of} order by id`;
const said = () => saidFigures(api.deps.db, tenant.workspaceId, campaignId);
const over = (days: number, status = "completed") =>
  query`update campaigns set status = ${status}, updated_at = ${ago(days)} where id = ${campaignId}`;

/** Of each lead two mails that went out, the first of them opened, with its text and a draft. */
async function send(days: number): Promise<void> {
  await query`
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day, lane_day_until, is_new, claimed_at,
      claims, attempts, transmitting_at, accepted_at, opens, clicks, machine_opens, machine_clicks, updated_at)
    select new_uuid(${ago(days)}, row_number() over ()), l.workspace_id, l.campaign_id, l.id, step, l.campaign_id, 'accepted', l.email_key, 1, ${ago(days)}, '2027-01-01', ${ago(days)}, step = 1, ${ago(days)},
      0, 1, ${ago(days)}, ${ago(days)}, (step = 1)::int, 0, 0, 0, ${ago(days)}
    from campaign_leads l, generate_series(1, 2) step where l.campaign_id = ${campaignId}
    on conflict do nothing`;
  await query`
    insert into send_bodies (send_id, html, written_at) select id, 'Hello', ${ago(days)} from sends where campaign_id = ${campaignId} on conflict do nothing`;
  await query`
    insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, classification, reasons)
    select new_uuid(${ago(days)}, 1), workspace_id, campaign_id, id, 'unsubscribe', ${ago(days)}, 0, 'human', '{}' from sends where campaign_id = ${campaignId} and step = 2
    on conflict do nothing`;
  await query`
    insert into generations (id, workspace_id, user_id, created_at, updated_at, kind, campaign_id, campaign_lead_id, step, dataset_id, lead_id, row_index, lead_index, prompt_version_hash, due_at, attempts, status, generated_at)
    select new_uuid(${ago(days)}, 1), workspace_id, ${tenant.userId}, ${ago(days)}, ${ago(days)}, 'send_time', campaign_id, campaign_lead_id, step, campaign_id, campaign_lead_id, 1, 1, '', ${ago(days)}, 1, 'generated', ${ago(days)} from sends where campaign_id = ${campaignId} and step = 2
    on conflict do nothing`;
}

beforeEach(async () => {
  const made = await insertActiveCampaign(api.sql, tenant, {
    leads: LEADS,
    now: api.deps.clock.now(),
  });
  campaignId = made.campaignId;
  leads =
    (await query`select id, email_key from campaign_leads where campaign_id = ${campaignId} order by row_index`) as typeof leads;
  await send(800);
});

test("they end with the days of the setting, and not before; its figures and leads stay", async () => {
  await keepSums(api.deps);
  const before = await said();
  expect(before.clicks).toMatchObject({ openedCount: LEADS });
  const { campaignMessageDays } = api.deps.settings;
  await over(campaignMessageDays - 0.01);
  expect(await endOldMessages(api.deps)).toBe(0);
  await over(campaignMessageDays + 0.01);
  expect(await endOldMessages(api.deps)).toBe(2 * LEADS);
  expect(await sends()).toEqual([]);
  expect(
    await query`select from send_bodies b where not exists (select from sends s where s.id = b.send_id)`,
  ).toEqual([]);
  for (const table of ["email_events", "generations", "campaign_lead_hits"])
    expect(
      (await api.sql.query(`select * from ${table} where campaign_id = $1`, [campaignId])).rows,
    ).toEqual([]);
  expect(await said()).toEqual(before);
  expect(await query`select from campaign_leads where campaign_id = ${campaignId}`).toHaveLength(
    LEADS,
  );
});

test("those of a campaign that runs stay, however old they are; a deleted one's end", async () => {
  for (const status of ["active", "paused", "draining"]) {
    await over(5_000, status);
    await fullCheck(api.deps);
    expect({ status, sends: (await sends()).length }).toEqual({ status, sends: 2 * LEADS });
  }
  await query`update campaigns set status = 'paused', deleted_at = ${ago(800)}, updated_at = ${ago(800)} where id = ${campaignId}`;
  await fullCheck(api.deps);
  expect(await sends()).toEqual([]);
});

test("a campaign of before there were sums is summed first", async () => {
  await query`delete from send_deltas where campaign_id = ${campaignId}`;
  await query`delete from campaign_lead_hits where campaign_id = ${campaignId}`;
  await query`insert into campaigns_to_sum (campaign_id) values (${campaignId})`;
  await over(800);
  expect(await endOldMessages(api.deps)).toBe(0);
  const before = await said();
  await fullCheck(api.deps);
  expect([await sends(), await said()]).toEqual([[], before]);
});

test("what a conversation consists of stays, all of it", async () => {
  const [answered] = leads;
  await query`insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, campaign_id, campaign_lead_id, channel, last_message_at, unread)
    values (${randomUUID()}, ${tenant.workspaceId}, ${tenant.userId}, ${ago(790)}, ${ago(790)}, ${randomUUID()}, ${answered!.email_key}, ${campaignId}, ${answered!.id}, 'email', ${ago(790)}, 0)`;
  await over(800);
  await endOldMessages(api.deps);
  const left = await sends();
  expect(left.map((row) => row.campaign_lead_id)).toEqual([answered!.id, answered!.id]);
});

test("in pieces, of a lead all at once, until the campaign is marked; after a change once more", async () => {
  await over(800);
  const piece = () => endMessages(api.deps.db, { before: ago(730), now: ago(0), leads: 3 });
  const counts = [];
  for (let found = true; found;) {
    const { isFound, messages } = await piece();
    found = isFound;
    counts.push(messages);
    const torn =
      await query`select campaign_lead_id from sends where campaign_id = ${campaignId} group by 1 having count(*) <> 2`;
    expect(torn).toEqual([]);
  }
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * LEADS);
  expect(counts.length).toBeGreaterThan(3);
  await send(760);
  expect(await endOldMessages(api.deps)).toBe(0);
  await query`update campaigns set messages_ended_at = ${ago(800)}, updated_at = ${ago(750)} where id = ${campaignId}`;
  expect(await endOldMessages(api.deps)).toBe(2 * LEADS);
});

test("the link in an old mail unsubscribes for ever, and again; a late open counts nowhere", async () => {
  const [first] =
    await query`select id, email_key from sends where campaign_id = ${campaignId} order by id limit 1`;
  await over(800);
  await fullCheck(api.deps);
  const figures = await said();
  const other = await insertActiveCampaign(api.sql, tenant, {
    leads: 1,
    now: api.deps.clock.now(),
  });
  await query`update campaign_leads set email_key = ${first.email_key}, email = ${first.email_key} where id = ${other.campaignLeadIds[0]}`;
  const hit = {
    id: randomUUID(),
    sendId: first.id,
    kind: "open",
    at: ago(0),
    linkIndex: 0,
    url: null,
    userAgent: null,
    asn: null,
  };
  await recordHits(api.deps, [hit as never]);
  for (let time = 0; time < 2; time++)
    expect(await unsubscribe(api.deps, first.id, true)).toBe(true);
  expect(
    await query`select reason, value from suppressions where workspace_id = ${tenant.workspaceId}`,
  ).toEqual([{ reason: "unsubscribe", value: first.email_key }]);
  expect(
    await query`select status from campaign_leads where id = ${other.campaignLeadIds[0]}`,
  ).toEqual([{ status: "unsubscribed" }]);
  expect(await said()).toEqual(figures);
  expect(await unsubscribe(api.deps, randomUUID(), true)).toBe(false);
});

test("so does the address that a mail program writes to, and one that nobody signed does nothing", async () => {
  const [first] =
    await query`select id, email_key from sends where campaign_id = ${campaignId} order by id limit 1`;
  await over(800);
  await endOldMessages(api.deps);
  const write = async (secrets: readonly [string, ...string[]], subject = "unsubscribe") => {
    const to = await createReturnPathTokens(secrets).address(first.id, "sender.zz");
    const raw = rawMail({ from: "ada@elsewhere.zz", to, subject, body: "" });
    await receiveMail(api.deps, new TextEncoder().encode(raw), { from: "ada@elsewhere.zz", to });
    return await query`select reason, value from suppressions where workspace_id = ${tenant.workspaceId}`;
  };
  expect(await write(["a secret of somebody else, long enough"])).toEqual([]);
  expect(await write(api.deps.settings.trackingSecrets, "Thank you")).toEqual([]);
  expect(await write(api.deps.settings.trackingSecrets)).toEqual([
    { reason: "unsubscribe", value: first.email_key },
  ]);
});

test("of a person who was erased a link says nothing, and with the workspace it goes", async () => {
  const [first] =
    await query`select id, campaign_lead_id from sends where campaign_id = ${campaignId} order by id limit 1`;
  await over(800);
  await endOldMessages(api.deps);
  await query`update campaign_leads set email = null, email_key = null where id = ${first.campaign_lead_id}`;
  expect(await unsubscribe(api.deps, first.id, true)).toBe(false);
  const erased = ERASED.find(({ table }) => table === "campaign_leads")!;
  await erasePiece(api.deps.db, erased, tenant.workspaceId, 1_000);
  expect(
    await query`select from ended_sends e where not exists (select from campaign_leads l where l.id = e.campaign_lead_id)`,
  ).toEqual([]);
});
