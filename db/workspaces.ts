import { and, eq, sql } from "drizzle-orm";
import { commit, type Db } from "./client.ts";
import { creditBalances, senderLanes, users, workspaces } from "./schema/index.ts";

export type WorkspaceRow = typeof workspaces.$inferSelect;

export async function getWorkspace(db: Db, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await db.select().from(workspaces).where(eq(workspaces.id, id));
  return row;
}

export interface WorkspaceChange {
  name?: string;
  timezone?: string;
  postalAddress?: string | null;
}

/**
 * With another time zone the accounting days of the workspace's senders are
 * cleared, for the engine to compute them anew: they are dates of this zone.
 */
export async function updateWorkspace(
  db: Db,
  id: string,
  change: WorkspaceChange,
  now: Date,
): Promise<WorkspaceRow | undefined> {
  const update = db
    .update(workspaces)
    .set({ ...change, updatedAt: now })
    .where(eq(workspaces.id, id))
    .returning();
  if (change.timezone === undefined) return (await update)[0];
  const zoneDiffers = sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${id} and ${workspaces.timezone} <> ${change.timezone})`;
  const clearDays = db
    .update(senderLanes)
    .set({ dayFrom: null, dayUntil: null, updatedAt: now })
    .where(and(eq(senderLanes.workspaceId, id), zoneDiffers));
  const [, rows] = await commit(db, [clearDays, update]);
  return (rows as WorkspaceRow[])[0];
}

/** A user beside the workspace and what it can spend. */
export async function getAccount(db: Db, workspaceId: string, userId: string) {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      createdAt: users.createdAt,
      workspaceId: workspaces.id,
      workspaceName: workspaces.name,
      plan: workspaces.plan,
      credits: sql<number>`coalesce(${creditBalances.available}, 0)`,
    })
    .from(users)
    .innerJoin(workspaces, eq(workspaces.id, workspaceId))
    .leftJoin(creditBalances, eq(creditBalances.workspaceId, workspaces.id))
    .where(eq(users.id, userId));
  return row;
}
