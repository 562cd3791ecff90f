import { DAY_MS } from "#src/platform/durations.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What an event waits after each attempt that failed, as Standard Webhooks recommends; after the last it is dead. */
export const RETRY_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** A receiver that is down is tried this often at least, by the next event that waits for it. */
const LONGEST_REST_MS = HOUR;

/** No event that waits does so for longer, until its turn has come too. */
export const LONGEST_WAIT_MS = Math.max(...RETRY_MS) + LONGEST_REST_MS;

/** Without a success for so long, while there is something to send, a receiver is disabled; its owner hears of it on the way. */
export const DISABLED_AFTER_MS = 5 * DAY_MS;

/** When an event is tried next, of which so many attempts have failed; null where it is dead. */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const wait = RETRY_MS[attempts - 1];
  return wait === undefined ? null : new Date(now.getTime() + wait);
}

/** Until when a receiver is left alone after a round in which nothing got through. */
export const restUntil = (nextAt: Date | null, patienceSeconds: number | null, now: Date): Date => {
  const asked = now.getTime() + (patienceSeconds ?? 0) * SECOND;
  const rest = Math.min(nextAt?.getTime() ?? Infinity, now.getTime() + LONGEST_REST_MS);
  return new Date(Math.max(asked, rest));
};
