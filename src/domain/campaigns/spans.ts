import type { NamedSpan, Span } from "#db/campaigns/stats.ts";
import { DAY_MS, HOUR_MS } from "#src/platform/durations.ts";
import { instantsOfWall, wallMsAt } from "#src/platform/time-zone.ts";

const wallOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10);

/** The calendar date so many days later. */
export const dateAfter = (date: string, days: number): string =>
  dateOf(wallOf(date) + days * DAY_MS);

/** How many dates these are, both counted. */
export const countDates = (from: string, to: string): number =>
  (wallOf(to) - wallOf(from)) / DAY_MS + 1;

/** From the first instant of one date to the last of another, by the clocks of a zone. */
export function spanOfDates(from: string, to: string, zone: string): Span {
  const startOf = (date: string) => new Date(instantsOfWall(wallOf(date), zone).first);
  return { from: startOf(from), until: startOf(dateAfter(to, 1)) };
}

/** Each date of these that the zone has, with its instants. */
export function daysOf(from: string, to: string, zone: string): NamedSpan[] {
  const dates = Array.from({ length: countDates(from, to) }, (_, day) => dateAfter(from, day));
  return dates
    .map((date) => ({ key: date, ...spanOfDates(date, date, zone) }))
    .filter((day) => day.from < day.until);
}

/**
 * The span in hours by the zone's clocks. An hour that the clocks show twice comes twice, told apart by its offset; at a
 * change of the clocks one may be shorter.
 */
export function hoursOf({ from, until }: Span, zone: string): NamedSpan[] {
  const hours: NamedSpan[] = [];
  for (let at = from.getTime(); at < until.getTime();) {
    const wallMs = wallMsAt(at, zone);
    const next = Math.min(at + HOUR_MS - (wallMs % HOUR_MS), until.getTime());
    hours.push({ key: withOffset(wallMs, wallMs - at), from: new Date(at), until: new Date(next) });
    at = next;
  }
  return hours;
}

function withOffset(wallMs: number, offsetMs: number): string {
  const sign = offsetMs < 0 ? "-" : "+";
  const offset = new Date(Math.abs(offsetMs)).toISOString().slice(11, 16);
  return `${new Date(wallMs).toISOString().slice(0, 19)}${sign}${offset}`;
}
