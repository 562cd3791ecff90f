import { WEEKDAYS, type Weekday } from "#db/schema/index.ts";
import {
  addLocalDays,
  instantsOfWall,
  isKnownZone,
  knownZone,
  localDate,
} from "#src/platform/time-zone.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** When a campaign may send, on the wall clock of its time zone. Times are HH:MM:SS. */
export interface SendingWindow {
  timezone: string;
  start: string;
  end: string;
  days: readonly Weekday[];
}

/** A campaign's window, and whether it is read by the clocks of its leads. */
export interface CampaignWindow extends SendingWindow {
  useLeadTimezone: boolean;
}

/** The zone by which a lead's window is read and its steps fall due: its own, or the campaign's where it has none or the runtime does not know it any more. */
export const zoneOfLead = (zone: string, campaignZone: string): string =>
  zone !== "" && isKnownZone(zone) ? zone : campaignZone;

/** The window by the clocks of a zone of leads. */
export const windowInZone = (window: SendingWindow, zone: string): SendingWindow => ({
  ...window,
  timezone: zoneOfLead(zone, window.timezone),
});

const MIDNIGHT = "00:00:00";

/** The campaign's own window, by whose dates its caps count: where the leads' clocks decide it is open all day. */
export const ownWindow = ({ useLeadTimezone, ...window }: CampaignWindow): SendingWindow =>
  useLeadTimezone ? { ...window, start: MIDNIGHT, end: MIDNIGHT, days: WEEKDAYS } : window;

/** A stretch of open window that lies on one calendar date of the zone: start inclusive, end exclusive. */
export interface WindowInterval {
  openFrom: Date;
  openUntil: Date;
  day: string;
}

const ISO_WEEKDAYS: readonly Weekday[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** A week holds every weekday; two more, because a zone can skip a date. */
const SEARCH_DAYS = 16;

/** The window interval that is open at `after`, or else the next; null when the window never opens (every day empty, or a zone that the runtime does not know). */
export function windowInterval(window: SendingWindow, after: Date): WindowInterval | null {
  if (!isKnownZone(window.timezone)) return null;
  const today = Date.parse(`${localDate(after, window.timezone)}T00:00:00Z`);
  // A window that crosses midnight may have opened yesterday.
  for (let offset = -1; offset <= SEARCH_DAYS; offset++) {
    const open = intervalsOpeningOn(window, today + offset * DAY_MS).find(
      (interval) => interval.openUntil > after,
    );
    if (open !== undefined) return open;
  }
  return null;
}

/**
 * The window that opens on a local date (given as that date's midnight in UTC),
 * cut at local midnight. A bound in a DST gap moves to the transition; of a
 * bound that the clocks show twice, start takes the last and end the first, so
 * that every send reads inside the window on a wall clock.
 */
function intervalsOpeningOn(window: SendingWindow, dateMs: number): WindowInterval[] {
  const { timezone: zone, start, end, days } = window;
  if (!days.includes(ISO_WEEKDAYS[new Date(dateMs).getUTCDay()]!)) return [];
  const midnight = instantsOfWall(dateMs, zone).first;
  const nextMidnight = instantsOfWall(dateMs + DAY_MS, zone).first;
  // A date that the zone skipped has no window (Apia, 2011-12-30).
  if (nextMidnight <= midnight) return [];
  if (start === end) return [interval(midnight, nextMidnight, dateMs)];

  const crosses = start > end;
  const from = instantsOfWall(dateMs + clockMs(start), zone);
  const until = instantsOfWall(dateMs + clockMs(end) + (crosses ? DAY_MS : 0), zone);
  const fromMs = from.last < until.first ? from.last : from.first;
  const untilMs = until.first;
  if (!crosses) return fromMs < untilMs ? [interval(fromMs, untilMs, dateMs)] : [];
  return [
    interval(fromMs, nextMidnight, dateMs),
    interval(nextMidnight, untilMs, dateMs + DAY_MS),
  ].filter(({ openFrom, openUntil }) => openFrom < openUntil);
}

function interval(fromMs: number, untilMs: number, dateMs: number): WindowInterval {
  return {
    openFrom: new Date(fromMs),
    openUntil: new Date(untilMs),
    day: new Date(dateMs).toISOString().slice(0, 10),
  };
}

function clockMs(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/**
 * When a step falls due: `delayDays` local calendar days after the previous
 * step was accepted (or, for step 1, after activation), at the same wall time.
 * The window then decides when it really goes.
 */
export function stepDueAt(previousAt: Date, delayDays: number, timezone: string): Date {
  return addLocalDays(wholeSecond(previousAt), delayDays, knownZone(timezone));
}

/** The second that has begun. */
export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);
