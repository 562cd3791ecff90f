import { sourcesOf, type Trigger } from "#db/campaigns/transitions.ts";
import type { CampaignStatus } from "#db/schema/index.ts";
import { conflict } from "#src/errors.ts";

/** 409 INVALID_STATE_TRANSITION, naming the current status, unless the trigger has an edge from it. */
export function requireTransition(from: CampaignStatus, trigger: Trigger): void {
  const sources = sourcesOf(trigger);
  if (sources.includes(from)) return;
  throw invalidTransition(
    from,
    `The campaign is ${from}; ${trigger.replaceAll("_", " ")} is possible from ${sources.join(", ")}.`,
  );
}

export function invalidTransition(status: CampaignStatus, message: string) {
  return conflict("INVALID_STATE_TRANSITION", message, { detail: { status } });
}
