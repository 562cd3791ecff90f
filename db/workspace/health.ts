import { desc, isNotNull, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instant, integer, orNull, rowReader } from "../base/rows.ts";
import { mailAliases } from "../schema/index.ts";
import journal from "../migrations/meta/_journal.json" with { type: "json" };

/** The newest migration this build was made with, as the migrator records it: milliseconds. */
const NEWEST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when));

/** One round trip: proves that the database answers. Throws when it does not. */
export async function readHealth(db: Db): Promise<{ migrated: boolean; lastTickAt: Date | null }> {
  const { rows } = await db.execute(sql`
    select (select max(created_at) from drizzle.__drizzle_migrations) as newest,
           (select last_tick_at from engine_state where id = 1) as last_tick_at`);
  const { newest, lastTickAt } = readState(rows[0]!);
  return { migrated: newest >= NEWEST_MIGRATION, lastTickAt };
}

/** The secrets that were sealed last, of whatever workspace: what a master key that is right opens. */
export const newestSecrets = (db: Db, limit: number) =>
  db
    .select({ aliasId: mailAliases.id, secret: sql<string>`${mailAliases.transportSecret}` })
    .from(mailAliases)
    .where(isNotNull(mailAliases.transportSecret))
    .orderBy(desc(mailAliases.createdAt))
    .limit(limit);

const readState = rowReader({ newest: integer, lastTickAt: orNull(instant) });
