/** What comes back to a campaign of many senders looks at few of them, and no lead is left by that. */
import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { type SQL, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { endDraftHoldStatement } from "#db/campaigns/draft-holds.ts";
import { instantParam } from "#db/base/instants.ts";
import { call } from "#db/engine/function-call.ts";
import {
  capLanes,
  closeLanes,
  countSingle,
  createPostgresStore,
  endRest,
  lockLanesOfLeads,
  restLanes,
  type SendOutcome,
  sizeLanes,
} from "#db/engine/index.ts";
import { outcomeRecord } from "#db/engine/outcome-record.ts";
import { recordAndBeginFunction } from "#db/engine/record-and-begin.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../support/begin-wish.ts";
import type { CampaignRows } from "../../support/engine.ts";
import { pagesSoFar } from "../../support/pages.ts";
import { queryOf } from "../../support/query.ts";
import { letTimeStandStill } from "../../support/still-time.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
const SENDERS = 300;
const WORKER = randomUUID();

let rows: CampaignRows;
const store = () => createPostgresStore(sending.api.deps.db);
const now = () => sending.api.deps.clock.now();
const upkeep = async () => {
  while (await maintain(store(), now(), now(), new Set()));
};
const claim = async (limit = 100) =>
  store().claim({ now: now(), until: now(), limit, workerToken: WORKER, leaseSeconds: 600 });

/** All of them have looked and found nothing. */
const park = async () => {
  while ((await claim()).length > 0);
  await query`update sender_lanes set next_slot_at = null, last_slot_at = null, last_begun_at = null, updated_at = ${now()} where id = any(${rows.aliasIds}::uuid[])`;
};
const awake = async (): Promise<string[]> =>
  (
    await query`select id from sender_lanes where id = any(${rows.aliasIds}::uuid[]) and next_slot_at is not null`
  ).map(({ id }) => id);
const hold = (leads: string[]) =>
  query`update campaign_leads set hold_reason = 'awaiting_draft' where id = any(${leads}::uuid[])`;
/** Their texts are there. */
const release = (leads: string[]) =>
  endDraftHoldStatement(sending.api.deps.db, { campaignLeadIds: leads, step: 1, now: now() });

/** Nothing is left of campaigns of earlier tests. */
beforeEach(async () => {
  await query`update campaigns set status = 'paused'`;
  await query`update sends set state = 'canceled' where state in ('claimed', 'transmitting')`;
  rows = await sending.campaign(tenant, { leads: 15, aliases: SENDERS });
  await upkeep();
});

/** Records these on that session, where the plans of the function are; answers the pages that it read. */
async function record(outcomes: SendOutcome[]): Promise<number> {
  const session = await sending.api.sql.connect();
  try {
    const worker = sql`${WORKER}::uuid`;
    const records = sql`${JSON.stringify(outcomes.map(outcomeRecord))}::jsonb`;
    const statement = call(recordAndBeginFunction, instantParam(now()), worker, records, sql`'[]'`);
    const { sql: text, params } = new PgDialect().sqlToQuery(statement);
    // Planning reads pages, too.
    await session.query("begin");
    await session.query(text, params);
    await session.query("rollback");
    const before = await pagesSoFar(session);
    await session.query(text, params);
    return (await pagesSoFar(session)) - before;
  } finally {
    session.release();
  }
}

const down = ({ id }: { id: string }): SendOutcome => ({
  id,
  kind: "retry",
  reason: "connect ECONNREFUSED",
  retryAt: now(),
  attemptSpent: false,
  lane: "down",
});

test.each([
  ["look for work", 200],
  // A row of each of 16 is written.
  ["sleep", 600],
])(
  "where all others %s, a hand-over that failed reads fewer than %i pages, and one of them takes its lead",
  async (others, most) => {
    await hold(rows.campaignLeadIds.slice(1));
    const [send] = await claim(1);
    await store().recordAndBegin(now(), WORKER, [], [beginWish(send!.id, now())]);
    if (others === "sleep") await park();
    expect(await record([down(send!)])).toBeLessThan(most);
    if (others === "sleep") expect(await awake()).toHaveLength(1 + 16);
    sending.api.advance(30);
    const again = await claim(SENDERS);
    expect(again).toMatchObject([{ campaignLeadId: send!.campaignLeadId }]);
    expect(again[0]!.laneId).not.toBe(send!.laneId);
  },
);

test("texts wake as many sleeping senders as there are leads without one, each text another", async () => {
  const leads = rows.campaignLeadIds;
  await hold(leads);
  await park();
  await release(leads.slice(0, 1));
  expect(await awake()).toHaveLength(1);
  await release(leads.slice(1, 4));
  expect(await awake()).toHaveLength(4);
  expect(await claim()).toHaveLength(4);
});

test("a text locks the sleeping senders that it may wake, and no other", async () => {
  letTimeStandStill();
  const [first, second] = rows.campaignLeadIds as [string, string];
  const lockedFor = async (leads: string[]) =>
    (await lockLanesOfLeads(sending.api.deps.db, rows.campaignId, leads, now())) as unknown as {
      rows: { id: string }[];
    };
  await hold(rows.campaignLeadIds);
  await park();
  const [one] = (await lockedFor([first])).rows;
  expect((await lockedFor([first, second])).rows).toHaveLength(2);
  await release([first]);
  expect(await awake()).toEqual([one!.id]);
  await query`update campaign_leads set alias_id = ${rows.aliasIds[7]} where id = ${second}`;
  expect((await lockedFor([second])).rows).toEqual([{ id: rows.aliasIds[7] }]);
});

test("first those who can send soonest, and who have nothing else", async () => {
  const [lead] = rows.campaignLeadIds;
  await hold(rows.campaignLeadIds);
  await park();
  // All that are left are looked at.
  const [spent, resting, busy, free, ...others] = rows.aliasIds.slice(0, 100) as [
    string,
    ...string[],
  ];
  await query`delete from campaign_senders where lane_id = any(${rows.aliasIds.slice(100)}::uuid[])`;
  const later = new Date(now().getTime() + 3_600_000);
  await query`update sender_lanes set used = day_cap where id = ${spent}`;
  await query`update sender_lanes set closed_until = ${later} where id = ${resting}`;
  await query`update sender_lanes set next_slot_at = ${later} where id = ${busy}`;
  await query`update sender_lanes set last_slot_at = ${now()} where id = any(${others}::uuid[])`;
  await release([lead!]);
  expect((await awake()).toSorted()).toEqual([busy, free].toSorted());
});

const lost: [string, (lane: string) => unknown][] = [
  [
    "closed",
    (id) =>
      sending.api.deps.db.execute(
        closeLanes(
          { from: sql`(select ${id}::uuid as id) one`, where: sql`lane.id = one.id` },
          instantParam(now()),
        ),
      ),
  ],
  [
    "resting",
    (id) =>
      sending.api.deps.db.execute(
        restLanes(
          { from: sql`(select ${id}::uuid as id) one`, where: sql`lane.id = one.id` },
          instantParam(new Date(now().getTime() + 7_200_000)),
          instantParam(now()),
        ),
      ),
  ],
];
test.each(lost)(
  "where the sender that was woken is %s before it looks, all others do a minute later, once",
  async (_, lose) => {
    letTimeStandStill();
    const [lead] = rows.campaignLeadIds;
    await hold(rows.campaignLeadIds);
    await park();
    await release([lead!]);
    const [woken] = await awake();
    await lose(woken!);
    expect(await claim()).toEqual([]);
    expect(await store().nextWakeAt(86_400_000)).toEqual(new Date(now().getTime() + 60_000));
    sending.api.advance(59);
    await upkeep();
    expect(await claim()).toEqual([]);
    sending.api.advance(1);
    await upkeep();
    expect((await awake()).length).toBeGreaterThanOrEqual(SENDERS - 1);
    expect((await claim()).map(({ campaignLeadId }) => campaignLeadId)).toEqual([lead]);
    await park();
    sending.api.advance(60);
    await upkeep();
    expect(await awake()).toEqual([]);
  },
);

const beside: [string, () => SQL][] = [
  ["caps are dealt anew", () => capLanes(ours(), sql`lane.day_cap`, at())],
  [
    "owner changes their sizes",
    () => sizeLanes(ours(), { dayCap: 50, connectionCap: null, minIntervalSeconds: null }, at()),
  ],
  ["rest begins", () => restLanes(ours(), at(), at())],
  ["rest ends", () => endRest(ours(), at())],
  ["single messages go out", () => countSingle(ours(), at())],
];
const ours = () => ({
  from: sql`(select unnest(${`{${rows.aliasIds.join(",")}}`}::uuid[]) as id) own`,
  where: sql`lane.id = own.id`,
});
const at = () => instantParam(now());
test.each(beside)(
  "a lead that was left is found though the others' %s meanwhile",
  async (_, happens) => {
    letTimeStandStill();
    const [lead] = rows.campaignLeadIds;
    await hold(rows.campaignLeadIds);
    await park();
    await release([lead!]);
    await query`update sender_lanes set next_slot_at = null where id = any(${rows.aliasIds}::uuid[])`;
    sending.api.advance(40);
    await sending.api.deps.db.execute(happens());
    sending.api.advance(25);
    await upkeep();
    expect((await claim()).map(({ campaignLeadId }) => campaignLeadId)).toEqual([lead]);
  },
);

test("what a tick looked for no later one does", async () => {
  letTimeStandStill();
  await hold(rows.campaignLeadIds);
  await park();
  await release(rows.campaignLeadIds.slice(0, 1));
  await query`update sender_lanes set next_slot_at = null where id = any(${rows.aliasIds}::uuid[])`;
  sending.api.advance(60);
  await store().recordTick(now(), null);
  sending.api.advance(1);
  await upkeep();
  expect(await awake()).toEqual([]);
});

test("nobody looks again for a lead that they looked for, nor with a day that is used up", async () => {
  const [lead] = rows.campaignLeadIds;
  await hold(rows.campaignLeadIds);
  await park();
  await release([lead!]);
  await query`update sender_lanes set next_slot_at = null where id = any(${rows.aliasIds}::uuid[])`;
  const [spent, ...others] = rows.aliasIds;
  await query`update sender_lanes set used = day_cap where id = ${spent}`;
  sending.api.advance(60);
  await query`update sender_lanes set updated_at = ${now()} where id = any(${others}::uuid[])`;
  await upkeep();
  expect(await awake()).toEqual([]);
});
