import { moveCampaign } from "#db/campaigns/state.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { insertDraft } from "./create.ts";
import { finishCampaigns } from "./finish.ts";
import { requireCampaign } from "./read.ts";
import { moveBy, movedOn } from "./transitions.ts";

/** No lead starts any more; started leads get their remaining steps. Then a job skips the unstarted ones. */
export async function drainCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  await moveBy("drain", deps, principal, id, () => ({}));
  // A campaign without a started lead ends at once.
  await finishCampaigns(deps, [id]);
  return requireCampaign(deps, principal, id);
}

/** A failed launch becomes a draft again, with everything that can be changed. */
export function resetCampaign(deps: Deps, principal: Principal, id: string): Promise<Campaign> {
  const set = { launchError: null, launchJobId: null, launchRequestedAt: null };
  return moveBy("reset", deps, principal, id, () => set);
}

const NAME_MAX = 255;

/** A draft with the same configuration, and nothing of what happened. */
export async function duplicateCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const { processedLeads: _count, ...config } = await requireCampaign(deps, principal, id);
  const suffix = " (copy)";
  const name = config.name.slice(0, NAME_MAX - suffix.length) + suffix;
  return insertDraft(deps, { ...config, externalId: null, userId: principal.userId, name });
}

export async function dismissDiscovery(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, id);
  const now = deps.clock.now();
  const set = { playgroundDiscoveryDismissedAt: campaign.playgroundDiscoveryDismissedAt ?? now };
  const dismissed = await moveCampaign(deps.db, { campaign, trigger: null, set, now });
  if (dismissed === undefined) throw await movedOn(deps, principal, id, "dismissal");
  return dismissed;
}
