import { addDays, datesBetween, dateWords } from "./dates.ts";
import { timeWords } from "./time-words.ts";

export const STATS_BY = ["day", "hour", "campaign", "alias", "domain"] as const;
export type StatsBy = (typeof STATS_BY)[number];

export const asStatsBy = (text: string | null): StatsBy =>
  STATS_BY.find((each) => each === text) ?? "day";

/** What is counted, in the order of a message's life. */
export const COUNT_NAMES = [
  "sent",
  "first_messages",
  "follow_ups",
  "opened",
  "clicked",
  "replied",
  "auto_replied",
  "bounced",
  "soft_bounced",
  "unsubscribed",
  "complained",
] as const;
export type CountName = (typeof COUNT_NAMES)[number];
export type Counts = Record<CountName, number>;
export type StatsRow = Counts & { key: string };

/** A row with its name in words. */
export interface NamedRow extends Counts {
  key: string;
  name: string;
  /** Beneath a bar. */
  short: string;
}

const NOTHING = Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as Counts;
const HOUR_MS = 3_600_000;
/** As many as the API counts at once: 92 dates, or 7 of hours. */
const MOST_DATES = 92;
const MOST_HOURS = 7 * 25;

interface Answer {
  by: string;
  from: string;
  to: string;
  timezone: string;
  rows: readonly StatsRow[];
}

/** Times in their order, also those at which nothing was sent; of the rest what sent most comes first. */
export function namedRows(answer: Answer, nameOf: (key: string) => string): NamedRow[] {
  const { by, from, to, timezone, rows } = answer;
  if (by === "day") {
    const byDate = new Map(rows.map((row) => [row.key, row]));
    return datesBetween(from, to, MOST_DATES).map((date) => ({
      ...(byDate.get(date) ?? NOTHING),
      key: date,
      name: dateWords(date),
      short: dateWords(date, "short"),
    }));
  }
  if (by === "hour") return hours(rows, timezone);
  return rows
    .map((row) => ({ ...row, name: nameOf(row.key), short: "" }))
    .toSorted((a, b) => b.sent - a.sent || a.name.localeCompare(b.name));
}

/** From the first hour that has a message to the last: by instants, so that a change of the clocks loses none. */
function hours(rows: readonly StatsRow[], zone: string): NamedRow[] {
  const byInstant = new Map(rows.map((row) => [Date.parse(row.key), row]));
  const instants = [...byInstant.keys()].toSorted((a, b) => a - b);
  const [first] = instants;
  const last = instants.at(-1);
  if (first === undefined || last === undefined) return [];
  const all: NamedRow[] = [];
  for (let at = first; at <= last && all.length < MOST_HOURS; at += HOUR_MS) {
    const instant = new Date(at);
    all.push({
      ...(byInstant.get(at) ?? NOTHING),
      key: instant.toISOString(),
      name: timeWords(instant, "full", instant, zone),
      short: timeWords(instant, "time", instant, zone),
    });
  }
  return all;
}

export function totals(rows: readonly Counts[]): Counts {
  const sums = { ...NOTHING };
  for (const row of rows) for (const name of COUNT_NAMES) sums[name] += row[name];
  return sums;
}

/** The last so many dates, today among them; by hour the API takes at most seven. */
export const lastDays = (today: string, days: number): { from: string; to: string } => ({
  from: addDays(today, 1 - days),
  to: today,
});

/** Of what the table shows: days and hours on which something was sent, the latest first. */
export const tableRows = (rows: readonly NamedRow[], isTime: boolean): NamedRow[] =>
  isTime ? rows.filter(({ sent }) => sent > 0).toReversed() : [...rows];
