import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import type { connectedAccounts, mailAliases, senderProfiles } from "../schema/index.ts";

/** Records of which a workspace has one default at most. */
type Markable = typeof connectedAccounts | typeof mailAliases | typeof senderProfiles;

/**
 * A transaction that moves the default mark takes this lock in a statement before, so that it sees which alias has
 * the mark now. The order of locks: the quotas' (`lockQuotas`), the mark's, then rows.
 */
export const lockDefaultMark = (db: Db, workspaceId: string): Statement =>
  db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${workspaceId}::uuid::text || ':defaults', 0))`,
  );

/** Takes the default mark from all records but the new default, where the condition holds; does nothing without one. */
export function clearDefaultStatement(
  db: Db,
  table: Markable,
  workspaceId: string,
  newDefault: string | null,
  now: Date,
  condition?: SQL,
) {
  const isOther = (id: string) =>
    and(eq(table.workspaceId, workspaceId), eq(table.isDefault, true), ne(table.id, id), condition);
  return db
    .update(table)
    .set({ isDefault: false, updatedAt: now })
    .where(newDefault === null ? sql`false` : isOther(newDefault));
}

/** Whether a new record gets the mark: a workspace's first one does in any case. */
export const isMarked = (table: Markable, workspaceId: string, asDefault: boolean) =>
  asDefault ||
  sql<boolean>`not exists (select 1 from ${table} where workspace_id = ${workspaceId})`;
