/**
 * The first migration replaced 25. A database that has them all has it; one that has some of them is told the way.
 * What it has is known by the times in its table alone, so the old ones are marked here over the new schema.
 */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { MIGRATIONS_FOLDER, migrate } from "../../../scripts/apply-migrations.ts";
import { rootFolder } from "../../../scripts/command.ts";
import { stepsOf } from "../../../scripts/deploy/steps.ts";
import { keptSecrets } from "../../../scripts/stack/secrets.ts";
import { startStack } from "../../../scripts/stack/stack.ts";
import { cloneDatabase } from "../../support/database.ts";
import { runProgram } from "../../support/run-script.ts";

/** When each of them was made, 0000 to 0024. */
const REPLACED = [
  1795232221661, 1795232222753, 1795237672134, 1795238411145, 1795238916305, 1795239383511,
  1795240209693, 1795241143009, 1795248407057, 1795250873603, 1795251819950, 1795302143889,
  1795302144871, 1795315919792, 1795315920795, 1795328084471, 1795332604948, 1795336619928,
  1795336626686, 1795348219890, 1795348223503, 1795360583136, 1795360585836, 1795373262492,
  1795407562800,
];
const COMMIT = "017bbabce61ad51c4fe4510e0e10d436c445cefb";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-replaced-"));
const journal = JSON.parse(
  fs.readFileSync(path.join(MIGRATIONS_FOLDER, "meta/_journal.json"), "utf8"),
) as { entries: { tag: string; when: number }[] };
const [first, ...later] = journal.entries;

/** The first migration alone. */
const firstFolder = path.join(folder, "migrations");
fs.mkdirSync(path.join(firstFolder, "meta"), { recursive: true });
fs.copyFileSync(
  path.join(MIGRATIONS_FOLDER, `${first!.tag}.sql`),
  path.join(firstFolder, `${first!.tag}.sql`),
);
fs.writeFileSync(
  path.join(firstFolder, "meta/_journal.json"),
  JSON.stringify({ ...journal, entries: [first] }),
);

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeEach(async () => {
  database = await cloneDatabase({ ...inject("postgres"), template: "template1" });
});
afterEach(() => database.drop());
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function query(statement: string, url = database.url): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}

/** What the migrator's table says from now on. */
const mark = (...made: number[]) =>
  query(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    truncate drizzle.__drizzle_migrations;
    insert into drizzle.__drizzle_migrations (hash, created_at) select 'of ' || made, made from unnest('{${made.join()}}'::bigint[]) made`);

/** As the 25 left it, but for the order of columns. */
async function atTheLastReplaced(): Promise<void> {
  await migrate(database.url, firstFolder);
  await query(`
    alter table sends drop constraint sends_budget, add constraint sends_budget check (budget in ('', 'connection', 'message')) not valid;
    alter table campaign_leads drop constraint campaign_leads_budget,
      add constraint campaign_leads_budget check (next_budget in ('', 'connection', 'message')) not valid;
    create function engine_claim_3(timestamptz, timestamptz, int, int, uuid, text[]) returns int language sql return 1;
    create function engine_record_and_begin_5(timestamptz, uuid, jsonb, jsonb) returns int language sql return 1`);
  await mark(...REPLACED);
}

/** All that the schema holds, by name. */
const catalogue = (url: string) =>
  query(
    `select c.relname as of, a.attname as name, concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)) as is
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relnamespace = 'public'::regnamespace and c.relkind <> 'i'
     union all select relname, relkind::text, concat_ws(' ', reloptions::text, case when relkind = 'i' then pg_get_indexdef(oid) end) from pg_class where relnamespace = 'public'::regnamespace
     union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'function', oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
     union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select 'extension', extname, extversion from pg_extension order by 1, 2, 3`,
    url,
  );

/** Which tables and indexes there are, and the transaction that last changed each. */
const relations = () =>
  query(
    "select oid, xmin::text, relname from pg_class where relnamespace = 'public'::regnamespace order by oid",
  );

const laterTags = later.map(({ tag }) => tag);
async function command(url: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  const script = path.join(rootFolder, "scripts/migrate.ts");
  const { code, output } = await runProgram(process.execPath, [script], env);
  if (code !== 0) throw new Error(output);
  return output;
}
const deploy = (url: string) =>
  stepsOf({ DATABASE_URL: url }, "-")
    .find(({ title }) => title.startsWith("Migrations"))!
    .run();
async function start(url: string): Promise<string> {
  const secrets = keptSecrets(path.join(folder, "secrets.json"));
  const stack = await startStack({ secrets, databaseUrl: url, instance: "test", durable: false });
  await stack.close();
  return stack.migrations.join();
}

test("a database that has all the replaced ones has the first, and ends as an empty one does", async () => {
  await atTheLastReplaced();
  await migrate(database.url);
  const fresh = await cloneDatabase(inject("postgres"));
  const [is, wanted] = [await catalogue(database.url), await catalogue(fresh.url)];
  await fresh.drop();
  expect(wanted.length).toBeGreaterThan(1_000);
  expect(is).toEqual(wanted);
  expect(await migrate(database.url)).toEqual([]);
});

test("of the first nothing is run there", async () => {
  await atTheLastReplaced();
  const before = await relations();
  expect(await migrate(database.url, firstFolder)).toEqual([]);
  expect(await relations()).toEqual(before);
});

test.each([
  ["npm run db:migrate", command, laterTags.map((tag) => `applied ${tag}\n`).join("")],
  ["the deployment", deploy, `applied ${laterTags.join(", ")}`],
  ["the local stack", start, laterTags.join()],
])("%s goes on there with the second", async (_, run, says) => {
  await atTheLastReplaced();
  expect(await run(database.url)).toContain(says);
});

test("a database that has some of the replaced ones is told the commit, and stays as it is", async () => {
  const refusal = expect.stringMatching(
    new RegExp(`Nothing was changed[^]*git checkout ${COMMIT}\n`),
  );
  for (const count of REPLACED.keys()) {
    if (count === 0) continue;
    await mark(...REPLACED.slice(0, count));
    await expect(migrate(database.url)).rejects.toMatchObject({ message: refusal });
  }
  for (const run of [command, deploy, start])
    await expect(run(database.url)).rejects.toMatchObject({ message: refusal });
  expect(await relations()).toEqual([]);
  const rows = await query("select created_at as at from drizzle.__drizzle_migrations order by id");
  expect(rows.map(({ at }) => Number(at))).toEqual(REPLACED.slice(0, -1));
});
