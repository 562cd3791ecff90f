import { getCampaign, listCampaigns } from "#db/campaigns/campaigns.ts";
import { inWorkspace, requires } from "#src/domain/owned.ts";

export type { Campaign, CampaignFilter, ListedCampaign } from "#db/campaigns/campaigns.ts";
export {
  ACTION_TYPES,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  EXPERIMENT_METRICS,
  LAUNCH_POLICIES,
  LAUNCH_TYPES,
  LEAD_STATUSES,
  PAUSED_REASONS,
  WEEKDAYS,
} from "#db/schema/index.ts";

export const requireCampaign = requires("Campaign", getCampaign);

/** Newest first, and how many there are. */
export const findCampaigns = inWorkspace(listCampaigns);
