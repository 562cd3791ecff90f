import { and, eq, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./client.ts";

/** A table with the columns of `ownedRow`. */
export type OwnedTable = PgTable & Record<"id" | "workspaceId", PgColumn>;

/** A record to be made: its id, its workspace and user, and the instant. */
export interface NewOwned {
  id: string;
  workspaceId: string;
  userId: string;
  now: Date;
}

/** The columns that every new record has. */
export const newRow = ({ id, workspaceId, userId, now }: NewOwned) => ({
  id,
  workspaceId,
  userId,
  createdAt: now,
  updatedAt: now,
});

/** The workspace's record of that id: one of another workspace is simply not found. */
export const ownedBy = (table: OwnedTable, workspaceId: string, id: string): SQL =>
  and(eq(table.workspaceId, workspaceId), eq(table.id, id)) as SQL;

export async function findOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  workspaceId: string,
  id: string,
): Promise<Table["$inferSelect"] | undefined> {
  const [row] = await db
    .select()
    .from(table as PgTable)
    .where(ownedBy(table, workspaceId, id));
  return row;
}

/** False when there is none, or the condition keeps it. */
export async function deleteOwned(
  db: Db,
  table: OwnedTable,
  workspaceId: string,
  id: string,
  condition?: SQL,
): Promise<boolean> {
  const isGone = and(ownedBy(table, workspaceId, id), condition);
  const rows = await db.delete(table).where(isGone).returning({ id: table.id });
  return rows.length > 0;
}
