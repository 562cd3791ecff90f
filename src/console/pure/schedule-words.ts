/** When a campaign may send, in a few words. */
import type { Weekday } from "./wall-time.ts";

const WEEK: Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const named = (day: Weekday) => day[0]!.toUpperCase() + day.slice(1);

/** `Mon-Fri`, `every day`, `Mon, Wed, Fri`. */
export function dayWords(days: readonly Weekday[]): string {
  const chosen = WEEK.filter((day) => days.includes(day));
  if (chosen.length === WEEK.length) return "every day";
  const [first, last] = [WEEK.indexOf(chosen[0]!), WEEK.indexOf(chosen.at(-1)!)];
  const isRow = chosen.length > 2 && last - first + 1 === chosen.length;
  return isRow ? `${named(chosen[0]!)}-${named(chosen.at(-1)!)}` : chosen.map(named).join(", ");
}

/** `Mon-Fri 09:00-17:00 Europe/Berlin`. */
export function scheduleWords(campaign: {
  send_days: readonly Weekday[];
  sending_window_start: string;
  sending_window_end: string;
  timezone: string;
  use_lead_timezone: boolean;
}): string {
  const [from, until] = [campaign.sending_window_start, campaign.sending_window_end].map((time) =>
    time.slice(0, 5),
  );
  const hours = from === until ? "all day" : `${from}-${until}`;
  const zone = campaign.use_lead_timezone ? "in each lead's zone" : campaign.timezone;
  return `${dayWords(campaign.send_days)} ${hours} ${zone}`;
}
