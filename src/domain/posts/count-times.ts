const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Contract section 6: hourly for 7 days, daily for 30. */
const HOURLY_MS = 7 * DAY_MS;
const DAILY_MS = 30 * DAY_MS;

/** When a post is counted next; null once it is a month old. */
export function nextCountAt(publishedAt: Date, now: Date): Date | null {
  const age = now.getTime() - publishedAt.getTime();
  const at = now.getTime() + (age < HOURLY_MS ? HOUR_MS : DAY_MS);
  return at - publishedAt.getTime() > DAILY_MS ? null : new Date(at);
}
