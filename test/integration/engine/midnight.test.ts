import { expect, test } from "vitest";
import { ROLLED_AT_ONCE } from "#db/engine/index.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const COUNT = 2 * ROLLED_AT_ONCE + 200;

/** Campaigns that are open all day, on the last second of their date. */
async function campaignsBeforeMidnight() {
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  const { sql } = sending.api;
  const rows =
    await query`select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'campaigns' and is_generated = 'NEVER' and column_name <> 'id'`;
  const { names } = rows[0];
  await sql.query(
    `insert into campaigns (id, ${names}) select gen_random_uuid(), ${names} from campaigns c, generate_series(2, $2::int) where c.id = $1`,
    [campaignId, COUNT],
  );
  await query`insert into campaign_leads select (jsonb_populate_record(l, jsonb_build_object(
       'id', gen_random_uuid(), 'campaign_id', c.id, 'next_action_at', l.next_action_at + interval '10 days'))).*
     from campaign_leads l, campaigns c where l.campaign_id = ${campaignId} and c.id <> ${campaignId} and c.workspace_id = ${tenant.workspaceId}`;
}

/** How many campaigns stand on which date. */
const dates = async () =>
  await query`select open_day::text as day, count(*)::int as campaigns from campaigns where workspace_id = ${tenant.workspaceId} group by 1 order by 1`;

const today = () => sending.api.deps.clock.now().toISOString().slice(0, 10);

/** Past the next midnight of UTC. */
const passMidnight = () => {
  const now = sending.api.deps.clock.now().getTime();
  sending.api.advance((86_400_000 - (now % 86_400_000)) / 1000 + 1);
};

test("the first tick after midnight brings all campaigns onto the new date", async () => {
  await campaignsBeforeMidnight();
  passMidnight();
  await sending.tick();
  expect(await dates()).toEqual([{ day: today(), campaigns: COUNT }]);
});

test("ticks beside each other at midnight do it as well, and none of them fails", async () => {
  await campaignsBeforeMidnight();
  passMidnight();
  await Promise.all([sending.tick(), sending.tick(), sending.tick()]);
  expect(await dates()).toEqual([{ day: today(), campaigns: COUNT }]);
});
