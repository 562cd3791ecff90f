/** A campaign's days on one axis: what went out, what is to come, and the dates between on which nothing does, with the reason. */
import { dateAfter, dateAt, daysBetween, type Weekday, weekdayOf } from "./wall-time.ts";

/** Of `GET /campaigns/{id}/stats?by=day`. */
export interface PastDay {
  key: string;
  first_messages: number;
  follow_ups: number;
  replied: number;
  bounced: number;
}

/** Of `GET /campaigns/{id}/forecast`. */
export interface FutureDay {
  date: string;
  new_leads: number;
  follow_ups: number;
}

export interface AxisInput {
  past: readonly PastDay[];
  future: readonly FutureDay[];
  nowMs: number;
  zone: string;
  sendDays: readonly Weekday[];
  /** Why nothing goes out at this moment, in the API's words. */
  todayWhy: string | null;
}

export interface Split {
  first: number;
  followUps: number;
}

export interface AxisDay {
  kind: "day";
  date: string;
  when: "past" | "today" | "future";
  sent: Split;
  coming: Split;
  replied: number;
  bounced: number;
  why: string | null;
}

/** Dates, both counted, that have no message for one reason. */
export interface AxisGap {
  kind: "gap";
  from: string;
  to: string;
  days: number;
  when: "past" | "future";
  why: string;
}

export type AxisItem = AxisDay | AxisGap;

export const totalOf = ({ first, followUps }: Split): number => first + followUps;

/** From a longer silence than this on, its weekends are no news. */
const DAYS_TOLD_APART = 7;

/** Every date from the first message to the last exactly once, in order; today is always a day of its own. */
export function axisItems(input: AxisInput): AxisItem[] {
  const today = dateAt(input.nowMs, input.zone);
  const days = new Map<string, AxisDay>();
  const dayOf = (date: string): AxisDay => {
    const known = days.get(date);
    if (known !== undefined) return known;
    const made = emptyDay(date, today);
    days.set(date, made);
    return made;
  };
  dayOf(today).why = input.todayWhy;
  for (const row of input.past) {
    const day = dayOf(row.key);
    day.sent = { first: row.first_messages, followUps: row.follow_ups };
    day.replied = row.replied;
    day.bounced = row.bounced;
  }
  for (const row of input.future)
    dayOf(row.date).coming = { first: row.new_leads, followUps: row.follow_ups };

  const items: AxisItem[] = [];
  let before: string | null = null;
  for (const date of [...days.keys()].toSorted()) {
    if (before !== null) items.push(...gapsBetween(before, date, today, input.sendDays));
    items.push(days.get(date)!);
    before = date;
  }
  return items;
}

function emptyDay(date: string, today: string): AxisDay {
  const when = date < today ? "past" : date === today ? "today" : "future";
  const none = { first: 0, followUps: 0 };
  return { kind: "day", date, when, sent: none, coming: none, replied: 0, bounced: 0, why: null };
}

function gapsBetween(
  before: string,
  after: string,
  today: string,
  sendDays: readonly Weekday[],
): AxisGap[] {
  const from = dateAfter(before, 1);
  const days = daysBetween(from, after);
  if (days <= 0) return [];
  const when = from < today ? "past" : "future";
  const silent = when === "past" ? "Nothing went out." : "No message is due.";
  const whole: AxisGap = { kind: "gap", from, to: dateAfter(after, -1), days, when, why: silent };
  if (days > DAYS_TOLD_APART) return [whole];
  const gaps: AxisGap[] = [];
  for (let date = from; date < after; date = dateAfter(date, 1)) {
    const why = sendDays.includes(weekdayOf(date))
      ? silent
      : "The campaign does not send on this weekday.";
    const last = gaps.at(-1);
    if (last?.why === why) Object.assign(last, { to: date, days: last.days + 1 });
    else gaps.push({ ...whole, from: date, to: date, days: 1, why });
  }
  return gaps;
}

export interface AxisSums {
  sent: Split;
  coming: Split;
  replied: number;
  bounced: number;
}

export function sumsOf(items: readonly AxisItem[]): AxisSums {
  const sums: AxisSums = {
    sent: { first: 0, followUps: 0 },
    coming: { first: 0, followUps: 0 },
    replied: 0,
    bounced: 0,
  };
  for (const item of items) {
    if (item.kind === "gap") continue;
    for (const part of ["sent", "coming"] as const) {
      sums[part].first += item[part].first;
      sums[part].followUps += item[part].followUps;
    }
    sums.replied += item.replied;
    sums.bounced += item.bounced;
  }
  return sums;
}

/** Where a day's messages lie among all of a forecast, which has them in order; null where it has none. */
export function placeOfDay(
  days: readonly { date: string; sends: number }[],
  date: string,
): { offset: number; limit: number } | null {
  let offset = 0;
  for (const day of days) {
    if (day.date === date) return day.sends === 0 ? null : { offset, limit: day.sends };
    offset += day.sends;
  }
  return null;
}
