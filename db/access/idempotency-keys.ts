import { and, eq, sql } from "drizzle-orm";
import { type Db, prepared } from "../base/client.ts";
import type { Claim } from "../base/claiming.ts";
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
