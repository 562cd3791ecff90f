import {
  type Campaign,
  type CampaignFilter,
  getCampaign,
  listCampaigns,
} from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";

export type { Campaign, CampaignFilter } from "#db/campaigns/campaigns.ts";
export {
  ACTION_TYPES,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  LAUNCH_POLICIES,
  LAUNCH_TYPES,
  LEAD_STATUSES,
  PAUSED_REASONS,
  WEEKDAYS,
} from "#db/schema/index.ts";

export async function requireCampaign(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<Campaign> {
  const campaign = await getCampaign(deps.db, workspaceId, id);
  if (campaign === undefined) throw notFound("Campaign");
  return campaign;
}

/** Newest first, and how many there are. */
export function findCampaigns(
  deps: Deps,
  { workspaceId }: Principal,
  filter: CampaignFilter,
): Promise<{ rows: Campaign[]; total: number }> {
  return listCampaigns(deps.db, workspaceId, filter);
}
