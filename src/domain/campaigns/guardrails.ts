import { reassignLeads } from "#db/engine/index.ts";
import { pauseBadlyReceived, pauseStranded } from "#db/campaigns/guardrails.ts";
import type { Deps } from "#src/deps.ts";
import { GUARDRAILS } from "#src/domain/senders/guard-rates.ts";
import { DAY_MS } from "#src/platform/durations.ts";

const WINDOW_MS = 7 * DAY_MS;

/** Pauses those of the campaigns that are received too badly, with a notice to their owners. Answers which. */
export async function checkGuardrails(deps: Deps, campaignIds: string[]): Promise<string[]> {
  const now = deps.clock.now();
  const rules = { ...GUARDRAILS, since: new Date(now.getTime() - WINDOW_MS) };
  const paused = await pauseBadlyReceived(deps.db, campaignIds, rules, now);
  if (paused.length === 0) return paused;
  deps.log.info("guardrail_paused", { campaign_ids: paused });
  deps.wakeOutbox();
  return paused;
}

/** Part of the regular full check: pauses campaigns without a sender left. Answers which. */
export async function pauseStrandedCampaigns(deps: Deps): Promise<string[]> {
  const paused = await pauseStranded(deps.db, deps.clock.now());
  if (paused.length === 0) return paused;
  deps.log.info("campaigns_without_sender", { campaign_ids: paused });
  deps.wakeOutbox();
  return paused;
}

/** A sender that cannot send for this long is replaced: its leads go on from another, in a new thread. */
const GONE_AFTER_MS = 7 * DAY_MS;

/** Part of the engine's full check; bounded, so that what is left waits for the next. Answers how many leads moved. */
export function replaceGoneSenders({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const now = clock.now();
  return reassignLeads(db, now, new Date(now.getTime() - GONE_AFTER_MS));
}
