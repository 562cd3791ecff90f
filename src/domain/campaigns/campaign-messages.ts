import {
  type CampaignMessage,
  listCampaignMessages,
  type MessagePage,
} from "#db/campaigns/campaign-messages.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireCampaign } from "./read.ts";

export { MESSAGE_KINDS } from "#db/campaigns/campaign-messages.ts";
export type { CampaignMessage } from "#db/campaigns/campaign-messages.ts";

/** What of a campaign went out, the earliest first: one more than the page's limit. */
export async function findCampaignMessages(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  page: MessagePage,
): Promise<CampaignMessage[]> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  return listCampaignMessages(deps.db, campaign, page);
}
