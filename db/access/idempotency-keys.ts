import { and, eq, sql } from "drizzle-orm";
import { type Db, prepared } from "../base/client.ts";
import type { Claim } from "../base/claiming.ts";
import { instantParam } from "../base/instants.ts";
import { idempotencyKeys } from "../schema/index.ts";

export { claimingDb } from "../base/claiming.ts";

/** A key of a workspace. */
export interface KeyName {
  workspaceId: string;
  keyHash: string;
}

export type UsedKey = typeof idempotencyKeys.$inferSelect;
type NewKey = Omit<typeof idempotencyKeys.$inferInsert, "status" | "headers" | "body">;

/** What a request answered. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const byName = prepared((db) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.workspaceId, sql.placeholder("workspaceId")),
        eq(idempotencyKeys.keyHash, sql.placeholder("keyHash")),
      ),
    ),
);

export async function findUsedKey(db: Db, name: KeyName): Promise<UsedKey | undefined> {
  const [row] = await byName(db, { ...name });
  return row;
}

/** One request of all that come with the key gets it: the insert of every other one fails. */
export const claimOf = (db: Db, row: () => NewKey): Claim => ({
  statement: () => db.insert(idempotencyKeys).values(row()).toSQL(),
  constraint: "idempotency_keys_pkey",
});

export async function keepAnswer(
  db: Db,
  { workspaceId, keyHash }: KeyName,
  answer: KeptAnswer,
): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set(answer)
    .where(and(eq(idempotencyKeys.workspaceId, workspaceId), eq(idempotencyKeys.keyHash, keyHash)));
}

/** The oldest, no more than `limit`; answers how many. */
export async function dropOldKeys(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.execute<{ dropped: number }>(sql`
    with dropped as (
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at < ${instantParam(before)} order by created_at limit ${limit}))
      returning 1
    )
    select count(*)::int as dropped from dropped`);
  return rows[0]!.dropped;
}
