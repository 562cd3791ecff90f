import { oweMissedBounces, oweBouncesOf } from "#db/campaigns/refusals.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";

const RECENT_MS = DAY_MS;
const recent = (now: Date): Date => new Date(now.getTime() - RECENT_MS);

/** Owes a notice for each recipient that was refused for good in a tick, by what the tick recorded. */
export async function notifyBounces(deps: Deps, campaignIds: string[]): Promise<void> {
  if (campaignIds.length === 0) return;
  const now = deps.clock.now();
  await oweBouncesOf(deps.db, campaignIds, recent(now), now);
  deps.wakeOutbox();
}

/** Part of the regular full check: refusals whose tick ended before it owed their notices. */
export function notifyMissedBounces({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  return oweMissedBounces(db, recent(now), now);
}
