import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { moveLanes } from "#db/engine/index.ts";
import { instantParam } from "#db/base/instants.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const CAP = 3;
const HOUR = 3600;
const now = () => sending.api.deps.clock.now();
const sent = async () => (await sending.mailbox.messages()).length;

/** The zone whose clocks show `hour` at this full hour of UTC. */
function zoneWith(hour: number, utcHour: number): string {
  const offset = ((hour - utcHour + 36) % 24) - 12;
  return offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
}

/** Moves the workspace to where it is this hour now. */
async function moveTo(hour: number) {
  const timezone = zoneWith(hour, now().getUTCHours());
  expect((await tenant.call("PATCH", "/api/v1/workspace", { timezone })).status).toBe(200);
}

async function ticks(count: number) {
  for (let index = 0; index < count; index++) {
    await sending.tick();
    sending.api.advance(100);
  }
}

/** Moves on to ten past a full hour, so that an hour of slow ticks does not reach midnight. */
function toQuietMinute() {
  const minute = now().getUTCMinutes();
  sending.api.advance(((70 - minute) % 60) * 60);
}

test("a sender whose workspace moves to another time zone gets no second daily limit", async () => {
  toQuietMinute();
  await moveTo(12);
  const { campaignId } = await sending.campaign(tenant, { leads: 20, aliasCap: CAP });
  await ticks(CAP + 2);
  expect(await sent()).toBe(CAP);
  await moveTo(9);
  // Every change of the campaign lets its senders look again.
  const change = await tenant.call("PATCH", `/api/v1/campaigns/${campaignId}`, { daily_limit: 99 });
  expect(change.status).toBe(200);
  await ticks(CAP);
  expect(await sent()).toBe(CAP);
  sending.api.advance(16 * HOUR);
  await ticks(CAP + 2);
  expect(await sent()).toBe(2 * CAP);
});

test("a sender whose new date has just begun may send on it, what it sent counts for the day before", async () => {
  toQuietMinute();
  await moveTo(12);
  await sending.campaign(tenant, { leads: 20, aliasCap: CAP });
  await ticks(CAP + 1);
  expect(await sent()).toBe(CAP);
  sending.api.advance(HOUR);
  await moveTo(0);
  await ticks(CAP + 2);
  expect(await sent()).toBe(2 * CAP);
});

test("a campaign that resumes in another time zone gets no second daily limit", async () => {
  toQuietMinute();
  const { campaignId } = await sending.campaign(tenant, { leads: 20, dailyLimit: CAP });
  const path = `/api/v1/campaigns/${campaignId}`;
  const move = async (hour: number) => {
    const timezone = zoneWith(hour, now().getUTCHours());
    await tenant.call("POST", `${path}/pause`);
    expect((await tenant.call("PATCH", path, { timezone })).status).toBe(200);
    expect((await tenant.call("POST", `${path}/resume`)).status).toBe(200);
  };
  await move(12);
  await ticks(CAP + 2);
  expect(await sent()).toBe(CAP);
  await move(20);
  await ticks(CAP);
  await move(2);
  await ticks(CAP);
  expect(await sent()).toBe(CAP);
  sending.api.advance(22 * HOUR);
  await ticks(CAP + 2);
  expect(await sent()).toBe(2 * CAP);
});

test("what was given back does not count when a campaign resumes", async () => {
  toQuietMinute();
  const { campaignId } = await sending.campaign(tenant, { leads: 2, dailyLimit: 1 });
  const path = `/api/v1/campaigns/${campaignId}`;
  // The sender's trouble, not the recipient's: the place in the day's limit is free again.
  sending.mailbox.faults.order("greeting_421", 1);
  await ticks(1);
  expect(await sent()).toBe(0);
  await tenant.call("POST", `${path}/pause`);
  await tenant.call("POST", `${path}/resume`);
  sending.api.advance(HOUR);
  await ticks(3);
  expect(await sent()).toBe(1);
});

test("a first message that is tried again counts as a new lead when a campaign resumes", async () => {
  toQuietMinute();
  const { campaignId } = await sending.campaign(tenant, { leads: 4 });
  const path = `/api/v1/campaigns/${campaignId}`;
  const capped = await tenant.call("PATCH", path, { max_new_leads_per_day: 2 });
  expect(capped.status).toBe(200);
  // The recipient's trouble: both are tried again after 5 minutes.
  sending.mailbox.faults.order("rcpt_deferred", 2);
  await ticks(8);
  expect(await sent()).toBe(2);
  await tenant.call("POST", `${path}/pause`);
  await tenant.call("POST", `${path}/resume`);
  await ticks(4);
  expect(await sent()).toBe(2);
});

test("another time zone reads what each sender sent that day, not the workspace's ledger for each of them", async () => {
  const SENDERS = 40;
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1, aliases: SENDERS });
  const pool = sending.api.sql;
  await pool.query(
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, config_version, slot_at, campaign_day,
       lane_day_until, is_new, claimed_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), 1, lane, 'accepted', 1, $4::timestamptz - n * interval '5 hours', $4::date,
       $4, true, $4, 0, 1, 0, 0, 0, 0, $4
     from unnest($3::uuid[]) lane, generate_series(1, 250) n order by n`,
    [tenant.workspaceId, campaignId, aliasIds, now()],
  );
  await pool.query("analyze sends");
  const day = { from: new Date(now().getTime() - 24 * HOUR * 1000), until: now() };
  const move = moveLanes(
    {
      from: sql`mail_aliases a`,
      where: sql`a.id = lane.id and a.workspace_id = ${tenant.workspaceId}`,
    },
    day,
    instantParam(now()),
  );
  const query = new PgDialect().sqlToQuery(sql`explain (analyze, buffers, format json) ${move}`);
  const { rows } = await pool.query(query.sql, query.params);
  const { "Shared Hit Blocks": hit, "Shared Read Blocks": read } = rows[0]["QUERY PLAN"][0].Plan;
  expect((hit + read) / SENDERS).toBeLessThan(60);
  const used = await pool.query("select distinct used from sender_lanes where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  expect(used.rows).toEqual([{ used: 4 }]);
});
