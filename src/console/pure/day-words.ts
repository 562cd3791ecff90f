/** Dates of a zone as the axis and its sentences say them; a date without a time has no zone, which `Date` would give it. */
import { dateAt, dateAfter, wallAt } from "./wall-time.ts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

const partsOf = (date: string) => ({
  day: Number(date.slice(8, 10)),
  month: MONTHS[Number(date.slice(5, 7)) - 1]!,
  weekday: DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!,
});

/** `Mon 9`; the first of a month says which. */
export function shortDate(date: string): string {
  const { day, month, weekday } = partsOf(date);
  return day === 1 ? `1 ${month}` : `${weekday} ${day}`;
}

/** `Mon 9 Nov`, with the year where it is not this one. */
export function longDate(date: string, today = date): string {
  const { day, month, weekday } = partsOf(date);
  const year = date.slice(0, 4);
  return `${weekday} ${day} ${month}${year === today.slice(0, 4) ? "" : ` ${year}`}`;
}

/** `Mon 9 Nov`, or `Sat 28 - Sun 29 Nov` of several. */
export function dateRange(from: string, to: string, today = to): string {
  if (from === to) return longDate(from, today);
  const start = from.slice(0, 7) === to.slice(0, 7) ? shortWeekday(from) : longDate(from, today);
  return `${start} to ${longDate(to, today)}`;
}

const shortWeekday = (date: string): string => {
  const { day, weekday } = partsOf(date);
  return `${weekday} ${day}`;
};

/** `14:20:07` in the zone. */
export const clockTime = (atMs: number, zone: string): string => wallAt(atMs, zone).slice(11, 19);

/** `14:20` today, `tomorrow 09:00`, else `Fri 4 Dec, 09:12`: all in the zone. */
export function whenWords(atMs: number, nowMs: number, zone: string, withSeconds = false): string {
  const time = wallAt(atMs, zone).slice(11, withSeconds ? 19 : 16);
  const [date, today] = [dateAt(atMs, zone), dateAt(nowMs, zone)];
  if (date === today) return time;
  if (date === dateAfter(today, 1)) return `tomorrow ${time}`;
  return `${longDate(date, today)}, ${time}`;
}

/** How long from now, in the unit that a person would use: `in 41 s`, `in 12 min`, `in 15 h`, `in 3 days`. */
export function waitWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `in ${seconds} s`;
  if (seconds < 90 * 60) return `in ${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `in ${Math.round(seconds / 3600)} h`;
  return `in ${Math.round(seconds / 86_400)} days`;
}
