import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { createDb, type Db } from "#db/base/client.ts";
import { auditNextPiece } from "#db/billing/credit-audit.ts";
import { dueHoldsSql } from "#db/billing/credit-ledger.ts";
import { captureStatement, holdStatement, releaseStatement } from "#db/billing/credits.ts";
import type { TestService } from "../support/service.ts";
import { openMeter } from "./meters.ts";
import { percentile, range } from "./report.ts";

const SPENDERS = 32;
const OPERATIONS = 1_600;
const BALANCES = 64;
const BATCH = 50;
const CREDITS = 1_000_000;
const DAY_MS = 86_400_000;

/**
 * Holds, captures and releases of 32 spenders at once, one statement and one round trip each, on one balance and on
 * many; the balances must add up to the last credit afterwards.
 */
export async function benchLedger(service: TestService, rounds: number): Promise<void> {
  const { sql, db } = connect(service);
  const balances = await makeBalances(sql, BALANCES + 1);
  const meter = await openMeter(service, sql);
  const cases = [
    { name: "one balance", ids: balances.slice(0, 1), batch: 1 },
    { name: `${BALANCES} balances`, ids: balances.slice(1), batch: 1 },
    { name: `${BALANCES} balances, ${BATCH} a statement`, ids: balances.slice(1), batch: BATCH },
  ].map((each) => ({ ...each, figures: [] as Figures[] }));
  let captured = 0;
  for (let round = 0; round <= rounds; round++)
    for (const { ids, batch, figures } of cases) {
      const latencies: number[] = [];
      const ownCpu = process.cpuUsage();
      const cost = await meter.measure(async () => {
        captured += await spend(db, ids, batch, latencies);
      });
      const { user, system } = process.cpuUsage(ownCpu);
      // The worker beside may ask for something of its own.
      if (cost.roundTrips > OPERATIONS * 1.01)
        throw new Error(`${cost.roundTrips} round trips for ${OPERATIONS} operations`);
      // The first round warms up.
      if (round > 0)
        figures.push({
          perSecond: (OPERATIONS * batch * 1000) / cost.wallMs,
          p50: percentile(latencies, 0.5),
          p99: percentile(latencies, 0.99),
          postgresMs: cost.postgresMs / OPERATIONS / batch,
          clientMs: (user + system) / 1000 / OPERATIONS / batch,
        });
    }
  await requireSound(sql, balances, captured);
  console.log(
    `\nLedger, ${SPENDERS} spenders at once, ${rounds} alternating rounds of ${OPERATIONS} statements that hold, capture or release, one round trip each: median (min-max)`,
  );
  for (const { name, figures } of cases) {
    const of = (key: keyof Figures, digits: number) =>
      range(
        figures.map((each) => each[key]),
        digits,
      );
    console.log(
      `  ${name.padEnd(28)} ${of("perSecond", 0)} operations/s, p50 ${of("p50", 1)} ms, p99 ${of("p99", 1)} ms; CPU of one: Postgres ${of("postgresMs", 2)} ms, client and gateway ${of("clientMs", 2)} ms`,
    );
  }
  console.log(`  ${captured} captured of ${balances.length * CREDITS}: every balance is its sum`);
  await sql.end();
}

interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
  postgresMs: number;
  clientMs: number;
}

/** What audit and sweep cost beside many entries and many holds that were settled. */
export async function benchLedgerSizes(service: TestService, entries: number): Promise<void> {
  const { sql, db } = connect(service);
  await loadEntries(sql, entries);
  await sql.query("vacuum analyze credit_entries, credit_balances, credit_holds, workspaces");
  console.log(`\nAudit of ${entries} entries, pieces of 1,000 workspaces`);
  for (let piece = 1, isLast = false; !isLast; piece++) {
    const startedAt = performance.now();
    const audited = await auditNextPiece(db, new Date(), 1_000);
    const ms = performance.now() - startedAt;
    console.log(
      `  piece ${piece}: ${audited.workspaces} workspaces, ${audited.entries} entries in ${ms.toFixed(0)} ms, ${audited.wrong} wrong`,
    );
    isLast = audited.isLast;
  }
  await sweepBesideSettled(sql, 200_000);
  await sql.end();
}

function connect({ stack }: TestService) {
  const sql = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  const localGateway = new URL(stack.neon.url).host;
  return { sql, db: createDb({ url: stack.databaseUrl, localGateway }) };
}

/** Each spender holds credits, then captures it, or releases every fourth. Answers how many were captured. */
async function spend(
  db: Db,
  workspaceIds: string[],
  batch: number,
  latencies: number[],
): Promise<number> {
  let captured = 0;
  const timed = async (operation: ReturnType<typeof holdStatement>) => {
    const sentAt = performance.now();
    await operation;
    latencies.push(performance.now() - sentAt);
  };
  const spender = async (_: unknown, index: number) => {
    for (let turn = 0; turn < OPERATIONS / SPENDERS / 2; turn++) {
      const workspaceId = workspaceIds[(index + turn * SPENDERS) % workspaceIds.length]!;
      const now = new Date();
      const refIds = Array.from({ length: batch }, () => randomUUID());
      const move = () => {
        const items = refIds.map((refId) => ({ entryId: randomUUID(), refId }));
        return { workspaceId, refType: "bench", items, now };
      };
      const expiresAt = new Date(now.getTime() + DAY_MS);
      await timed(holdStatement(db, { ...move(), amount: 1, expiresAt }));
      if (turn % 4 > 0) captured += batch;
      await timed((turn % 4 > 0 ? captureStatement : releaseStatement)(db, move()));
    }
  };
  await Promise.all(Array.from({ length: SPENDERS }, spender));
  return captured;
}

async function requireSound(sql: pg.Pool, ids: string[], captured: number): Promise<void> {
  const { rows } = await sql.query(
    `select sum(available)::int as available, sum(held)::int as held, bool_and(available = entries) as sound
     from credit_balances join (select workspace_id, sum(available_delta) as entries from credit_entries group by 1) e using (workspace_id)
     where workspace_id = any($1)`,
    [ids],
  );
  const { available, held, sound } = rows[0];
  if (!sound || held !== 0 || available !== ids.length * CREDITS - captured)
    throw new Error(`credits were lost: ${JSON.stringify(rows[0])} after ${captured} captures`);
}

/** Workspaces with credits that were granted. */
async function makeBalances(sql: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await sql.query(
    `with person as (
       insert into users (id, created_at, updated_at)
       select gen_random_uuid(), now(), now() from generate_series(1, $1::int) returning id
     ), workspace as (
       insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at)
       select gen_random_uuid(), person.id, 'Bench', 'paid', 'UTC', now(), now() from person returning id
     ), balance as (
       insert into credit_balances (workspace_id, available, held, owed, updated_at)
       select id, $2, 0, 0, now() from workspace
     )
     insert into credit_entries (id, workspace_id, kind, available_delta, held_delta, owed_delta, ref_type, ref_id, created_at)
     select gen_random_uuid(), id, 'grant', $2, 0, 0, 'bench', 'grant', now() from workspace returning workspace_id`,
    [count, CREDITS],
  );
  return rows.map((row) => row.workspace_id as string);
}

/** A tenth of them in one workspace, the others 450 each. */
async function loadEntries(sql: pg.Pool, entries: number): Promise<void> {
  const each = 450;
  const [big, ...ids] = await makeBalances(sql, 1 + Math.round((entries * 0.9) / each));
  const client = await sql.connect();
  // What is loaded is right by itself; checking a million foreign keys takes most of the time.
  await client.query("set session_replication_role = replica");
  const load = (workspaces: string[], count: number) =>
    client.query(
      `with entry as (
         insert into credit_entries (id, workspace_id, kind, available_delta, held_delta, owed_delta, ref_type, ref_id, created_at)
         select gen_random_uuid(), id, kind, case kind when 'hold' then -1 else 0 end, case kind when 'hold' then 1 else -1 end, 0,
           'bench', n::text, now()
         from generate_series(1, $2::int / 2) n, unnest($1::uuid[]) id, unnest(array['hold', 'capture']) kind
         returning workspace_id, available_delta
       )
       update credit_balances balance set available = available + spent
       from (select workspace_id, sum(available_delta) as spent from entry group by 1) e where e.workspace_id = balance.workspace_id`,
      [workspaces, count],
    );
  await load([big!], entries / 10);
  await load(ids, each);
  client.release(true);
}

/** What looking for due holds reads, when so many were settled since anybody cleaned up. */
async function sweepBesideSettled(sql: pg.Pool, settled: number): Promise<void> {
  const [workspaceId] = await makeBalances(sql, 1);
  const now = new Date();
  await sql.query(
    `insert into credit_holds (workspace_id, ref_type, ref_id, amount, expires_at)
     select $1, 'bench', n::text, 1, $2::timestamptz - make_interval(secs => n) from generate_series(1, $3::int) n`,
    [workspaceId, now, settled],
  );
  await sql.query("delete from credit_holds where workspace_id = $1 and ref_id::int % 1000 > 0", [
    workspaceId,
  ]);
  const due = new PgDialect().sqlToQuery(dueHoldsSql(now, 500));
  const look = async () => {
    const { rows } = await sql.query(
      `explain (analyze, buffers, format json) ${due.sql}`,
      due.params,
    );
    const [{ Plan: plan, "Execution Time": ms }] = rows[0]["QUERY PLAN"];
    const buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    return `${plan["Actual Rows"]} due, ${buffers} buffers, ${ms.toFixed(1)} ms`;
  };
  console.log(`\nLooking for due holds beside ${settled} that were settled`);
  console.log(`  first look: ${await look()}`);
  console.log(`  second:     ${await look()}`);
  await sql.query("vacuum credit_holds");
  console.log(`  vacuumed:   ${await look()}`);
}
