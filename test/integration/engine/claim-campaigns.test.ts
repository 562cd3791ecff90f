/** One person, one campaign: senders that serve hundreds of campaigns are as fast as those of one, and a claim costs what it takes. */
import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import { claimCall } from "#db/engine/claim.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { insertOneLeadCampaigns } from "../../support/one-lead-campaigns.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

const NOW = new Date("2026-03-02T09:00:00Z");
const BATCH = 50;

useApi();

const orderAt = (now: Date, limit = BATCH, seconds = 59.999) => ({
  now,
  until: new Date(now.getTime() + seconds * 1000),
  limit,
  workerToken: randomUUID(),
  leaseSeconds: 600,
});

/** Senders without an alias are closed by the upkeep. */
async function giveAliases(laneIds: string[]): Promise<void> {
  await api.sql.query(
    `insert into mail_aliases (id, workspace_id, user_id, created_at, updated_at, email, display_name, transport_kind, transport_settings, status, daily_limit, is_default)
     select id, $2, $3, $4, $4, id || '@sender.zz', 'Sender', 'smtp', '{}', 'active', 1000, false from unnest($1::uuid[]) id`,
    [laneIds, tenant.workspaceId, tenant.userId, NOW],
  );
}

const closeLanes = () => api.sql.query("update sender_lanes set open = false");

test("80 senders send 80 messages in each of four minutes, though each is of another campaign", async () => {
  onTestFinished(async () => void (await closeLanes()));
  const { laneIds } = await insertOneLeadCampaigns(api.sql, tenant, {
    campaigns: 320,
    lanes: 80,
    now: NOW,
  });
  await giveAliases(laneIds);
  const store = createPostgresStore(api.deps.db);
  const perMinute: number[] = [];
  const leads = new Set<string>();
  for (let minute = 0; minute < 4; minute++) {
    const now = new Date(NOW.getTime() + minute * 60_000);
    await maintain(store, now, orderAt(now).until, new Set());
    let claimed = 0;
    for (let calls = 0; calls < 40; calls++) {
      const sends = await store.claim(orderAt(now));
      if (sends.length === 0) break;
      claimed += sends.length;
      for (const { campaignLeadId } of sends) leads.add(campaignLeadId);
    }
    perMinute.push(claimed);
  }
  expect(perMinute).toEqual([80, 80, 80, 80]);
  expect(leads.size).toBe(320);
});

/** Pages that a claim of 20 lanes reads which all serve so many campaigns; it is rolled back. */
async function pagesOfClaim(campaigns: number): Promise<{ claimed: number; pages: number }> {
  await insertOneLeadCampaigns(api.sql, tenant, { campaigns, lanes: 20, now: NOW });
  await api.sql.query("analyze");
  const session = await api.sql.connect();
  try {
    const order = orderAt(NOW, 20, 0);
    const { sql, params } = new PgDialect().sqlToQuery(claimCall(order, ["email"]));
    await session.query("begin");
    const { rows } = await session.query(`explain (analyze, buffers, format json) ${sql}`, params);
    const claimed = await session.query(
      "select count(*)::int as n from sends where worker_token = $1",
      [order.workerToken],
    );
    await session.query("rollback");
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    return {
      claimed: claimed.rows[0].n,
      pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
    };
  } finally {
    session.release();
    await closeLanes();
  }
}

test("a claim of 20 senders reads no more among a thousand campaigns of one lead than among a hundred", async () => {
  const few = await pagesOfClaim(100);
  const many = await pagesOfClaim(1_000);
  expect([few.claimed, many.claimed]).toEqual([20, 20]);
  expect(many.pages).toBeLessThan(1.5 * few.pages);
  expect(many.pages / many.claimed).toBeLessThan(500);
});

test("a claim beside one that waits for a campaign comes away with all that is due", async () => {
  onTestFinished(async () => void (await closeLanes()));
  const setting = { campaigns: 1, lanes: 1, now: NOW };
  const [one, two] = [
    await insertOneLeadCampaigns(api.sql, tenant, { ...setting, campaigns: 2, lanes: 2 }),
    await insertOneLeadCampaigns(api.sql, tenant, setting),
  ];
  // One sender has the held campaign alone; both others have the other two, of which the claim before takes one.
  const [free, other] = one.campaignIds;
  const held = two.campaignIds[0]!;
  await api.sql.query("update sender_lanes set next_slot_at = $2 where id = any($1)", [
    one.laneIds,
    new Date(NOW.getTime() + 1_000),
  ]);
  const store = createPostgresStore(api.deps.db);
  const holder = await api.sql.connect();
  onTestFinished(() => holder.release());
  await holder.query("begin");
  await holder.query("select from campaigns where id = $1 for update", [held]);

  const waiting = store.claim(orderAt(NOW, 2));
  await Promise.race([untilWaiting(1), waiting]);
  const again = store.claim(orderAt(NOW, 1));
  await untilWaiting(1);
  const beside = await Promise.race([store.claim(orderAt(NOW, 5)), untilWaiting(2)]);
  await holder.query("rollback");
  const claims = await Promise.all([waiting, again]);
  const takenBeside = (beside ?? []).map(({ campaignId }) => campaignId);
  const before = claims.flat().map(({ campaignId }) => campaignId);
  expect(takenBeside).toHaveLength(1);
  expect([...before, ...takenBeside].toSorted()).toEqual([free!, other!, held].toSorted());
});

/** Until so many sessions wait for a lock. */
async function untilWaiting(count: number): Promise<undefined> {
  for (let looks = 0; looks < 2_000; looks++) {
    const { rows } = await api.sql.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0].n >= count) return undefined;
  }
  throw new Error("It never came to that.");
}
