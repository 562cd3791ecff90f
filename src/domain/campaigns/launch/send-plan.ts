import { digestRecipients } from "#db/campaigns/recipients.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireCampaign } from "../read.ts";
import { referencesOf } from "../steps.ts";

/** What a launch or resume would send, as far as the campaign's user decides it. */
export interface SendPlan {
  configVersion: number;
  recipients: number;
  /** Of the recipients and templates: any change of them changes it. */
  digest: string;
}

/** The plan that a person confirms, to be compared with the one at the time of the confirmation. */
export async function planOfSending(
  deps: Deps,
  principal: Principal,
  campaignId: string,
): Promise<SendPlan> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  const { templateIds } = referencesOf(campaign.steps);
  const { count, digest, texts } = await digestRecipients(deps.db, campaign, templateIds);
  return {
    configVersion: campaign.configVersion,
    recipients: count,
    digest: `${digest ?? ""}.${texts ?? ""}`,
  };
}
