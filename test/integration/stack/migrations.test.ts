import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { claimFunction } from "#db/engine/claim.ts";
import { migrate } from "../../../scripts/apply-migrations.ts";
import { cloneDatabase } from "../../support/database.ts";

const home = fs.mkdtempSync(path.join(os.tmpdir(), "overture-migrations-"));
let url: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ url, drop } = await cloneDatabase({ ...inject("postgres"), template: "template1" }));
});
afterEach(() => drop());
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** A migrations folder as drizzle-kit writes it, one file per text, in that order. */
function folderOf(...texts: string[]): string {
  const folder = fs.mkdtempSync(path.join(home, "migrations-"));
  fs.mkdirSync(path.join(folder, "meta"));
  const entries = texts.map((text, index) => {
    const tag = `000${index}_step`;
    fs.writeFileSync(path.join(folder, `${tag}.sql`), text);
    return { idx: index, version: "7", when: 1_700_000_000_000 + index, tag, breakpoints: true };
  });
  const journal = { version: "7", dialect: "postgresql", entries };
  fs.writeFileSync(path.join(folder, "meta/_journal.json"), JSON.stringify(journal));
  return folder;
}

async function query(statement: string, values: unknown[] = []): Promise<{ name: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return (await client.query<{ name: string }>(statement, values).finally(() => client.end())).rows;
}

async function tables(): Promise<string[]> {
  const rows = await query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
}

/** Another migrator's entry, of that time. */
const noteApplied = (when: number) =>
  query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('other', $1)", [when]);

const FIRST = "create table a (id int);\n--> statement-breakpoint\ncreate table b (id int);";
const SECOND = "create table c (id int);";

test("what is missing is applied, in order, and named", async () => {
  expect(await migrate(url, folderOf(FIRST))).toEqual(["0000_step"]);
  expect(await migrate(url, folderOf(FIRST, SECOND))).toEqual(["0001_step"]);
  expect(await migrate(url, folderOf(FIRST, SECOND))).toEqual([]);
  expect(await tables()).toEqual(["a", "b", "c"]);
});

test("a migration that fails leaves nothing of the run, and a mended one applies", async () => {
  await expect(migrate(url, folderOf(FIRST, "create table broken"))).rejects.toThrow(
    "create table broken",
  );
  expect(await tables()).toEqual([]);
  expect(await migrate(url, folderOf(FIRST, SECOND))).toEqual(["0000_step", "0001_step"]);
});

test("of many that migrate at once, one applies", async () => {
  const folder = folderOf(FIRST, SECOND);
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url, folder)));
  expect(applied.filter((names) => names.length > 0)).toEqual([["0000_step", "0001_step"]]);
});

test("a database that other commits took on from some of ours is refused unchanged", async () => {
  await migrate(url, folderOf(FIRST));
  await noteApplied(1_800_000_000_000);
  await expect(migrate(url, folderOf(FIRST, SECOND))).rejects.toThrow(
    "(1800000000000) is none of this checkout's. Nothing was changed",
  );
  expect(await tables()).toEqual(["a", "b"]);
});

test("another application's database, migrated before ours were made or after, is refused unchanged", async () => {
  await migrate(url, folderOf());
  for (const when of [1_600_000_000_000, 1_800_000_000_000]) {
    await noteApplied(when);
    await expect(migrate(url, folderOf(FIRST))).rejects.toThrow(`(${when}) is none of`);
  }
  expect(await tables()).toEqual([]);
});

test("a database that has all of ours and more is left as it is: an older commit can be deployed", async () => {
  await migrate(url, folderOf(FIRST));
  await noteApplied(1_800_000_000_000);
  expect(await migrate(url, folderOf(FIRST))).toEqual([]);
  expect(await tables()).toEqual(["a", "b"]);
});

test("a database from which a later commit took a function that this build calls is none to go back to", async () => {
  await migrate(url);
  await noteApplied(Date.now());
  expect(await migrate(url)).toEqual([]);
  await query(`alter function ${claimFunction.name} rename to engine_claim_of_later`);
  await expect(migrate(url)).rejects.toThrow(
    `no ${claimFunction.name}, which this commit calls: a later one took it away`,
  );
});

test("a pooled connection and a folder without migrations are refused by name", async () => {
  await expect(migrate("postgresql://u:p@ep-x-pooler.neon.tech/app")).rejects.toThrow("-pooler");
  await expect(migrate(url, home)).rejects.toThrow(`There are no migrations in ${home}`);
});
