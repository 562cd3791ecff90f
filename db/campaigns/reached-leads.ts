import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { unusableReason } from "../base/fragments/campaign-lead.ts";
import type { CampaignRow } from "../schema/index.ts";

/** How many leads of the dataset a launch at this instant would write to. */
export async function countReachedLeads(
  db: Db,
  { datasetId, type, workspaceId }: Pick<CampaignRow, "datasetId" | "type" | "workspaceId">,
  now: Date,
): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from leads lead
    where lead.dataset_id = ${datasetId} and lead.workspace_id = ${workspaceId}
      and ${unusableReason(sql`${type}::text`, now)} is null`);
  return rows[0]!.count;
}
