import { moveCampaign, moveToLaunch } from "#db/campaigns/state.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { BEFORE_FIRST_ROW } from "../create.ts";
import { armLaunchCheck, queueLaunchJob } from "./messages.ts";
import { requirePreflight } from "../preflight/preflight.ts";
import { requireCampaign } from "../read.ts";
import { invalidTransition, requireTransition } from "../transitions.ts";

/** Launches at once, or at the start date if that lies ahead. Of two at once, one gets 409. */
export async function launchCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, id);
  const now = deps.clock.now();
  const { launchType, startDate } = campaign;
  const later = launchType === "scheduled" && startDate !== null && startDate > now;
  const trigger = later ? "schedule" : "launch";
  requireTransition(campaign.status, trigger);
  await requirePreflight(deps, campaign, now);

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
  await (later ? armLaunchCheck(deps, launched) : queueLaunchJob(deps, launched, "first"));
  return launched;
}

/** Back to draft; a check that is armed already finds another generation and does nothing. */
export async function unscheduleCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, id);
  requireTransition(campaign.status, "unschedule");
  const draft = await moveCampaign(deps.db, {
    campaign,
    trigger: "unschedule",
    set: {
      scheduleGeneration: campaign.scheduleGeneration + 1,
      launchJobId: null,
      launchRequestedAt: null,
    },
    now: deps.clock.now(),
  });
  if (draft === undefined) throw await movedOn(deps, principal, id, "unscheduling");
  return draft;
}

/** The 409 of a race that was lost, naming what the status has become. */
export async function movedOn(deps: Deps, principal: Principal, id: string, what: string) {
  const { status } = await requireCampaign(deps, principal, id);
  return invalidTransition(
    status,
    `The campaign changed meanwhile and is now ${status}; the ${what} did not happen.`,
  );
}
