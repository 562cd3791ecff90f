/** Wall clocks of IANA time zones, from the runtime's own tzdata by Intl. All instants are UTC milliseconds inside this file. */
import { DAY_MS, HOUR_MS } from "./durations.ts";

/** All zones there are (`zoneNamed`). A formatter takes 34 kB: the 3,500th would fill an isolate, whoever names zones. */
const MAX_ZONES_KEPT = 700;

/** What is kept of a zone. A full table is begun anew. */
function keep<Of>(table: Map<string, Of>, zone: string, made: Of): Of {
  if (table.size >= MAX_ZONES_KEPT) table.clear();
  table.set(zone, made);
  return made;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return keep(formatters, zone, made);
}

/** Whether the runtime's tzdata has the zone: one that was valid when it was stored may be gone. */
export function isKnownZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The zone, or UTC where the runtime does not know it any more, so that days are still counted. */
export const knownZone = (zone: string): string => (isKnownZone(zone) ? zone : "UTC");

/** The wall clock at an instant, as if it were UTC: `wallMs - atMs` is the zone's offset then. */
export const wallMsAt = (atMs: number, zone: string): number => atMs + offsetAt(atMs, zone);

const MAX_HOURS_KEPT = 20_000;
const offsetsByHour = new Map<string, Map<number, number>>();

/** Between two full hours with the same offset it is that all the while: Intl is asked once per hour and zone, and for the hours of a change. */
function offsetAt(atMs: number, zone: string): number {
  const hour = Math.floor(atMs / HOUR_MS);
  const offset = offsetAtHour(hour, zone);
  return offset === offsetAtHour(hour + 1, zone) ? offset : readOffset(atMs, zone);
}

function offsetAtHour(hour: number, zone: string): number {
  let offsets = offsetsByHour.get(zone);
  if (offsets === undefined || offsets.size > MAX_HOURS_KEPT)
    offsets = keep(offsetsByHour, zone, new Map<number, number>());
  let offset = offsets.get(hour);
  if (offset === undefined) offsets.set(hour, (offset = readOffset(hour * HOUR_MS, zone)));
  return offset;
}

function readOffset(atMs: number, zone: string): number {
  const whole = Math.floor(atMs / 1000) * 1000;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(whole)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<
    "year" | "month" | "day" | "hour" | "minute" | "second",
    number
  >;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

/** A wall-clock reading falls in a gap (never shown), or is shown once or twice. */
export interface WallInstants {
  first: number;
  last: number;
  inGap: boolean;
}

/** When the zone's clocks show `wallMs`. In a gap, both ends are the transition itself. */
export function instantsOfWall(wallMs: number, zone: string): WallInstants {
  const before = offsetAt(wallMs - DAY_MS, zone);
  const after = offsetAt(wallMs + DAY_MS, zone);
  const candidates = [...new Set([wallMs - before, wallMs - after])]
    .filter((atMs) => wallMsAt(atMs, zone) === wallMs)
    .sort((a, b) => a - b);
  const [first, last = first] = candidates;
  if (first !== undefined && last !== undefined) return { first, last, inGap: false };
  const transition = findTransition(
    wallMs - Math.max(before, after),
    wallMs - Math.min(before, after),
    zone,
  );
  return { first: transition, last: transition, inGap: true };
}

/** The first second within (from, until] at which the zone's offset is another than at `from`. */
function findTransition(fromMs: number, untilMs: number, zone: string): number {
  const start = offsetAt(fromMs, zone);
  let low = Math.floor(fromMs / 1000);
  let high = Math.ceil(untilMs / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1000, zone) === start) low = middle;
    else high = middle;
  }
  return high * 1000;
}

/** The instants within (from, until] at which the zone's clocks are set, and by how much they then differ from UTC; two of one week are missed. */
export function offsetChanges(from: Date, until: Date, zone: string): OffsetChange[] {
  const changes = [];
  const endMs = until.getTime();
  for (let atMs = from.getTime(); atMs < endMs;) {
    const nextMs = Math.min(atMs + 7 * DAY_MS, endMs);
    const [before, after] = [offsetAt(atMs, zone), offsetAt(nextMs, zone)];
    if (before !== after) changes.push({ atMs: findTransition(atMs, nextMs, zone), before, after });
    atMs = nextMs;
  }
  return changes;
}

interface OffsetChange {
  atMs: number;
  before: number;
  after: number;
}

/** The calendar date (YYYY-MM-DD) in the zone. */
export const localDate = (at: Date, zone: string): string => localDay(at, zone).day;

interface LocalDay {
  day: string;
  from: Date;
  until: Date;
}

/** Of each zone. */
const MAX_DAYS_KEPT = 100;
const daysByNumber = new Map<string, Map<number, LocalDay>>();

/** The zone's calendar day that holds the instant: its date and the instants between which it lasts. Thousands of senders ask for one. */
export function localDay(at: Date, zone: string): LocalDay {
  const number = Math.floor(wallMsAt(at.getTime(), zone) / DAY_MS);
  let days = daysByNumber.get(zone);
  if (days === undefined || days.size >= MAX_DAYS_KEPT)
    days = keep(daysByNumber, zone, new Map<number, LocalDay>());
  let found = days.get(number);
  if (found === undefined) days.set(number, (found = readDay(number, zone)));
  return found;
}

function readDay(number: number, zone: string): LocalDay {
  const startWallMs = number * DAY_MS;
  const { first: fromMs } = instantsOfWall(startWallMs, zone);
  const { first: untilMs } = instantsOfWall(startWallMs + DAY_MS, zone);
  const day = new Date(startWallMs).toISOString().slice(0, 10);
  return { day, from: new Date(fromMs), until: new Date(untilMs) };
}

/** The same wall time `days` calendar days later; a time that day does not have becomes the transition, one it has twice the first. */
export function addLocalDays(at: Date, days: number, zone: string): Date {
  if (days === 0) return at;
  const wallMs = wallMsAt(at.getTime(), zone) + days * DAY_MS;
  return new Date(instantsOfWall(wallMs, zone).first);
}
