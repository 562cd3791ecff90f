/** True concurrency on Postgres: what one virtual thread of time cannot show. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ClaimedSend, SendStore } from "#db/engine/index.ts";
import { recordAliasTest } from "#db/senders/alias-change.ts";
import { jitterOf } from "#src/domain/engine/chance.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { api, useApi } from "../support/use-api.ts";
import { makeScenario } from "../support/engine-scenario.ts";
import { postgresWorld } from "../support/engine-worlds.ts";
import { createRandom } from "../support/random.ts";

const START = new Date("2026-03-02T09:00:00Z");
const CLAIMERS = 8;
const INTERVAL_S = 60;
const CAP = 137;

useApi();

/** 20 senders shared by three campaigns, the first of which may send 137 messages a day. */
async function crowd(): Promise<{ store: SendStore; capped: string; laneIds: string[] }> {
  const { workspaceId, userId } = await api.tenant();
  const data = makeScenario(createRandom(11), {
    start: START,
    campaigns: 3,
    lanes: 20,
    lanesPerCampaign: 20,
    leads: 400,
    delays: [0],
    intervals: [INTERVAL_S],
    dailyLimits: [100_000],
    sharedAddresses: 0,
  });
  for (const lane of data.lanes) lane.ramp = null;
  for (const campaign of data.campaigns) campaign.days = ["mon", "tue", "wed", "thu", "fri"];
  data.campaigns[0]!.dailyLimit = CAP;
  const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
  const { store } = await postgresWorld(ports, data, START);
  return { store, capped: data.campaigns[0]!.id, laneIds: data.lanes.map(({ id }) => id) };
}

const isAnyDue = async (until: Date): Promise<boolean> =>
  (
    await api.sql.query("select 1 from sender_lanes where open and next_slot_at <= $1 limit 1", [
      until,
    ])
  ).rows.length > 0;

/** Claims each virtual minute by eight at once, as often as it takes until nobody finds anything. */
async function claimMinutes(store: SendStore, minutes: number): Promise<ClaimedSend[]> {
  const all: ClaimedSend[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const now = new Date(START.getTime() + minute * 60_000);
    const until = new Date(now.getTime() + 59_999);
    await maintain(store, now, until, new Set());
    for (let round = 0; round < 20 && (await isAnyDue(until)); round++) {
      const claims = await Promise.all(
        Array.from({ length: CLAIMERS }, () =>
          store.claim({ now, until, limit: 5, workerToken: randomUUID(), leaseSeconds: 100_000 }),
        ),
      );
      all.push(...claims.flat());
    }
  }
  return all;
}

test("eight claimers at once: the cap is hit exactly, no lead goes twice, gaps are kept, no slot is lost", async () => {
  const { store, capped, laneIds } = await crowd();
  const all = await claimMinutes(store, 30);
  expect(new Set(all.map(({ campaignLeadId }) => campaignLeadId)).size).toBe(all.length);
  expect(all.filter(({ campaignId }) => campaignId === capped)).toHaveLength(CAP);

  for (const laneId of laneIds) {
    const slots = all
      .filter((send) => send.laneId === laneId)
      .map(({ slotAt }) => slotAt.getTime())
      .sort((a, b) => a - b);
    // A claimer skips a campaign that another holds; its lane looks again a second later. So a slot moves, and none is lost.
    expect(slots.length).toBeGreaterThan(20);
    for (const [index, slot] of slots.slice(1).entries()) {
      const gap = (slot - slots[index]!) / 1000;
      const drawn = INTERVAL_S + Math.max(1, INTERVAL_S * jitterOf(laneId, index + 1));
      expect(gap).toBeGreaterThanOrEqual(drawn - 0.001);
      expect(gap).toBeLessThan(drawn + 20);
    }
  }

  const { rows } = await api.sql.query(
    `select c.used, (select count(*)::int from sends s where s.campaign_id = c.id) as ledger from campaigns c order by c.used`,
  );
  for (const { used, ledger } of rows) expect(used).toBe(ledger);
  const lanes = await api.sql.query(
    `select l.used, (select count(*)::int from sends s where s.lane_id = l.id) as ledger from sender_lanes l`,
  );
  for (const { used, ledger } of lanes.rows) expect(used).toBe(ledger);
});

test("eight workers that begin the same address at once let one campaign through", async () => {
  const { store } = await crowd();
  const claimed = await claimMinutes(store, 1);
  const ids = claimed.map(({ id }) => id);
  await api.sql.query(
    "update sends set email_key = 'one@address.zz', worker_token = $2 where id = any($1)",
    [ids, randomUUID()],
  );
  const { rows } = await api.sql.query("select distinct worker_token from sends");
  const at = new Date(START.getTime() + 60_000);
  const begun = await Promise.all(
    ids.map((id) =>
      store.recordAndBegin(
        at,
        rows[0].worker_token,
        [],
        [
          {
            id,
            messageId: `<${id}@sender.zz>`,
            subject: "Hello",
            html: "",
            variantLabel: "A",
            templateId: null,
            templateVersion: null,
            senderProfileId: null,
            leaseUntil: new Date(at.getTime() + 600_000),
          },
        ],
      ),
    ),
  );
  const { rows: campaigns } = await api.sql.query(
    "select count(distinct campaign_id)::int as n from sends where state = 'transmitting'",
  );
  expect(begun.flat().filter((answer) => answer.begun).length).toBeGreaterThan(0);
  expect(campaigns[0].n).toBe(1);
});

test("eight workers at once, over two midnights: a domain's limit is hit exactly, each day", async () => {
  const { workspaceId, userId } = await api.tenant();
  const start = new Date("2026-03-02T23:50:00Z");
  const data = makeScenario(createRandom(12), {
    start,
    campaigns: 2,
    lanes: 12,
    lanesPerCampaign: 12,
    leads: 600,
    delays: [0],
    intervals: [INTERVAL_S],
    dailyLimits: [100_000],
    sharedAddresses: 0,
    domainLimits: [53],
  });
  for (const lane of data.lanes)
    Object.assign(lane, { ramp: null, limitedDomainId: data.domains[0]!.id });
  for (const campaign of data.campaigns) campaign.days = ["mon", "tue", "wed", "thu", "fri"];
  const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
  const { store } = await postgresWorld(ports, data, start);
  const perDay = new Map<string, number>();
  for (const from of ["2026-03-02T23:50:00Z", "2026-03-03T23:54:00Z"])
    for (let minute = 0; minute < 16; minute++) {
      const now = new Date(Date.parse(from) + minute * 60_000);
      const until = new Date(now.getTime() + 59_999);
      const work = async () => {
        await maintain(store, now, until, new Set());
        return store.claim({ now, until, limit: 5, workerToken: randomUUID(), leaseSeconds: 1e6 });
      };
      for (let round = 0; round < 6; round++) {
        const claimed = (await Promise.all(Array.from({ length: CLAIMERS }, work))).flat();
        for (const { slotAt } of claimed) countUp(perDay, slotAt.toISOString().slice(0, 10));
        if (claimed.length === 0) break;
      }
    }
  expect(Object.fromEntries(perDay)).toEqual({
    "2026-03-02": 53,
    "2026-03-03": 53,
    "2026-03-04": 53,
  });
});

const countUp = (counts: Map<string, number>, key: string) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

test("two ticks that begin senders' days at once do not deal out more than the limit", async () => {
  const { workspaceId, userId } = await api.tenant();
  const data = makeScenario(createRandom(13), {
    start: START,
    campaigns: 1,
    lanes: 2,
    lanesPerCampaign: 2,
    leads: 1,
    delays: [0],
    domainLimits: [100],
  });
  for (const lane of data.lanes)
    Object.assign(lane, { ramp: null, limitedDomainId: data.domains[0]!.id });
  const [first, second] = data.lanes.map(({ id }) => id);
  const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
  const { store } = await postgresWorld(ports, data, START);
  let isOver = false;
  const now = new Date(START.getTime() + 60_000);
  /** An account test closes or opens the second sender; unlike its owner, it does not wait for who deals. */
  const testAccount = async (failure: string | null, at: Date) => {
    const { rows } = await api.sql.query("select updated_at from mail_aliases where id = $1", [
      second,
    ]);
    const read = { id: second!, workspaceId, updatedAt: rows[0].updated_at };
    const found = failure === null ? null : ({ kind: "account", message: failure } as const);
    await recordAliasTest(api.deps.db, read, found, at);
  };
  await testAccount("login refused", START);

  // The first tick has dealt, and waits for its lane; the second comes upon it.
  const holder = await api.sql.connect();
  await holder.query("begin");
  await holder.query("select from sender_lanes where id = $1 for update", [first]);
  const day = { dayFrom: new Date("2026-03-02"), dayUntil: new Date("2026-03-03") };
  const roll = (id: string) =>
    store.rollOver(now, [{ id, slotAt: now, ...day, dayCap: 1000, connectionCap: null }], [], []);
  const rolling = roll(first!);
  await untilWaiting(1);
  await testAccount(null, now);
  const overlapping = roll(second!).finally(() => (isOver = true));
  await untilWaiting(2, () => isOver);
  await holder.query("rollback");
  holder.release();
  await Promise.all([rolling, overlapping]);

  const { rows } = await api.sql.query("select day_cap from sender_lanes order by day_cap");
  expect(rows.map(({ day_cap }) => day_cap)).toEqual([0, 100]);
});

/** Until so many statements wait for a lock. */
async function untilWaiting(count: number, isOver = () => false): Promise<void> {
  for (let looks = 0; looks < 2_000 && !isOver(); looks++) {
    const { rows } = await api.sql.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0].n >= count) return;
  }
  expect(isOver()).toBe(true);
}
