/** Wall clocks of IANA time zones by Intl. A wall time is what clocks show, as `YYYY-MM-DDTHH:MM[:SS]`; an instant is milliseconds of UTC. */

const DAY_MS = 86_400_000;
const WALL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let known = formatters.get(zone);
  if (known === undefined) {
    known = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(zone, known);
  }
  return known;
}

/** What the zone's clocks show at an instant, as if it were UTC. */
function wallMsAt(atMs: number, zone: string): number {
  const whole = Math.floor(atMs / 1000) * 1000;
  const shown: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(whole)) shown[type] = Number(value);
  const { year, month, day, hour, minute, second } = shown as Record<string, number> & {
    year: number;
    month: number;
  };
  return Date.UTC(year, month - 1, day, hour, minute, second) + (atMs - whole);
}

/** What the zone's clocks show at an instant, to the second. */
export const wallAt = (atMs: number, zone: string): string =>
  new Date(wallMsAt(atMs, zone)).toISOString().slice(0, 19);

/** The calendar date in the zone. */
export const dateAt = (atMs: number, zone: string): string => wallAt(atMs, zone).slice(0, 10);

export type WallInstant =
  /** `second` where clocks are set back and show the time twice. */
  | { kind: "once"; at: number }
  | { kind: "twice"; at: number; second: number }
  /** The clocks jump over it: `at` is the instant of the jump. */
  | { kind: "never"; at: number };

/** When the zone's clocks show a wall time; null where the text is none. */
export function instantOf(wall: string, zone: string): WallInstant | null {
  const wallMs = readWall(wall);
  if (wallMs === null) return null;
  const before = wallMsAt(wallMs - DAY_MS, zone) - (wallMs - DAY_MS);
  const after = wallMsAt(wallMs + DAY_MS, zone) - (wallMs + DAY_MS);
  const found = [...new Set([wallMs - before, wallMs - after])]
    .filter((atMs) => wallMsAt(atMs, zone) === wallMs)
    .toSorted((a, b) => a - b);
  const [at, second] = found;
  if (at === undefined) return { kind: "never", at: jumpBetween(wallMs - before, wallMs, zone) };
  return second === undefined ? { kind: "once", at } : { kind: "twice", at, second };
}

function readWall(wall: string): number | null {
  const [, ...parts] = WALL.exec(wall) ?? [];
  if (parts.length === 0) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part ?? 0),
  );
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  // 31 April, 25:00 and the like would roll over to a time that the person did not write.
  return new Date(ms).toISOString().slice(0, wall.length) === wall ? ms : null;
}

/** The first whole second at which clocks show `wallMs` or later: they jumped over it. `fromMs` lies behind the jump, by at most its length. */
function jumpBetween(fromMs: number, wallMs: number, zone: string): number {
  let [low, high] = [Math.floor((fromMs - DAY_MS) / 1000), Math.ceil((fromMs + DAY_MS) / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallMsAt(middle * 1000, zone) < wallMs) low = middle;
    else high = middle;
  }
  return high * 1000;
}

/** Calendar arithmetic on dates `YYYY-MM-DD`, which have no zone. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const weekdayOf = (date: string): Weekday =>
  WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!;
