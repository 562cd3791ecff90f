import { eq } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { notificationPreferences } from "../schema/index.ts";

export type PreferencesRow = typeof notificationPreferences.$inferSelect;

export async function findPreferences(db: Db, userId: string): Promise<PreferencesRow | undefined> {
  const [row] = await db
    .select()
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId));
  return row;
}

/** Puts them in the place of whatever was there. Two at once: the later one stands, whole. */
export async function savePreferences(db: Db, row: PreferencesRow): Promise<void> {
  await db
    .insert(notificationPreferences)
    .values(row)
    .onConflictDoUpdate({ target: notificationPreferences.userId, set: row });
}
