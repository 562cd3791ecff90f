/** The axis in words, for readers of the text: each day, and each gap with its reason. */
import { type AxisItem, sumsOf, totalOf } from "./axis-days.ts";
import { dateRange, longDate } from "./day-words.ts";
import { count, num } from "./words.ts";

export interface AxisRow {
  key: string;
  day: string;
  state: string;
  /** Null where nothing goes out: `why` says the reason. */
  first: number | null;
  followUps: number | null;
  total: number | null;
  replied: number | null;
  bounced: number | null;
  why: string | null;
}

export function axisRows(items: readonly AxisItem[], today: string): AxisRow[] {
  return items.flatMap((item): AxisRow[] => {
    if (item.kind === "gap") {
      const day = dateRange(item.from, item.to, today);
      return [{ ...NOTHING, key: item.from, day, state: "none", why: item.why }];
    }
    const { date: key, when, sent, coming, replied, bounced, why } = item;
    const day = longDate(key, today);
    const parts: AxisRow[] = [];
    if (when !== "future" || totalOf(sent) > 0)
      parts.push({
        key,
        day: when === "today" ? `${day}, today` : day,
        state: "sent",
        ...{ first: sent.first, followUps: sent.followUps, total: totalOf(sent), replied, bounced },
        why,
      });
    if (totalOf(coming) > 0)
      parts.push({
        ...NOTHING,
        key: `${key}+`,
        day: when === "today" ? `${day}, today` : day,
        state: "to come",
        ...{ first: coming.first, followUps: coming.followUps, total: totalOf(coming) },
      });
    return parts;
  });
}

const NOTHING = {
  first: null,
  followUps: null,
  total: null,
  replied: null,
  bounced: null,
  why: null,
};

/** The picture in one sentence. */
export function axisTitle(items: readonly AxisItem[], today: string): string {
  const { sent, coming } = sumsOf(items);
  const dates = items.flatMap((item) => (item.kind === "day" ? item.date : []));
  const span = dateRange(dates[0]!, dates.at(-1)!, today);
  return `Messages a day, ${span}: ${num(totalOf(sent))} sent, ${count(totalOf(coming), "message")} to come.`;
}
