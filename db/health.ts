import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { readOptionalInstant } from "./instants.ts";
import journal from "./migrations/meta/_journal.json" with { type: "json" };

/** The newest migration this build was made with, as the migrator records it: milliseconds. */
const NEWEST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when));

/** One round trip: proves that the database answers. Throws when it does not. */
export async function readHealth(db: Db): Promise<{ migrated: boolean; lastTickAt: Date | null }> {
  const { rows } = await db.execute(sql`
    select (select max(created_at) from drizzle.__drizzle_migrations) as newest,
           (select last_tick_at from engine_state where id = 1) as last_tick_at`);
  return {
    migrated: Number(rows[0]?.["newest"] ?? 0) >= NEWEST_MIGRATION,
    lastTickAt: readOptionalInstant(rows[0]?.["last_tick_at"] ?? null),
  };
}
