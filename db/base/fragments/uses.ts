import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { deleteOwned, type OwnedTable } from "../owned.ts";
import { campaigns } from "#db/schema/index.ts";

/** Whether a campaign uses a record; joined with `underWay` it keeps the record from being deleted. */
export const usesTemplate = (id: string): SQL =>
  sql`${campaigns.steps} @> ${JSON.stringify([{ variants: [{ template_id: id }] }])}::jsonb`;
export const usesSenderProfile = (id: string): SQL =>
  sql`${campaigns.steps} @> ${JSON.stringify([{ variants: [{ sender_profile_id: id }] }])}::jsonb`;
export const usesAlias = (id: string): SQL => sql`${id}::uuid = any(${campaigns.aliasIds})`;
export const usesAccount = (id: string): SQL => eq(campaigns.connectedAccountId, id);
export const usesDataset = (id: string): SQL => eq(campaigns.datasetId, id);

/** Campaigns whose parts must not be deleted under them (contract section 0). */
const underWay = () =>
  sql`${campaigns.deletedAt} is null and ${campaigns.status} in ('scheduled', 'launching', 'active', 'draining', 'paused')`;

/** Part of the `where` of a delete, so that a launch between look and delete is not overlooked. */
export const notUsed = (workspaceId: string, uses: SQL): SQL =>
  sql`not exists (select 1 from campaigns where ${and(eq(campaigns.workspaceId, workspaceId), uses, underWay())})`;

export interface Deletion {
  deleted: boolean;
  /** The campaigns under way that the record was kept for, newest first; none where there is no such record. */
  usedBy: string[];
}

/** Deletes a record of the workspace unless a campaign under way uses it. */
export async function deleteUnused(
  db: Db,
  table: OwnedTable,
  workspaceId: string,
  id: string,
  uses: SQL,
): Promise<Deletion> {
  const deleted = await deleteOwned(db, table, workspaceId, id, notUsed(workspaceId, uses));
  return deletionOf(db, workspaceId, uses, deleted);
}

export async function deletionOf(
  db: Db,
  workspaceId: string,
  uses: SQL,
  deleted: boolean,
): Promise<Deletion> {
  return { deleted, usedBy: deleted ? [] : await campaignsUsing(db, workspaceId, uses) };
}

async function campaignsUsing(db: Db, workspaceId: string, uses: SQL): Promise<string[]> {
  const rows = await db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), uses, underWay()))
    .orderBy(desc(campaigns.id))
    .limit(100);
  return rows.map((row) => row.id);
}
