import type { CampaignRow } from "#db/schema/index.ts";
import { countersOf } from "#db/engine/index.ts";
import { localDay } from "#src/platform/time-zone.ts";
import { type CampaignWindow, ownWindow, type WindowInterval, windowInterval } from "./window.ts";

type WindowColumns = Pick<
  CampaignRow,
  "timezone" | "useLeadTimezone" | "sendingWindowStart" | "sendingWindowEnd" | "sendDays"
>;

export function windowOf(campaign: WindowColumns): CampaignWindow {
  return {
    timezone: campaign.timezone,
    useLeadTimezone: campaign.useLeadTimezone,
    start: campaign.sendingWindowStart,
    end: campaign.sendingWindowEnd,
    days: campaign.sendDays,
  };
}

/** The interval of the campaign's own window that is open or next at `now`. */
export const ownInterval = (campaign: WindowColumns, now: Date): WindowInterval | null =>
  windowInterval(ownWindow(windowOf(campaign)), now);

/** The engine's window columns of a campaign that starts, resumes, or has a changed window. */
export function windowColumns(campaign: WindowColumns & { id: string }, now: Date) {
  const interval = ownInterval(campaign, now);
  if (interval === null) return { openFrom: null, openUntil: null, openDay: null };
  const day = localDay(interval.openFrom, campaign.timezone);
  return { ...pieceColumns(interval), ...countersOf(campaign.id, day) };
}

const pieceColumns = ({ openFrom, openUntil, day }: WindowInterval) => ({
  openFrom,
  openUntil,
  openDay: day,
});
