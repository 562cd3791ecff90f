import { wallOf } from "./wall-clock.ts";

/** A send may begin so long after its slot, to whose date it was charged; a worker's clock is at most so far off. */
const MAX_LATE_MS = 186_000;
const MAX_SKEW_MS = 6_000;
/** Longer than any local day. */
const KEPT_MS = 60 * 3_600_000;

/** The local date to which a begin was certainly charged; null close to midnight. */
export function certainDate(beganAt: number, zone: string): string | null {
  const { date } = wallOf(beganAt, zone);
  const isSure =
    wallOf(beganAt - MAX_LATE_MS, zone).date === date &&
    wallOf(beganAt + MAX_SKEW_MS, zone).date === date;
  return isSure ? date : null;
}

/** How many messages began on each local date; when the zone is another, the last days' are counted anew. */
export interface DayCount {
  /** Answers the date of this one and how many it has now; null close to midnight. */
  add(beganAt: number, zone: string): { date: string; count: number } | null;
}

export function createDayCount(): DayCount {
  let counts = new Map<string, number>();
  let countedIn: string | null = null;
  const recent: number[] = [];
  const count = (at: number, zone: string) => {
    const date = certainDate(at, zone);
    if (date === null) return null;
    const own = (counts.get(date) ?? 0) + 1;
    counts.set(date, own);
    return { date, count: own };
  };
  return {
    add(beganAt, zone) {
      while (recent.length > 0 && recent[0]! < beganAt - KEPT_MS) recent.shift();
      if (countedIn !== zone) {
        counts = new Map();
        countedIn = zone;
        for (const at of recent) count(at, zone);
      }
      recent.push(beganAt);
      return count(beganAt, zone);
    },
  };
}
