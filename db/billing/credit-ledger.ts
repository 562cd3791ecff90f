import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { rowReader, text } from "../base/rows.ts";
import { creditBalances, creditEntries, workspaces } from "../schema/index.ts";

export type CreditEntryRow = typeof creditEntries.$inferSelect;

export async function getBalance(db: Db, workspaceId: string) {
  const [row] = await db
    .select({
      available: creditBalances.available,
      held: creditBalances.held,
      owed: creditBalances.owed,
      plan: workspaces.plan,
    })
    .from(workspaces)
    .innerJoin(creditBalances, eq(creditBalances.workspaceId, workspaces.id))
    .where(eq(workspaces.id, workspaceId));
  return row;
}

/** Newest first, from below the entry `before`. */
export async function listEntries(
  db: Db,
  workspaceId: string,
  before: string | undefined,
  limit: number,
): Promise<CreditEntryRow[]> {
  return db
    .select()
    .from(creditEntries)
    .where(
      and(
        eq(creditEntries.workspaceId, workspaceId),
        before === undefined ? undefined : lt(creditEntries.id, before),
      ),
    )
    .orderBy(desc(creditEntries.id))
    .limit(limit);
}

export type DueHold = ReturnType<typeof readDueHold>;
const readDueHold = rowReader({ workspaceId: text, refType: text, refId: text });

/** Reads open holds alone: what was settled is no longer there, and what was given back not in the index. */
export const dueHoldsSql = (now: Date, limit: number): SQL => sql`
    select workspace_id, ref_type, ref_id from credit_holds
    where returned_at is null and expires_at <= ${instantParam(now)} order by expires_at limit ${limit}`;

/** Holds whose time is over, oldest first. */
export async function dueHolds(db: Db, now: Date, limit: number): Promise<DueHold[]> {
  const { rows } = await db.execute(dueHoldsSql(now, limit));
  return rows.map(readDueHold);
}
