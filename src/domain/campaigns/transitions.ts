import type { Campaign } from "#db/campaigns/campaigns.ts";
import { type Move, moveCampaign } from "#db/campaigns/state.ts";
import { sourcesOf, type Trigger } from "#db/base/fragments/transitions.ts";
import type { CampaignStatus } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict } from "#src/errors.ts";
import { requireCampaign } from "./read.ts";

/** 409 INVALID_STATE_TRANSITION, naming the current status, unless the trigger has an edge from it. */
export function requireTransition(from: CampaignStatus, trigger: Trigger): void {
  const sources = sourcesOf(trigger);
  if (sources.includes(from)) return;
  throw invalidTransition(
    from,
    `The campaign is ${from}; ${trigger.replaceAll("_", " ")} is possible from ${sources.join(", ")}.`,
  );
}

/** Takes an edge of the table for a caller: 409 when there is none from here, or another request was first. */
export async function moveBy(
  trigger: Trigger,
  deps: Deps,
  principal: Principal,
  id: string,
  set: (campaign: Campaign) => Move["set"],
  what: string = trigger,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, id);
  requireTransition(campaign.status, trigger);
  const move = { campaign, trigger, set: set(campaign), now: deps.clock.now() };
  const moved = await moveCampaign(deps.db, move);
  if (moved === undefined) throw await movedOn(deps, principal, id, what);
  return moved;
}

/** The 409 of a race that was lost, naming what the status has become. */
export async function movedOn(deps: Deps, principal: Principal, id: string, what: string) {
  const { status } = await requireCampaign(deps, principal, id);
  return invalidTransition(
    status,
    `The campaign changed meanwhile and is now ${status}; the ${what} did not happen.`,
  );
}

export function invalidTransition(status: CampaignStatus, message: string) {
  return conflict("INVALID_STATE_TRANSITION", message, { detail: { status } });
}
