import { moveToLaunch } from "#db/campaigns/state.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { BEFORE_FIRST_ROW } from "../create.ts";
import { armLaunchCheck, enqueueLaunch } from "./messages.ts";
import type { Check } from "../preflight/checks.ts";
import { requirePreflight } from "../preflight/preflight.ts";
import { requireCampaign } from "../read.ts";
import { moveBy, movedOn, requireTransition } from "../transitions.ts";

/** A campaign on its way, and what was found before. */
export interface LaunchedCampaign {
  campaign: Campaign;
  /** Among them what did not stop the launch, and is to be known. */
  checks: Check[];
}

/** Launches at once, or at the start date if that lies ahead. Of two at once, one gets 409. */
export async function launchCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<LaunchedCampaign> {
  const campaign = await requireCampaign(deps, principal, id);
  const now = deps.clock.now();
  const { launchType, startDate } = campaign;
  const later = launchType === "scheduled" && startDate !== null && startDate > now;
  const trigger = later ? "schedule" : "launch";
  requireTransition(campaign.status, trigger);
  const checks = await requirePreflight(deps, campaign, now);

  const launched = await moveToLaunch(deps.db, {
    campaign,
    trigger,
    // What was checked is what is launched.
    expect: { configVersion: campaign.configVersion },
    set: {
      launchJobId: deps.ids.uuid(),
      launchRequestedAt: now,
      launchError: null,
      launchCursor: BEFORE_FIRST_ROW,
      scheduleGeneration: campaign.scheduleGeneration + 1,
    },
    now,
  });
  if (launched === undefined) throw await movedOn(deps, principal, id, "launch");
  await (later ? armLaunchCheck(deps, launched) : enqueueLaunch(deps, launched, "first"));
  return { campaign: launched, checks };
}

/** Back to draft; a check that is armed already finds another generation and does nothing. */
export function unscheduleCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const set = ({ scheduleGeneration }: Campaign) => ({
    scheduleGeneration: scheduleGeneration + 1,
    launchJobId: null,
    launchRequestedAt: null,
  });
  return moveBy("unschedule", deps, principal, id, set, "unscheduling");
}
