import type { ApprovedEmailEntry, CampaignLead } from "../../api/schema.ts";

/** Why a lead waits that has no approved text yet: not by a person's hand. */
export const WAITS_FOR_REVIEW = "personalization_review_pending";

export type ApprovedText = NonNullable<ApprovedEmailEntry>;

/** The text that is approved for a lead's step, as the lead keeps it. */
export function approvedOf(lead: CampaignLead | undefined, step: number): ApprovedText | undefined {
  const all = lead?.metadata["approved_emails"] as Record<string, ApprovedText> | undefined;
  return all?.[String(step)];
}
