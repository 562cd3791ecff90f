import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { isInWindow } from "./wall-clock.ts";

/** What the senders of a campaign can do in a day of its window, shared fairly with others and jittered at the most. */
export function capacityOf(data: ModelData): (campaignId: string) => number {
  return (campaignId) => {
    const campaign = data.campaigns.find(({ id }) => id === campaignId)!;
    let openMs = 0;
    for (let quarter = 0; quarter < 96; quarter++)
      if (
        isInWindow(quarter * 900_000, {
          ...campaign,
          timezone: "UTC",
          days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        })
      )
        openMs += 900_000;
    let capacity = 0;
    for (const { laneId } of data.senders.filter((row) => row.campaignId === campaignId)) {
      const lane = data.lanes.find(({ id }) => id === laneId)!;
      const sharing = data.senders.filter((row) => row.laneId === laneId).length;
      const gapMs =
        Math.max(campaign.minIntervalSeconds, lane.minIntervalSeconds ?? 0) * 1300 + 1000;
      capacity += Math.min(lane.dailyLimit, openMs / gapMs) / sharing;
    }
    return capacity;
  };
}
