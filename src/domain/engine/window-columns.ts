import type { CampaignRow } from "#db/campaigns/campaigns.ts";
import { countersOf } from "#db/engine.ts";
import { localDay } from "#src/platform/time-zone.ts";
import { type SendingWindow, type WindowInterval, windowInterval } from "./window.ts";

type WindowColumns = Pick<
  CampaignRow,
  "timezone" | "sendingWindowStart" | "sendingWindowEnd" | "sendDays"
>;

export function windowOf(campaign: WindowColumns): SendingWindow {
  return {
    timezone: campaign.timezone,
    start: campaign.sendingWindowStart,
    end: campaign.sendingWindowEnd,
    days: campaign.sendDays,
  };
}

/** The engine's columns for the interval of window that is open or next at `now`, for a campaign that runs (again) or whose window changed. */
export function windowColumns(campaign: WindowColumns & { id: string }, now: Date) {
  const interval = windowInterval(windowOf(campaign), now);
  if (interval === null) return { openFrom: null, openUntil: null, openDay: null };
  const day = localDay(interval.openFrom, campaign.timezone);
  return { ...pieceColumns(interval), ...countersOf(campaign.id, day) };
}

const pieceColumns = ({ openFrom, openUntil, day }: WindowInterval) => ({
  openFrom,
  openUntil,
  openDay: day,
});
