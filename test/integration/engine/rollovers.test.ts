/** What a tick reads to find the days that are over: nothing of the lanes that are due on theirs. */
import { randomUUID } from "node:crypto";
import { type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { createPostgresStore } from "#db/engine/index.ts";
import { closeOrphansStatement, dueLaneRollovers } from "#db/engine/rollover.ts";
import { createEagerClock } from "../../support/eager-clock.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

const NOW = new Date("2026-03-02T09:05:00Z");
const UNTIL = new Date("2026-03-02T09:06:00Z");

useSending();

async function pagesOf(statement: SQL): Promise<number> {
  const { sql, params } = new PgDialect().sqlToQuery(statement);
  const { rows } = await sending.api.sql.query(
    `explain (analyze, buffers, format json) ${sql}`,
    params,
  );
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

/** Open lanes that are due on their day, for so many seconds. */
async function addLanes(count: number, dayUntil: string, seconds = 5): Promise<void> {
  await sending.api.sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, day_from, day_until, failures, updated_at)
     select gen_random_uuid(), $1, 'email', true, $2::timestamptz - make_interval(secs => $5), 0, 10, 0, $2::timestamptz - interval '1 day', $3, 0, $2
     from generate_series(1, $4::int)`,
    [tenant.workspaceId, NOW, dayUntil, count, seconds],
  );
  await sending.api.sql.query("analyze sender_lanes");
}

test("days that are over are found among thousands of lanes that have waited for long", async () => {
  await addLanes(10_000, "2026-03-03T00:00:00Z", 3_600);
  await addLanes(3, "2026-03-02T09:00:00Z", 3_600);
  await sending.api.sql.query("vacuum analyze sender_lanes");
  const { rows } = await sending.api.sql.query(
    "select (pg_relation_size('sender_lanes') / 8192)::int as pages",
  );
  expect(await pagesOf(dueLaneRollovers(NOW, UNTIL))).toBeLessThan(rows[0].pages / 2);
  const { lanes } = await createPostgresStore(sending.api.deps.db).dueRollovers(NOW, UNTIL);
  expect(lanes).toHaveLength(3);
  await sending.api.sql.query("delete from sender_lanes");
});

test("days that are over are found among thousands of due lanes without reading those", async () => {
  const { api } = sending;
  await addLanes(1_000, "2026-03-03T00:00:00Z");
  const few = await pagesOf(dueLaneRollovers(NOW, UNTIL));
  const fewOrphans = await pagesOf(closeOrphansStatement(NOW, UNTIL));
  await addLanes(9_000, "2026-03-03T00:00:00Z");
  expect(await pagesOf(dueLaneRollovers(NOW, UNTIL))).toBeLessThan(few + 10);
  expect(await pagesOf(closeOrphansStatement(NOW, UNTIL))).toBeLessThan(2 * fewOrphans);
  const store = createPostgresStore(api.deps.db);
  expect((await store.dueRollovers(NOW, UNTIL)).lanes).toEqual([]);
  await api.sql.query("delete from sender_lanes");
});

test("each lane is found whose slot lies behind its day, or that has waited since before that ended", async () => {
  const { api } = sending;
  const cases: [slot: string, dayUntil: string | null, isDue: boolean][] = [
    ["09:05:30", null, true],
    ["09:05:30", "09:05:30", true],
    ["09:05:30", "09:05:31", false],
    ["08:59:50", "09:00:00", true],
    ["08:20:00", "08:30:00", true],
    ["08:59:50", "09:15:00", false],
    ["09:06:30", "08:00:00", false],
  ];
  const ids = cases.map(() => randomUUID());
  const at = (time: string | null) => (time === null ? null : `2026-03-02T${time}Z`);
  for (const [index, [slot, dayUntil]] of cases.entries())
    await api.sql.query(
      `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, day_from, day_until, failures, updated_at)
       values ($1, $2, 'socialnet', true, $3, 0, 10, 0, null, $4, 0, $5)`,
      [ids[index], tenant.workspaceId, at(slot), at(dayUntil), NOW],
    );
  const { lanes } = await createPostgresStore(api.deps.db).dueRollovers(NOW, UNTIL);
  const due = new Set(lanes.map(({ id }) => id));
  expect(cases.map((_, index) => due.has(ids[index]!))).toEqual(cases.map(([, , isDue]) => isDue));
  await api.sql.query("delete from sender_lanes");
});

test.each([
  ["09:00:00", 1],
  ["23:59:30", 2],
])(
  "a tick at %s, whose lanes come round in it, looks for such days %i times",
  async (time, times) => {
    const { api } = sending;
    const at = Date.parse(`2026-03-02T${time}Z`);
    await sending.campaign(tenant, { leads: 4, aliases: 2, now: new Date(at) });
    const found: number[] = [];
    await tickWith({
      clock: createEagerClock(at),
      store: (own) => ({
        async dueRollovers(...args) {
          const due = await own.dueRollovers(...args);
          found.push(due.lanes.length);
          return due;
        },
      }),
    });
    expect(found.length).toBe(times);
    await api.sql.query("delete from sender_lanes");
  },
);
