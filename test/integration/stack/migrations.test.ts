import * as fs from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { migrate } from "../../../scripts/apply-migrations.ts";
import { home, postgres, useOwnPostgres } from "./own-postgres.ts";

useOwnPostgres();

let url: string;

beforeEach(async () => {
  await postgres.dropDatabase("app");
  url = await postgres.createDatabase("app");
});

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

async function tables(): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  );
  await client.end();
  return rows.map(({ tablename }) => tablename);
}

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

test("a pooled connection and a folder without migrations are refused by name", async () => {
  await expect(migrate("postgresql://u:p@ep-x-pooler.neon.tech/app")).rejects.toThrow("-pooler");
  await expect(migrate(url, home)).rejects.toThrow(`There are no migrations in ${home}`);
});
