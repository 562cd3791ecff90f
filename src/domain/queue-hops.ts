/** The queue holds a message for at most 7 days on its smallest plan (Upstash QStash, "Delay"). */
const LONGEST_DELAY_MS = 7 * 86_400_000;

/** When to ask for a wake-up on the way to `due`: then, or as late as the queue can wait. */
export function nextHop(now: Date, due: Date): Date {
  return new Date(
    Math.max(now.getTime(), Math.min(due.getTime(), now.getTime() + LONGEST_DELAY_MS)),
  );
}
