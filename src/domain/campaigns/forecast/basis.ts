import type { Campaign } from "#db/campaigns/campaigns.ts";

/** The assumptions of a forecast about a campaign that does not run yet. */
export const FORECAST_BASES = [
  "running",
  "resumed_now",
  "launched_now",
  "launched_at_start_date",
  "ended",
] as const;
export type ForecastBasis = (typeof FORECAST_BASES)[number];

/** What a forecast of the campaign assumes. */
export function basisOf(campaign: Campaign, now: Date): ForecastBasis {
  switch (campaign.status) {
    case "active":
    case "draining":
      return "running";
    case "paused":
      return campaign.launchedAt === null ? "launched_now" : "resumed_now";
    case "scheduled":
      return "launched_at_start_date";
    case "draft":
    case "failed":
    case "launching":
      return campaign.launchType === "scheduled" &&
        campaign.startDate !== null &&
        campaign.startDate > now
        ? "launched_at_start_date"
        : "launched_now";
    case "completed":
      return "ended";
  }
}
