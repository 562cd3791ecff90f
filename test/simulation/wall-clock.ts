import type { Weekday } from "#db/schema/index.ts";

/** A wall clock of its own, by Intl alone: the engine's own arithmetic is what is checked. */
export interface Wall {
  /** YYYY-MM-DD. */
  date: string;
  weekday: Weekday;
  seconds: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
/** Zones change their offset at full quarters of an hour only (in this century), so a reading holds for its quarter. */
const QUARTER_MS = 900_000;
const known = new Map<string, Map<number, { date: string; weekday: Weekday; seconds: number }>>();

/** Whether there is a clock for it; '' names none. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

export function wallOf(at: number, zone: string): Wall {
  const quarter = Math.floor(at / QUARTER_MS);
  let quarters = known.get(zone);
  if (quarters === undefined || quarters.size > 50_000) known.set(zone, (quarters = new Map()));
  let start = quarters.get(quarter);
  if (start === undefined) quarters.set(quarter, (start = read(quarter * QUARTER_MS, zone)));
  return { ...start, seconds: start.seconds + (at - quarter * QUARTER_MS) / 1000 };
}

function read(at: number, zone: string): Wall {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(zone, formatter);
  }
  const parts = Object.fromEntries(
    formatter.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  return {
    date: `${parts["year"]}-${parts["month"]}-${parts["day"]}`,
    weekday: parts["weekday"]!.toLowerCase() as Weekday,
    seconds: Number(parts["hour"]) * 3600 + Number(parts["minute"]) * 60 + Number(parts["second"]),
  };
}

const WEEK: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const secondsOf = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
};

/** Whether a wall clock in the zone reads inside the window: start inclusive, end exclusive, the date that it opened on. */
export function isInWindow(
  at: number,
  { timezone, start, end, days }: { timezone: string; start: string; end: string; days: Weekday[] },
): boolean {
  const { weekday, seconds } = wallOf(at, timezone);
  const [from, until] = [secondsOf(start), secondsOf(end)];
  if (from === until) return days.includes(weekday);
  if (from < until) return days.includes(weekday) && seconds >= from && seconds < until;
  const before = WEEK[(WEEK.indexOf(weekday) + 6) % 7]!;
  return (days.includes(weekday) && seconds >= from) || (days.includes(before) && seconds < until);
}
