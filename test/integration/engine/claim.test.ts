import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPostgresStore, type SendStore } from "#db/engine.ts";
import { jitterOf } from "#src/domain/engine/chance.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";
import { closeAllLanes, insertActiveCampaign, insertAliases } from "../../support/engine.ts";

let api: TestApi;
let store: SendStore;
let tenant: Tenant;
const NOW = new Date("2026-03-02T09:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

beforeAll(async () => {
  api = await startApi();
  store = createPostgresStore(api.deps.db);
});
afterAll(() => api.close());

async function fresh() {
  tenant = await api.tenant();
  await closeAllLanes(api.deps);
  return tenant;
}

async function claim(now: Date, limit = 50, horizonSeconds = 0) {
  const until = new Date(now.getTime() + horizonSeconds * 1000);
  await maintain(store, now, until, new Set());
  return store.claim({ now, until, limit, workerToken: randomUUID(), leaseSeconds: 180 });
}

test("lane_jitter in SQL equals jitterOf", async () => {
  for (const slotNo of [0, 1, 2, 77, 123_456, 4_294_967_295]) {
    const lane = randomUUID();
    const { rows } = await api.sql.query("select lane_jitter($1, $2) as jitter", [lane, slotNo]);
    expect(rows[0].jitter).toBeCloseTo(jitterOf(lane, slotNo), 12);
  }
});

test("each due lane takes one lead, in dataset order, and no lead is taken twice", async () => {
  await fresh();
  const { campaignLeadIds } = await insertActiveCampaign(api.sql, tenant, {
    leads: 5,
    aliases: 3,
    now: NOW,
  });
  const claimed = await claim(NOW);
  expect(claimed.map(({ campaignLeadId }) => campaignLeadId).sort()).toEqual(
    campaignLeadIds.slice(0, 3).sort(),
  );
  expect(await claim(NOW)).toEqual([]);
});

test("the next slot of a lane is the interval and a second to 30 % later", async () => {
  await fresh();
  const { aliasIds } = await insertActiveCampaign(api.sql, tenant, {
    leads: 5,
    now: NOW,
    intervalSeconds: 100,
  });
  await claim(NOW);
  const { rows } = await api.sql.query(
    "select next_slot_at, slot_no from sender_lanes where id = $1",
    [aliasIds[0]],
  );
  const gapSeconds = (rows[0].next_slot_at.getTime() - NOW.getTime()) / 1000;
  expect(gapSeconds).toBeCloseTo(100 + Math.max(1, 100 * jitterOf(aliasIds[0]!, 1)), 2);
});

test("8 claimers at once hit the campaign's cap exactly and take no lead twice", async () => {
  await fresh();
  const aliases = await insertAliases(api.sql, tenant, 20, { now: NOW });
  const { campaignId } = await insertActiveCampaign(api.sql, tenant, {
    leads: 400,
    aliases,
    dailyLimit: 37,
    now: NOW,
  });
  const other = await insertActiveCampaign(api.sql, tenant, {
    leads: 400,
    aliases,
    dailyLimit: 100_00,
    now: NOW,
    domain: "other.zz",
  });
  const all: { campaignLeadId: string; campaignId: string }[] = [];
  // A claimer passes over a campaign that another holds at that moment, so how many rounds it takes is chance.
  for (let round = 0; round < 30; round++) {
    const now = later(round * 90);
    await maintain(store, now, now, new Set());
    const results = await Promise.all(
      Array.from({ length: 8 }, () =>
        store.claim({ now, until: now, limit: 5, workerToken: randomUUID(), leaseSeconds: 10_000 }),
      ),
    );
    all.push(...results.flat());
  }
  expect(new Set(all.map(({ campaignLeadId }) => campaignLeadId)).size).toBe(all.length);
  expect(all.filter((send) => send.campaignId === campaignId)).toHaveLength(37);
  expect(all.filter((send) => send.campaignId === other.campaignId).length).toBeGreaterThan(20);
  const { rows } = await api.sql.query(
    "select used, (select count(*)::int from sends where campaign_id = c.id) as ledger from campaigns c where id = $1",
    [campaignId],
  );
  expect(rows[0]).toEqual({ used: 37, ledger: 37 });
});

test("a lane at its daily cap is parked until its next day", async () => {
  await fresh();
  const { aliasIds } = await insertActiveCampaign(api.sql, tenant, {
    leads: 5,
    aliasCap: 1,
    now: NOW,
  });
  expect(await claim(NOW)).toHaveLength(1);
  expect(await claim(later(120))).toHaveLength(0);
  const { rows } = await api.sql.query("select next_slot_at from sender_lanes where id = $1", [
    aliasIds[0],
  ]);
  expect(rows[0].next_slot_at.toISOString()).toBe("2026-03-03T00:00:00.000Z");
  expect(await claim(new Date("2026-03-03T00:00:00Z"))).toHaveLength(1);
});

test("a lane without work is parked for good, and one whose work is later until then", async () => {
  await fresh();
  const { campaignId, campaignLeadIds, aliasIds } = await insertActiveCampaign(api.sql, tenant, {
    leads: 1,
    now: NOW,
  });
  const [send] = await claim(NOW);
  const outcome = {
    id: send!.id,
    kind: "accepted" as const,
    acceptedAt: NOW,
    reason: "250",
    nextStep: 2,
    nextActionAt: later(5000),
  };
  const token = (await api.sql.query("select worker_token from sends where id = $1", [send!.id]))
    .rows[0].worker_token;
  await store.recordAndBegin(NOW, token, [outcome], []);
  expect(await claim(later(100))).toHaveLength(0);
  const slot = async () =>
    (await api.sql.query("select next_slot_at from sender_lanes where id = $1", [aliasIds[0]]))
      .rows[0].next_slot_at;
  expect((await slot()).getTime()).toBe(later(5000).getTime());
  const path = `/api/v1/campaigns/${campaignId}/leads/${campaignLeadIds[0]}`;
  expect((await tenant.call("POST", `${path}/mark`, { as: "replied" })).status).toBe(200);
  expect(await claim(later(5000))).toHaveLength(0);
  expect(await slot()).toBeNull();
});

test("follow-ups go before new leads", async () => {
  await fresh();
  const { campaignLeadIds } = await insertActiveCampaign(api.sql, tenant, {
    leads: 3,
    now: NOW,
    steps: [{ delayDays: 0 }, { delayDays: 0 }],
  });
  const [first] = await claim(NOW);
  expect(first!.campaignLeadId).toBe(campaignLeadIds[0]);
  const token = (await api.sql.query("select worker_token from sends where id = $1", [first!.id]))
    .rows[0].worker_token;
  await store.recordAndBegin(
    NOW,
    token,
    [
      {
        id: first!.id,
        kind: "accepted",
        acceptedAt: NOW,
        reason: "250",
        nextStep: 2,
        nextActionAt: later(60),
      },
    ],
    [],
  );
  const [second] = await claim(later(100));
  expect([second!.campaignLeadId, second!.step]).toEqual([campaignLeadIds[0], 2]);
});
