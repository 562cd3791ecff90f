import type { CampaignRow } from "#db/schema/index.ts";
import type { ZoneInputs } from "#db/engine/sending-inputs.ts";
import {
  type WindowInterval,
  windowInterval,
  windowInZone,
  zoneOfLead,
} from "#src/domain/engine/window.ts";
import { windowOf } from "#src/domain/engine/window-columns.ts";

/** The window by the clocks of one zone of a campaign's leads, as it is now. */
export interface ZoneToday extends ZoneInputs {
  timezone: string;
  interval: WindowInterval | null;
  isOpen: boolean;
}

/** The first to be open comes first; one that never opens comes last. */
export const zonesToday = (campaign: CampaignRow, zones: ZoneInputs[], now: Date): ZoneToday[] =>
  zones
    .map((inputs) => ({ ...inputs, ...zoneToday(campaign, inputs.zone, now) }))
    .sort((a, b) => opensAt(a) - opensAt(b));

const opensAt = ({ interval }: ZoneToday): number => interval?.openFrom.getTime() ?? Infinity;

/** The window of one zone; '' is the campaign's. */
export function zoneToday(
  campaign: CampaignRow,
  zone: string,
  now: Date,
): Pick<ZoneToday, "timezone" | "interval" | "isOpen"> {
  const interval = windowInterval(windowInZone(windowOf(campaign), zone), now);
  const timezone = zoneOfLead(zone, campaign.timezone);
  return { timezone, interval, isOpen: interval !== null && interval.openFrom <= now };
}
