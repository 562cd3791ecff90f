import { countCampaignLeads } from "#db/campaigns/lead-counts.ts";
import type { CampaignLeadStatus } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { LEAD_STATUSES, requireCampaign } from "./read.ts";

export interface LeadCounts {
  total: number;
  held: number;
  byStatus: Record<CampaignLeadStatus, number>;
}

/** How many leads of a campaign stand where. */
export async function countLeads(
  deps: Deps,
  principal: Principal,
  campaignId: string,
): Promise<LeadCounts> {
  const [, rows] = await Promise.all([
    requireCampaign(deps, principal, campaignId),
    countCampaignLeads(deps.db, principal.workspaceId, campaignId),
  ]);
  const leadsOf = new Map(rows.map(({ status, leads }) => [status, leads]));
  return {
    total: rows.reduce((sum, { leads }) => sum + leads, 0),
    held: rows.reduce((sum, { held }) => sum + held, 0),
    byStatus: Object.fromEntries(
      LEAD_STATUSES.map((status) => [status, leadsOf.get(status) ?? 0]),
    ) as Record<CampaignLeadStatus, number>,
  };
}
