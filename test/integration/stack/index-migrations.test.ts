/** An index of a table that is in use is built while the service goes on writing to it. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate } from "../../../scripts/apply-migrations.ts";
import { cloneDatabase } from "../../support/database.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-indexes-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const MIGRATIONS = [
  'create table "notes" (id int primary key, at int)',
  'CREATE INDEX IF NOT EXISTS "notes_at" ON "notes" USING btree ("at");--> statement-breakpoint\nalter table notes add column text text',
];

/** A folder with the first so many of them. */
function folderOf(count: number): string {
  const of = path.join(folder, String(count));
  fs.mkdirSync(path.join(of, "meta"), { recursive: true });
  const entries = MIGRATIONS.slice(0, count).map((text, idx) => {
    const tag = `000${idx}_notes`;
    fs.writeFileSync(path.join(of, `${tag}.sql`), text);
    return { idx, version: "7", when: 1_000 + idx, tag, breakpoints: true };
  });
  const journal = { version: "7", dialect: "postgresql", entries };
  fs.writeFileSync(path.join(of, "meta/_journal.json"), JSON.stringify(journal));
  return of;
}

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let clients: Client[] = [];
beforeEach(async () => {
  database = await cloneDatabase({ ...inject("postgres"), template: "template1" });
});
afterEach(async () => {
  for (const client of clients) await client.end();
  clients = [];
  await database.drop();
});
async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}

const isValid = async (client: Client) =>
  (
    await client.query(
      "select indisvalid as is from pg_index where indexrelid = to_regclass('notes_at')",
    )
  ).rows[0]?.is;

test("while it waits for a transaction that writes, others go on writing", async () => {
  await migrate(database.url, folderOf(1));
  const [writer, other] = [await connect(), await connect()];
  await writer.query("begin");
  await writer.query("insert into notes values (1, 1)");
  const migrating = migrate(database.url, folderOf(2));
  for (let looks = 0; looks < 2_000; looks++) {
    const { rows } = await other.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0].n > 0) break;
  }
  await other.query("set lock_timeout = '2s'");
  await other.query("insert into notes values (2, 2)");
  await writer.query("commit");
  expect(await migrating).toEqual(["0001_notes"]);
  expect(await isValid(other)).toBe(true);
});

test("one whose building broke off is built anew, and one that is there is left", async () => {
  await migrate(database.url, folderOf(1));
  const client = await connect();
  await client.query("create index notes_at on notes (at)");
  await client.query(
    "update pg_index set indisvalid = false where indexrelid = 'notes_at'::regclass",
  );
  await migrate(database.url, folderOf(2));
  expect(await isValid(client)).toBe(true);
});
