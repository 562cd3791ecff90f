import type { Ramp } from "#db/schema/index.ts";

const DAY_MS = 86_400_000;

/**
 * How many messages a sender may send on the day of `at`: its limit, or less while it ramps up.
 * A ramp counts its days from when it was switched on, so that an old sender starts low too.
 */
export function dayCap(
  sender: { dailyLimit: number; ramp: Ramp | null; createdAt: Date },
  at: Date,
): number {
  const { dailyLimit, ramp } = sender;
  if (ramp === null || !ramp.enabled) return dailyLimit;
  const startMs =
    ramp.startedAt === undefined ? sender.createdAt.getTime() : Date.parse(ramp.startedAt);
  const day = Math.max(0, Math.floor((at.getTime() - startMs) / DAY_MS));
  return Math.min(dailyLimit, ramp.ceiling, ramp.start + ramp.step * day);
}
