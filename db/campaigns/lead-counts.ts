import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { integer, rowReader, typed } from "../base/rows.ts";
import type { CampaignLeadStatus } from "../schema/index.ts";
import { leadSumRows } from "./lead-sums.ts";

export type LeadCount = ReturnType<typeof readCount>;
const readCount = rowReader({
  status: typed<CampaignLeadStatus>(),
  leads: integer,
  held: integer,
});

/** How many leads of a campaign are in each status, and how many of these are held; a status without leads has no row. */
export async function countCampaignLeads(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<LeadCount[]> {
  const { rows } = await db.execute(sql`
    select n.status, sum(n.leads)::int as leads, sum(n.held)::int as held
    from (${leadSumRows(sql`${campaignId}::uuid`)}) n
    where exists (select from campaigns c where c.id = ${campaignId}::uuid and c.workspace_id = ${workspaceId}::uuid)
    group by n.status having sum(n.leads) <> 0`);
  return rows.map(readCount);
}
