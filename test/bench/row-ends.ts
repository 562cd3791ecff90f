import type pg from "pg";
import { dropEnded, RETENTIONS } from "#db/base/retention.ts";
import { databaseOver } from "./scale.ts";

const NOW = new Date("2027-06-01T00:00:00Z");
const DAYS = 92;

/** As many hits a day, of messages of the two days before, for a quarter and two days. */
const HITS = `
  insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons, user_agent)
  select new_uuid(at, n), '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a3', new_uuid(at - (n % 48) * interval '1 hour', n / 3),
    case when n % 4 = 0 then 'click' else 'open' end, at, 0, case when n % 4 = 0 then 'https://example.com/page' end, 'human', '{}', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
  from generate_series(1, $2::int * ${DAYS}) n, lateral (select date_trunc('milliseconds', $1::timestamptz - interval '${DAYS} days' + n * interval '1 day' / $2::int) as at) x`;

async function cost(sql: pg.Client, work: () => Promise<unknown>) {
  const wal = async () =>
    Number(
      (await sql.query("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at")).rows[0].at,
    );
  await sql.query("checkpoint");
  const [before, startedAt] = [await wal(), performance.now()];
  await work();
  return { ms: performance.now() - startedAt, walBytes: (await wal()) - before };
}

/** Pages that finding a message's hits comes upon, and whether one has unsubscribed. */
async function lookup(sql: pg.Client, table: string): Promise<number> {
  const { rows } = await sql.query(
    `explain (analyze, buffers, format json) select from ${table} where send_id = (select send_id from email_events order by at desc limit 1 offset 1000) and at < '${NOW.toISOString()}'`,
  );
  const pages = (plan: Record<string, number>) =>
    plan["Shared Hit Blocks"]! + plan["Shared Read Blocks"]!;
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  const inner = (plan.Plans as Record<string, unknown>[]).find(
    (part) => part["Parent Relationship"] === "InitPlan",
  );
  return pages(plan) - pages(inner as Record<string, number>);
}

/** A day's hits by the product's own deletion and what vacuum does afterwards, and the same by dropping a partition of a copy. */
export async function measureEnds(sql: pg.Client, perDay: number) {
  await sql.query("set session_replication_role = replica");
  await sql.query("truncate email_events");
  await sql.query(HITS, [NOW, perDay]);
  await sql.query("vacuum analyze email_events");
  await sql.query(
    "create table parts (like email_events including defaults) partition by range (at)",
  );
  await sql.query("create unique index on parts (id, at)");
  await sql.query("create index on parts (send_id, at)");
  await sql.query("create index on parts (campaign_id, at)");
  for (const [from, until] of [
    ["2027-02-01", "2027-03-03"],
    ["2027-03-03", "2027-04-01"],
    ["2027-04-01", "2027-05-01"],
    ["2027-05-01", "2027-06-02"],
  ])
    await sql.query(
      `create table parts_${from!.replaceAll("-", "")} partition of parts for values from ('${from}') to ('${until}')`,
    );
  await sql.query("insert into parts select * from email_events");
  await sql.query("vacuum analyze parts");
  const pages = { one: await lookup(sql, "email_events"), parts: await lookup(sql, "parts") };
  const db = databaseOver(sql);
  const hits = RETENTIONS.find(({ table }) => table === "email_events")!;
  let [count, statements, slowest] = [0, 0, 0];
  const deleted = await cost(sql, async () => {
    for (let last = 5_000; last === 5_000;) {
      const startedAt = performance.now();
      last = await dropEnded(db, hits, { now: NOW, limit: 5_000 });
      slowest = Math.max(slowest, performance.now() - startedAt);
      count += last;
      statements += 1;
    }
  });
  const vacuumed = await cost(sql, () => sql.query("vacuum email_events"));
  const dropped = await cost(sql, () => sql.query("drop table parts_20270201"));
  await sql.query("drop table parts");
  return { count, statements, slowest, pages, deleted, vacuumed, dropped };
}
