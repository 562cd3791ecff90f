import type { DomainQuota } from "#db/engine/index.ts";
import type { Ramp } from "#db/schema/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { dayCap } from "./ramp.ts";

/**
 * A sender's even part of its domain's daily limit on the accounting day that begins
 * then. What does not divide goes round with the days, so that a limit below the
 * number of senders starves none of them. Twin of evenQuota in db/engine/domain-quotas.ts.
 */
export function quotaOf(
  { limit, senders, place }: Omit<DomainQuota, "domain">,
  dayFrom: Date,
): number {
  const turn = (place + Math.floor(dayFrom.getTime() / DAY_MS)) % senders;
  return Math.floor(limit / senders) + (turn < limit % senders ? 1 : 0);
}

/** A sender's cap on a day that begins then, if all of its domain's senders are open. */
export function capWithin(
  sender: { dailyLimit: number; ramp: Ramp | null; createdAt: Date },
  share: DomainQuota | null,
  dayFrom: Date,
  timezone: string,
): number {
  const own = dayCap(sender, dayFrom, timezone);
  return share === null ? own : Math.min(own, quotaOf(share, dayFrom));
}
