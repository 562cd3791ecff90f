/** How a time is said: "clock" 14:20:07, "time" 14:20, "date" Fri 27 Nov, "full" Fri 27 Nov, 14:20, "ago" 5 min ago. */
export type TimeStyle = "clock" | "time" | "date" | "full" | "exact" | "ago";

const DAY: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short" };
const MINUTE: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const SECOND: Intl.DateTimeFormatOptions = { ...MINUTE, second: "2-digit" };

/** `zone` is an IANA name; without one the browser's counts. A date of another year says its year. */
export function timeWords(at: Date, style: TimeStyle, now: Date, zone?: string): string {
  const say = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { ...options, ...(zone ? { timeZone: zone } : {}) }).format(
      at,
    );
  const yearOf = (date: Date) =>
    new Intl.DateTimeFormat("en-GB", {
      year: "numeric",
      ...(zone ? { timeZone: zone } : {}),
    }).format(date);
  // "Fri, 27 Nov" as some browsers have it.
  const day = () =>
    say(yearOf(at) === yearOf(now) ? DAY : { ...DAY, year: "numeric" }).replace(",", "");
  switch (style) {
    case "clock":
      return say(SECOND);
    case "time":
      return say(MINUTE);
    case "date":
      return day();
    case "exact":
      return `${day()}, ${say(SECOND)}`;
    case "full":
      return `${day()}, ${say(MINUTE)}`;
    case "ago":
      return awayWords(at.getTime() - now.getTime()) ?? `${day()}, ${say(MINUTE)}`;
  }
}

/** "5 min ago", "in 41 s"; null from two days on, when a date says more. */
function awayWords(ms: number): string | null {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds >= 48 * 3600) return null;
  const [amount, unit] =
    seconds < 60
      ? [seconds, "s"]
      : seconds < 3600
        ? [Math.round(seconds / 60), "min"]
        : [Math.round(seconds / 3600), "h"];
  if (seconds < 5) return "now";
  return ms < 0 ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}
