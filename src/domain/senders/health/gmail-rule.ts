import type { SpamDay } from "#db/senders/domain-health.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { counted, type Figure, figure, type Period } from "./row.ts";

/** What was seen in so many days is how a domain stands now: it takes as many below to be heard again. */
const RECENT_DAYS = 7;

export interface GmailSpam {
  verdict: "ok" | "bad" | "worst";
  /** As part of a sentence. */
  seen: string;
  figures: Figure[];
  period: Period;
}

/**
 * Gmail's own spam rates of the last week, against what Google asks for: kept below the one on the whole, never at the
 * other on any day. Null where it says none.
 */
export function gmailSpam(
  days: readonly SpamDay[],
  limits: { kept: number; never: number },
  now: Date,
): GmailSpam | null {
  const since = new Date(now.getTime() - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
  const recent = days.filter(({ day }) => day >= since);
  if (recent.length === 0) return null;
  const rates = recent.map(({ spam }) => spam);
  const mean = percent(rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
  const worst = percent(Math.max(...rates));
  const last = recent.at(-1)!.day;
  return {
    verdict: worst >= limits.never ? "worst" : mean >= limits.kept ? "bad" : "ok",
    seen: `Gmail's readers reported ${mean} % on average of ${counted(recent.length, "day")} until ${last} as spam, at most ${worst} %`,
    figures: [
      figure("gmail_spam_percent", mean, limits.kept),
      figure("gmail_worst_day_percent", worst, limits.never),
    ],
    period: { since: new Date(recent[0]!.day), until: new Date(last) },
  };
}

/** Three places: the limits have one. */
const percent = (share: number): number => Math.round(share * 100_000) / 1000;
