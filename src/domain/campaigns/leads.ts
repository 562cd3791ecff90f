import {
  addCampaignLeads,
  type AdditionResult,
  type CampaignLead,
  getCampaignLead,
} from "#db/campaigns/leads.ts";
import { type LeadPage, listCampaignLeads } from "#db/campaigns/lead-list.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { enqueuePrefetchFor } from "./enqueue-prefetch.ts";
import { requireCampaign } from "./read.ts";
import { stepDueAt } from "#src/domain/engine/window.ts";
import { movedOn, requireTransition } from "./transitions.ts";
import { ownInterval } from "#src/domain/engine/window-columns.ts";

export type { CampaignLead } from "#db/campaigns/leads.ts";
export { LEAD_ORDERS, LOOKED_AT, placeOf } from "#db/campaigns/lead-list.ts";

/** One more than the page holds, and how far a search has looked. */
export async function findCampaignLeads(
  deps: Deps,
  { workspaceId }: Principal,
  campaignId: string,
  page: LeadPage,
) {
  const found = await listCampaignLeads(deps.db, workspaceId, campaignId, page);
  return requireFound(found, "Campaign");
}

export async function requireCampaignLead(
  deps: Deps,
  { workspaceId }: Principal,
  campaignId: string,
  id: string,
): Promise<CampaignLead> {
  return requireFound(await getCampaignLead(deps.db, workspaceId, campaignId, id), "Campaign lead");
}

/** The steps whose text was approved; `approved_emails` is keyed by step number. */
export function approvedSteps({ metadata }: Pick<CampaignLead, "metadata">): number[] {
  const entries = metadata["approved_emails"];
  if (typeof entries !== "object" || entries === null) return [];
  return Object.keys(entries)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Adds leads of any dataset of the workspace; safe to repeat. A completed campaign becomes active. */
export async function addLeads(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  leadIds: string[],
): Promise<AdditionResult> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  requireTransition(campaign.status, "add_leads");
  const now = deps.clock.now();
  const result = await addCampaignLeads(deps.db, {
    campaign,
    leadIds,
    firstActionAt: stepDueAt(now, campaign.steps[0]?.delay_days ?? 0, campaign.timezone),
    window: ownInterval(campaign, now),
    now,
  });
  if (result === null) throw await movedOn(deps, principal, campaignId, "addition");
  if (result.added > 0) await enqueuePrefetchFor(deps, campaign);
  return result;
}
