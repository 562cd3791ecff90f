import { DAY_MS, HOUR_MS } from "#src/platform/durations.ts";

/** Contract section 6: hourly for 7 days, daily for 30. */
const HOURLY_MS = 7 * DAY_MS;
const DAILY_MS = 30 * DAY_MS;

/** When a post is counted next: at the next whole hour or day of its life, however late the last count came; null once it is a month old. */
export function nextCountAt(publishedAt: Date, now: Date): Date | null {
  const age = Math.max(0, now.getTime() - publishedAt.getTime());
  const period = age < HOURLY_MS ? HOUR_MS : DAY_MS;
  const next = (Math.floor(age / period) + 1) * period;
  return next > DAILY_MS ? null : new Date(publishedAt.getTime() + next);
}
