/** A function keeps its plans for the session: one that was made while the tables were small has to stay good. */
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type pg from "pg";
import { expect, test } from "vitest";
import { beginRecord } from "#db/engine/begin.ts";
import { claimCall } from "#db/engine/claim.ts";
import { call } from "#db/engine/function-call.ts";
import { outcomeRecord } from "#db/engine/outcome-record.ts";
import { recordAndBeginFunction } from "#db/engine/record-and-begin.ts";
import { instantParam } from "#db/base/instants.ts";
import { createPostgresStore, type SendOutcome } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../support/begin-wish.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { pagesSoFar } from "../../support/pages.ts";
import { plannedAt } from "../../support/planned.ts";

useSending();

const GROUP = 5;
/** From then on no index is a single page any more, and with ten times as many rows it has as many levels. */
const FIRST_ROWS = 1_000;
const GROWN_BY = 10_000;
const WORKER = "00000000-0000-4000-8000-00000000000a";

interface Claimed {
  id: string;
  campaign_lead_id: string;
}

const json = (records: unknown[]): SQL => sql`${JSON.stringify(records)}::jsonb`;

/** Records these and begins those, on that session; answers how many pages that read. */
async function pagesRead(session: pg.PoolClient, ended: SendOutcome[], starting: Claimed[]) {
  const now = sending.api.deps.clock.now();
  const begins = starting.map(({ id }) => beginRecord(beginWish(id, now)));
  const outcomes = ended.map(outcomeRecord);
  const statement = call(
    recordAndBeginFunction,
    instantParam(now),
    sql`${WORKER}::uuid`,
    json(outcomes),
    json(begins),
  );
  const { sql: text, params } = new PgDialect().sqlToQuery(statement);
  const before = await pagesSoFar(session);
  await session.query(text, params);
  return (await pagesSoFar(session)) - before;
}

/** Planned by that version of the campaign. */
const acceptedBy =
  (configVersion: number) =>
  ({ id }: Claimed): SendOutcome => ({
    id,
    kind: "accepted",
    reason: "250 ok",
    acceptedAt: sending.api.deps.clock.now(),
    nextStep: null,
    nextActionAt: null,
    planned: { ...plannedAt(sending.api.deps.clock.now()), configVersion },
  });
const rejected = ({ id }: Claimed): SendOutcome => ({
  id,
  kind: "rejected",
  reason: "550 no",
  scope: "recipient",
  suppress: true,
});

/** Other people's sends, leads under way and suppressions: in this campaign and workspace, where they stand closest. */
async function grow(session: pg.PoolClient, campaignId: string, from: number, by: number) {
  const values = [tenant.workspaceId, campaignId, sending.api.deps.clock.now(), from, by];
  await session.query(
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day,
       lane_day_until, is_new, claimed_at, lease_until, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), 1, gen_random_uuid(), 'transmitting', 'other' || n || '@example.zz', 1, $3::timestamptz, $3::date,
       $3, true, $3, $3::timestamptz + interval '1 hour', 0, 1, 0, 0, 0, 0, $3 from generate_series($4::int + 1, $4::int + $5::int) n`,
    values,
  );
  await session.query(
    `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email_key, status, current_step, next_step, next_action_at,
       alias_id, metadata, created_at, updated_at)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), gen_random_uuid(), 1000 + n, 'other' || n || '@example.zz', 'active', 1, 2, $3::timestamptz + interval '1 day',
       gen_random_uuid(), '{}', $3, $3 from generate_series($4::int + 1, $4::int + $5::int) n`,
    values,
  );
  await session.query(
    `insert into suppressions (id, workspace_id, user_id, value, value_hash, kind, reason, created_at, updated_at)
     select gen_random_uuid(), $1, $2, v, encode(sha256(convert_to(v, 'UTF8')), 'hex'), 'email', 'manual', $3, $3
     from generate_series($4::int + 1, $4::int + $5::int) n, lateral (select 'gone' || n || '@example.zz' as v) gone`,
    [tenant.workspaceId, tenant.userId, ...values.slice(2)],
  );
}

interface Pages {
  common: number;
  other: number;
  overtaken: number;
}

/**
 * Five groups: the common case, one in which a lead has ended meanwhile and a recipient is refused, and one whose plans
 * a change of the campaign has overtaken.
 */
async function sendGroups(session: pg.PoolClient, groups: Claimed[][]): Promise<Pages> {
  const [first, second, third, fourth, fifth] = groups as [
    Claimed[],
    Claimed[],
    Claimed[],
    Claimed[],
    Claimed[],
  ];
  const accepted = acceptedBy(await versionOf(session));
  await pagesRead(session, [], first);
  const common = await pagesRead(session, first.map(accepted), second);
  const [gone, refused, ...begun] = third as [Claimed, Claimed, ...Claimed[]];
  await session.query("update campaign_leads set status = 'replied' where id = $1", [
    gone.campaign_lead_id,
  ]);
  await pagesRead(session, second.map(accepted), third);
  const other = await pagesRead(session, [rejected(refused), ...begun.map(accepted)], fourth);
  await pagesRead(session, fourth.map(accepted), fifth);
  await session.query("update campaigns set config_version = config_version + 1");
  const overtaken = await pagesRead(session, fifth.map(accepted), []);
  await pagesRead(session, fifth.map(acceptedBy(await versionOf(session))), []);
  return { common, other, overtaken };
}

const versionOf = async (session: pg.PoolClient): Promise<number> =>
  (await session.query("select config_version from campaigns")).rows[0].config_version;

async function claimAll(session: pg.PoolClient, count: number): Promise<Claimed[]> {
  const { db, clock } = sending.api.deps;
  const now = clock.now();
  await maintain(createPostgresStore(db), now, now, new Set());
  const order = { now, until: now, limit: count, workerToken: WORKER, leaseSeconds: 600 };
  const { sql: text, params } = new PgDialect().sqlToQuery(claimCall(order, ["email"]));
  return (await session.query(text, params)).rows;
}

test("recording and beginning read no more once ledger, leads and suppressions have grown, and nobody has analyzed them", async () => {
  const { sql: pool } = sending.api;
  const { campaignId } = await sending.campaign(tenant, { leads: 75, aliases: 75 });
  const session = await pool.connect();
  try {
    for (const table of ["sends", "campaign_leads", "suppressions"])
      await session.query(`alter table ${table} set (autovacuum_enabled = false)`);
    const claimed = await claimAll(session, 75);
    const groups = Array.from({ length: 15 }, (_, n) => claimed.slice(n * GROUP, (n + 1) * GROUP));
    // Here the session makes its plans.
    await sendGroups(session, groups.slice(0, 5));
    await grow(session, campaignId, 0, FIRST_ROWS);
    const small = await sendGroups(session, groups.slice(5, 10));
    await grow(session, campaignId, FIRST_ROWS, GROWN_BY);
    const grown = await sendGroups(session, groups.slice(10));
    expect(grown.common).toBeLessThan(1.5 * small.common);
    expect(grown.other).toBeLessThan(1.5 * small.other);
    expect(grown.overtaken).toBeLessThan(1.5 * small.overtaken);
  } finally {
    session.release();
  }
  const states = (await sending.sendsOf(campaignId)).map(({ state }) => state as string);
  const count = (of: string) => states.filter((state) => state === of).length;
  expect([count("accepted"), count("canceled"), count("rejected")]).toEqual([69, 3, 3]);
});
