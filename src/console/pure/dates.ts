/** Dates of a calendar ("2026-11-26"), which belong to no zone by themselves. */

const DAY_MS = 86_400_000;
const asInstant = (date: string): Date => new Date(`${date}T00:00:00Z`);

/** The date of an instant in a zone. */
export function dateIn(at: string | number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(new Date(at));
  const of = (type: string) => parts.find((part) => part.type === type)!.value;
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}`;
}

export const addDays = (date: string, days: number): string =>
  new Date(asInstant(date).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Both counted, at most `most`. */
export function datesBetween(from: string, to: string, most: number): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to && dates.length < most; date = addDays(date, 1))
    dates.push(date);
  return dates;
}

/** "Thu 26 Nov"; short: "Thu 26". */
export function dateWords(date: string, length: "long" | "short" = "long"): string {
  const say = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    ...(length === "long" ? { month: "short" } : {}),
  });
  const parts = say.formatToParts(asInstant(date));
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return [of("weekday"), of("day"), of("month")].filter(Boolean).join(" ");
}
