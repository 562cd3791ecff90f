import { eq, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import {
  type DaySpan,
  lockQuotas,
  lockLanesStatement,
  moveLanes,
  recordSpentStatement,
  reallotStatement,
} from "../engine/index.ts";
import { creditBalances, senderLanes, users, workspaces } from "../schema/index.ts";

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

export async function updateWorkspace(
  db: Db,
  id: string,
  change: WorkspaceChange,
  now: Date,
): Promise<WorkspaceRow | undefined> {
  const [row] = await updateStatement(db, id, change, now);
  return row;
}

const updateStatement = (db: Db, id: string, change: WorkspaceChange, now: Date) =>
  db
    .update(workspaces)
    .set({ ...change, updatedAt: now })
    .where(eq(workspaces.id, id))
    .returning();

/** The last slots of the workspace's senders: what is claimed ahead belongs to their days. */
export async function lastSlotsOf(
  db: Db,
  workspaceId: string,
): Promise<{ id: string; lastSlotAt: Date | null }[]> {
  const { id, lastSlotAt } = senderLanes;
  return db
    .select({ id, lastSlotAt })
    .from(senderLanes)
    .where(eq(senderLanes.workspaceId, workspaceId));
}

/**
 * With another time zone the accounting days of the workspace's senders are other
 * ones: each sender gets its new day with what the ledger has in it already, so
 * that a change never grants a second daily limit. A sender that had used up its
 * old day looks again. What is left of a domain's limit is dealt anew.
 */
export async function moveWorkspace(
  db: Db,
  id: string,
  change: WorkspaceChange,
  days: { day: DaySpan; laneIds: string[] }[],
  now: Date,
): Promise<WorkspaceRow | undefined> {
  const moved = days.map(({ day, laneIds }) => {
    const from = sql`unnest(${sql.param(laneIds)}::uuid[]) moved(id)`;
    const where = sql`lane.id = moved.id and lane.workspace_id = ${id}`;
    return db.execute(moveLanes({ from, where }, day, instantParam(now)));
  });
  const [, , rows] = await commit(db, [
    lockQuotas(db, id),
    lockLanesStatement(db, id),
    updateStatement(db, id, change, now),
    ...moved,
    ...recordSpentStatement(
      db,
      sql`d.workspace_id = ${id}`,
      days.map(({ day }) => day),
    ),
    reallotStatement(db, sql`a.workspace_id = ${id}`, now),
  ]);
  return rows[0];
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
