import { knownZone, localDate } from "#src/platform/time-zone.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** Connection requests in any seven dates in a row: the networks' limit of an account without a subscription. */
export const WEEKLY_CONNECTIONS = 100;

/** The limits that an account's owner has set, and the state of its warm-up. */
export interface AccountLimits {
  dailyConnectionLimit: number;
  dailyMessageLimit: number;
  /** 0 for none. */
  warmupDays: number;
  /** When it was first connected; null for never. */
  warmupFrom: Date | null;
}

/**
 * What an account of a network may do on the date of `at`: a fifth of its limits on the first date of its warm-up, all
 * of them after `warmupDays`. Dates are the workspace's, as those of every sender's caps.
 */
export function networkCaps(
  account: AccountLimits & { connectionsOfLastSixDates: number },
  at: Date,
  timezone: string,
): { connections: number; messages: number } {
  const day = warmupDay(account, at, timezone);
  const leftOfWeek = Math.max(0, WEEKLY_CONNECTIONS - account.connectionsOfLastSixDates);
  return {
    connections: Math.min(leftOfWeek, warmed(account.dailyConnectionLimit, account, day)),
    messages: warmed(account.dailyMessageLimit, account, day),
  };
}

/** Dates since it was first connected, 0 on that one. */
function warmupDay({ warmupFrom }: AccountLimits, at: Date, timezone: string): number {
  if (warmupFrom === null) return 0;
  const zone = knownZone(timezone);
  const dateMs = (instant: Date) => Date.parse(localDate(instant, zone));
  return Math.max(0, (dateMs(at) - dateMs(warmupFrom)) / DAY_MS);
}

/** ceil(limit * (0.2 + 0.8 * day / warmupDays)) in whole numbers: in fractions 50 * 0.6 is more than 30. */
function warmed(limit: number, { warmupDays }: AccountLimits, day: number): number {
  if (day >= warmupDays) return limit;
  return Math.ceil((limit * (warmupDays + 4 * day)) / (5 * warmupDays));
}
