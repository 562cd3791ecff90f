import { pauseFailingToWrite, pauseWithoutCredit } from "#db/campaigns/draft-guard.ts";
import type { Deps } from "#src/deps.ts";
import { HELD_MS } from "#src/domain/billing/credits/charge.ts";

/** A model that fails so often fails the next text too, and each costs its lead time. */
export const DRAFT_RULES = { failuresInARow: 10, failures: 10, among: 20 };

/** Pauses the campaigns whose texts cannot be written, with a notice to their owners. Answers which. */
export async function guardDrafts(deps: Deps, campaignIds: readonly string[]): Promise<string[]> {
  const now = deps.clock.now();
  const paused = await pauseFailingToWrite(deps.db, campaignIds, DRAFT_RULES, now);
  if (paused.length === 0) return paused;
  deps.log.info("personalization_failing", { campaign_ids: paused });
  deps.wakeOutbox();
  return paused;
}

/** Pauses a campaign whose workspace cannot pay for its texts, instead of sending other texts in their place. */
export async function pauseForCredit(deps: Deps, campaignId: string): Promise<void> {
  const now = deps.clock.now();
  const heldUntil = new Date(now.getTime() + HELD_MS.call);
  if (!(await pauseWithoutCredit(deps.db, campaignId, { now, heldUntil }))) return;
  deps.log.info("credits_exhausted", { campaign_id: campaignId });
  deps.wakeOutbox();
}
