import type { Ramp } from "#db/schema/index.ts";
import { knownZone, localDate } from "#src/platform/time-zone.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/**
 * How many messages a sender may send on the date of `at`: its limit, or less while it ramps up.
 * A ramp counts dates of the workspace's zone, as the caps do, from the one on which it was switched
 * on, so that an old sender starts low too.
 */
export function dayCap(
  sender: { dailyLimit: number; ramp: Ramp | null; createdAt: Date },
  at: Date,
  timezone: string,
): number {
  const { dailyLimit, ramp } = sender;
  if (ramp === null || !ramp.enabled) return dailyLimit;
  const start = ramp.startedAt === undefined ? sender.createdAt : new Date(ramp.startedAt);
  const zone = knownZone(timezone);
  const dateMs = (instant: Date) => Date.parse(localDate(instant, zone));
  const day = Math.max(0, (dateMs(at) - dateMs(start)) / DAY_MS);
  return Math.min(dailyLimit, ramp.ceiling, ramp.start + ramp.step * day);
}
