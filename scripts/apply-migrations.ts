import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrator } from "drizzle-orm/node-postgres/migrator";
import { Client } from "pg";
import { ENGINE_FUNCTIONS } from "#db/engine/functions.ts";
import { CURATED_LIST, loadDisposableList, readCuratedList } from "./disposable-lists.ts";

export const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, "../db/migrations");

/** Any constant; another migration of the same database waits. */
const MIGRATION_LOCK = 7_302_113;

/**
 * The migrations that became the first one. It has the time of the last of them, and by these times alone it is known
 * what a database has: one that has them all has the first one.
 */
const REPLACED = { first: 1_795_232_221_661, commit: "017bbabce61ad51c4fe4510e0e10d436c445cefb" };

interface Journal {
  entries: { tag: string; when: number }[];
}

/**
 * Applies what is missing of the migrations, all in one transaction, brings the curated list of disposable domains up
 * to date, and resolves with the names of the migrations applied. A database from which they lead nowhere is refused.
 * Needs a direct connection: the lock belongs to the session, which a transaction pooler does not keep.
 */
export async function migrate(url: string, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const journalFile = path.join(folder, "meta", "_journal.json");
  if (!fs.existsSync(journalFile)) {
    throw new Error(`There are no migrations in ${folder}; make them with "npm run db:generate".`);
  }
  if (new URL(url).hostname.includes("-pooler.")) {
    throw new Error("DATABASE_URL is a pooled one; migrations need the direct one (no -pooler).");
  }
  const journal = JSON.parse(fs.readFileSync(journalFile, "utf8")) as Journal;
  const client = new Client({ connectionString: url });
  // A lost connection fails the query under way; unheard, the event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await waitForLock(client);
    const applied = await appliedTimes(client);
    const refusal = refusalOf(
      applied,
      journal.entries.map(({ when }) => when),
    );
    if (refusal !== null) throw new Error(refusal);
    const newest = Math.max(...applied);
    const missing = journal.entries.filter(({ when }) => when > newest).map(({ tag }) => tag);
    for (const tag of missing)
      await buildIndexes(client, fs.readFileSync(path.join(folder, `${tag}.sql`), "utf8"));
    await runMigrator(drizzle(client), { migrationsFolder: folder });
    if (folder === MIGRATIONS_FOLDER) {
      await requireFunctions(client);
      await loadDisposableList(client, CURATED_LIST, readCuratedList());
    }
    return missing;
  } finally {
    await client.end();
  }
}

/** Of the engine's functions a migration drops the version before the last: a build further back finds its own no more. */
async function requireFunctions(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) name where not exists (select from pg_proc where proname = name)",
    [ENGINE_FUNCTIONS.map(({ name }) => name)],
  );
  const lacking = rows.map(({ name }) => name).join(", ");
  if (lacking !== "")
    throw new Error(
      `This database has no ${lacking}, which this commit calls: a later one took it away. Nothing was changed; go back no further than docs/deploying.md says under Rolling back.`,
    );
}

/** By asking again: a statement that waits for the lock would be one that an index built meanwhile waits for. */
async function waitForLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as is_ours", [
      MIGRATION_LOCK,
    ]);
    if (rows[0].is_ours) return;
    await delay(100);
  }
}

const UNDEFINED_COLUMN = "42703";

/**
 * An index of a table that is there already is built while the service writes to it, which cannot be done within a
 * transaction: beforehand, of what a migration makes `if not exists`. One whose building broke off is built anew.
 */
async function buildIndexes(client: Client, migration: string): Promise<void> {
  for (const statement of migration.split("--> statement-breakpoint")) {
    const made = /^\s*create index if not exists "(\w+)" on "(\w+)"/i.exec(statement);
    if (made === null) continue;
    const { rows } = await client.query(
      "select to_regclass($2) is not null as has_table, (select indisvalid from pg_index where indexrelid = to_regclass($1)) as is_valid",
      [made[1], made[2]],
    );
    const [{ has_table: hasTable, is_valid: isValid }] = rows;
    if (!hasTable || isValid === true) continue;
    if (isValid === false) await client.query(`drop index concurrently "${made[1]}"`);
    await client
      .query(statement.replace(/create index/i, "create index concurrently"))
      .catch(unlessColumnIsToCome);
  }
}

/** A migration before that one, missing as well, adds the column: then the index is made within its migration. */
function unlessColumnIsToCome(error: unknown): void {
  if ((error as { code?: string }).code !== UNDEFINED_COLUMN) throw error;
}

/** Migrations are ordered by the time they were made, which is how drizzle finds those missing. */
async function appliedTimes(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ at: string | null }>(
    "select to_regclass('drizzle.__drizzle_migrations')::text as at",
  );
  if (rows[0]?.at == null) return [];
  const applied = await client.query<{ at: string }>(
    "select created_at as at from drizzle.__drizzle_migrations",
  );
  return applied.rows.map(({ at }) => Number(at));
}

/**
 * Why these migrations do not lead on from those applied; null where they do. A database that has all of them and more
 * is a newer commit's: it is left as it is, since rolling back is deploying the older one.
 */
function refusalOf(applied: number[], known: number[]): string | null {
  const newest = Math.max(...applied);
  const leadOn = applied.includes(known.at(-1)!) || known.includes(newest);
  if (applied.length === 0 || leadOn) return null;
  if (applied.includes(REPLACED.first) && newest < known[0]!)
    return `The newest migration of this database is of ${new Date(newest).toISOString()}, and the steps from there have since become one. Nothing was changed. Take them first, by a commit that still has them:
  git checkout ${REPLACED.commit}
  (the command that you ran now)
  git checkout -
and run it here again. A local stack that holds nothing you need can begin anew: npm start -- --fresh`;
  return `The newest migration of this database (${newest}) is none of this checkout's. Nothing was changed. Either DATABASE_URL names the database of another application, or commits migrated it that this checkout lacks; git log --all -S${newest} -- db/migrations/meta names them, if they are here.`;
}
