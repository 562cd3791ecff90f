/** How often a send writes its rows: a version that says the same is still one to write, to log and to vacuum. */
import { expect, test } from "vitest";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

/** Counts the versions of rows that are written, from a trigger: Postgres's own counters come in late. */
async function countVersions(tables: string[]): Promise<() => Promise<Record<string, number>>> {
  const { sql } = sending.api;
  await sql.query(`
    create table versions (name text not null);
    create function count_version() returns trigger language plpgsql as
      $$ begin insert into versions values (tg_table_name); return null; end $$`);
  for (const table of tables)
    await sql.query(
      `create trigger count_versions after insert or update on ${table} for each row execute function count_version()`,
    );
  return async () => {
    const rows = await query`select name, count(*)::int as n from versions group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
  };
}

test("an accepted send writes its lane twice, its lead twice and its ledger row three times", async () => {
  const { campaignId } = await sending.campaign(tenant, {
    leads: 3,
    aliases: 3,
    steps: [{ delayDays: 0 }, { delayDays: 2 }],
  });
  await sending.tick();
  const versions = await countVersions([
    "sends",
    "send_bodies",
    "campaign_leads",
    "sender_lanes",
    "campaign_senders",
  ]);
  sending.api.advance(2 * 86_400);
  await sending.tick();
  const { length } = (await sending.sendsOf(campaignId)).filter(({ step }) => step === 2);
  expect(length).toBe(3);
  expect(await versions()).toEqual({
    campaign_leads: 2 * 3,
    send_bodies: 3,
    // The third is its new day.
    sender_lanes: (2 + 1) * 3,
    sends: 3 * 3,
  });
});

test("whose turn it was is written only where another campaign may have the next", async () => {
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 9, aliases: 3 });
  const whose = () =>
    sending.api.sql.query(
      "select distinct campaign_id from campaign_senders where lane_id = any($1) and last_served_at is not null",
      [aliasIds],
    );
  await sending.tick();
  expect(await sending.sendsOf(campaignId)).toHaveLength(3);
  expect((await whose()).rows).toEqual([]);
  const other = await sending.campaign(tenant, {
    leads: 9,
    aliases: aliasIds,
    domain: "other.zz",
  });
  sending.api.advance(100);
  await sending.tick();
  sending.api.advance(100);
  await sending.tick();
  expect((await whose()).rows).toHaveLength(2);
  expect(await sending.sendsOf(campaignId)).toHaveLength(6);
  expect(await sending.sendsOf(other.campaignId)).toHaveLength(3);
});
