/** What Postgres itself aborts (a deadlock, a serialization failure) is done again, and nothing else is. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { commit, driverError } from "#db/base/client.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { api, query, useApi } from "../../support/use-api.ts";

useApi();
beforeAll(async () => {
  // For the sessions that are opened from here on: Postgres would look for a deadlock after a second only.
  await api.sql.query(`
    do $$ begin execute format('alter database %I set deadlock_timeout = ''20ms''', current_database()); end $$;
    create table effects (name text);
    create sequence tries;
    create function abort_first(times int, code text) returns int language plpgsql as $$
      declare n int := nextval('tries');
      begin
        if n <= times then raise exception 'ordered' using errcode = code; end if;
        return n;
      end $$`);
});
beforeEach(() => api.sql.query("truncate effects; alter sequence tries restart"));

/** A sequence keeps what was drawn, though the transaction is rolled back. */
const abortFirst = (times: number, code: string) =>
  api.deps.db.execute(sql`select abort_first(${times}, ${code}) as tries`);
const write = (name: string) =>
  api.deps.db.execute(sql`insert into effects (name) values (${name})`);
const tries = async () => (await query`select last_value::int from tries`)[0];
const effects = async () =>
  (await query`select name from effects order by name`).map(({ name }) => name);
const codeOf = (run: PromiseLike<unknown>) =>
  Promise.resolve(run).then(
    () => "done",
    (error: unknown) => driverError(error)?.code,
  );

test.each(["40P01", "40001"])("what is aborted with %s is tried five times", async (code) => {
  expect((await abortFirst(4, code)).rows).toEqual([{ tries: 5 }]);
});

test("a batch is done again as a whole, and takes effect once", async () => {
  await commit(api.deps.db, [write("before"), abortFirst(2, "40P01"), write("after")]);
  expect([await tries(), await effects()]).toEqual([{ last_value: 3 }, ["after", "before"]]);
  await query`alter sequence tries restart`;
  const failing = commit(api.deps.db, [write("never"), abortFirst(100, "40001")]);
  expect(await codeOf(failing)).toBe("40001");
  expect([await tries(), await effects()]).toEqual([{ last_value: 5 }, ["after", "before"]]);
});

test.each(["23505", "40002", "55P03", "57014"])("%s is answered at once", async (code) => {
  expect(await codeOf(abortFirst(1, code))).toBe(code);
  expect(await codeOf(commit(api.deps.db, [write("never"), abortFirst(2, code)]))).toBe(code);
  expect([await tries(), await effects()]).toEqual([{ last_value: 2 }, []]);
});

const ROUNDS = 10;
const CALLS = 8;
const ACTIONS = [
  ["hold", {}],
  ["stop", {}],
  ["mark", { as: "replied" }],
  ["release", {}],
] as const;

test("leads that are held, stopped, marked and released while they are claimed: nobody sees an error", async () => {
  const tenant = await api.tenant();
  const now = api.deps.clock.now();
  const lanes = { aliases: 48, aliasCap: 10_000, dailyLimit: 10_000 };
  const rows = await insertActiveCampaign(api.sql, tenant, { leads: 2000, ...lanes, now });
  const store = createPostgresStore(api.deps.db);
  await maintain(store, now, now, new Set());
  const order = { now, until: now, limit: 4, leaseSeconds: 600 };
  const claim = () => store.claim({ ...order, workerToken: randomUUID() });
  const leads = `/api/v1/campaigns/${rows.campaignId}/leads`;
  const act = (lead: string, [verb, body]: (typeof ACTIONS)[number]) =>
    tenant.call("POST", `${leads}/${lead}/${verb}`, body);
  let claimed = 0;
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    await query`update sender_lanes set next_slot_at = ${now}, last_slot_at = null`;
    const next =
      await query`select id from campaign_leads where status = 'pending' and hold_reason is null order by row_index limit ${CALLS}`;
    let acting = true;
    const claiming = async () => {
      while (acting) claimed += (await claim()).length;
    };
    const answers = next.map(({ id }, index) => act(id, ACTIONS[index % ACTIONS.length]!));
    const acted = Promise.all(answers).finally(() => (acting = false));
    await Promise.all([acted, claiming()]);
    for (const { status } of await acted) statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
  expect(claimed).toBeGreaterThan(0);
});

test("claims that pass over senders without work never wait for each other", async () => {
  const tenant = await api.tenant();
  const now = api.deps.clock.now();
  const campaigns = 20;
  for (let n = 0; n < campaigns; n++)
    await insertActiveCampaign(api.sql, tenant, { leads: 0, aliases: 10, now });
  const store = createPostgresStore(api.deps.db);
  await maintain(store, now, now, new Set());
  const order = { now, until: now, limit: 3, leaseSeconds: 600 };
  const claimAll = () => store.claim({ ...order, workerToken: randomUUID() });
  const before = await deadlocks();
  for (let round = 0; round < ROUNDS; round++) {
    await query`update sender_lanes set next_slot_at = ${now}::timestamptz + random() * interval '-1 second'`;
    await Promise.all(Array.from({ length: CALLS }, claimAll));
  }
  expect(await deadlocks()).toBe(before);
});

/** Sessions report what they counted when they end or after a while. */
async function deadlocks(): Promise<number> {
  const rows = await query`
    select pg_stat_clear_snapshot(), pg_stat_force_next_flush(), deadlocks::int from pg_stat_database where datname = current_database()`;
  return rows[0].deadlocks;
}
