/** What an action on a campaign will do, in numbers, before it is done. */
import { dateAt } from "./wall-time.ts";
import { longDate } from "./day-words.ts";
import { count } from "./words.ts";

/** Of a forecast. */
export interface Ahead {
  days: readonly { new_leads: number; sends: number }[];
  total_sends: number;
  finishes_at: string | null;
  generated_at: string;
  until: string;
  timezone: string;
}

const sum = (ahead: Ahead, of: "new_leads" | "sends") =>
  ahead.days.reduce((total, day) => total + day[of], 0);

/** When the last message goes out, as far as the forecast sees. */
export function endWords(ahead: Ahead): string {
  const today = dateAt(Date.parse(ahead.generated_at), ahead.timezone);
  if (ahead.finishes_at !== null)
    return `ends ${longDate(dateAt(Date.parse(ahead.finishes_at), ahead.timezone), today)}`;
  return `goes on after ${longDate(dateAt(Date.parse(ahead.until), ahead.timezone), today)}`;
}

/** `Launch: 671 people, 2,369 messages, ends Thu 10 Dec`. */
export function launchWords(ahead: Ahead): string {
  const people = count(sum(ahead, "new_leads"), "person", "people");
  return `Launch: ${people}, ${count(ahead.total_sends, "message")}, ${endWords(ahead)}`;
}

/** What a pause holds back: what the forecast would have sent. */
export const pauseWords = (ahead: Ahead): string =>
  ahead.total_sends === 0
    ? "Pause: no message is due"
    : `Pause: ${count(ahead.total_sends, "message")} to come are held back`;

export const resumeWords = (ahead: Ahead): string =>
  `Resume: ${count(ahead.total_sends, "message")}, ${endWords(ahead)}`;

/** A drain begins no lead; leads that have begun get the rest of the steps. */
export function drainWords(ahead: Ahead): string {
  const people = sum(ahead, "new_leads");
  return people === 0
    ? "Drain: nobody is left to begin"
    : `Drain: ${count(people, "person", "people")} will not be written to`;
}
