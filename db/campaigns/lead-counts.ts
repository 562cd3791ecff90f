import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { campaignLeads, type CampaignLeadStatus } from "../schema/index.ts";

export interface LeadCount {
  status: CampaignLeadStatus;
  leads: number;
  held: number;
}

/** How many leads of a campaign are in each status, and how many of these are held; a status without leads has no row. */
export const countCampaignLeads = (
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<LeadCount[]> =>
  db
    .select({
      status: campaignLeads.status,
      leads: sql<number>`count(*)::int`,
      held: sql<number>`count(*) filter (where ${campaignLeads.holdReason} is not null)::int`,
    })
    .from(campaignLeads)
    .where(
      and(eq(campaignLeads.workspaceId, workspaceId), eq(campaignLeads.campaignId, campaignId)),
    )
    .groupBy(campaignLeads.status);
