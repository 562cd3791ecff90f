import {
  type CampaignWindow,
  type LaneDay,
  type CampaignRollover,
  type LaneRollover,
  ROLLED_AT_ONCE,
} from "#db/engine.ts";
import { allotQuotas, forgetQuotas } from "./domain-quotas.ts";
import { upTo } from "./queue.ts";
import { dateOf, msOf } from "./rows.ts";
import { fileCampaign, fileLane, type State } from "./state.ts";

/** As the SQL: accounting days and window pieces that are over. Lanes whose alias is gone close for good. */
export function dueRollovers(
  state: State,
  now: number,
  until: number,
): { lanes: LaneRollover[]; campaigns: CampaignRollover[] } {
  const due = upTo(state.slots, until, Infinity);
  const lanes: LaneRollover[] = [];
  for (const lane of due) {
    if (!lane.exists) {
      lane.open = false;
      lane.closedSince = now;
      lane.nextSlotAt = null;
      fileLane(state, lane);
      continue;
    }
    const slotAt = Math.max(lane.nextSlotAt!, now);
    if (lane.dayUntil !== null && lane.dayUntil > slotAt) continue;
    if (lanes.length === ROLLED_AT_ONCE) continue;
    const { id, dailyLimit, ramp, createdAt } = lane;
    lanes.push({
      id,
      timezone: state.timezone,
      slotAt: new Date(slotAt),
      dailyLimit,
      ramp,
      createdAt,
    });
  }
  const campaigns = upTo(state.windows, now, ROLLED_AT_ONCE).map((campaign) => ({
    id: campaign.id,
    timezone: campaign.timezone,
    start: campaign.start,
    end: campaign.end,
    days: campaign.days,
    openUntil: dateOf(campaign.openUntil),
  }));
  return { lanes, campaigns };
}

export function rollOver(
  state: State,
  now: number,
  lanes: LaneDay[],
  campaigns: CampaignWindow[],
): void {
  for (const { id, openFrom, openUntil, day, after } of campaigns) {
    const campaign = state.campaigns.get(id);
    if (campaign === undefined || campaign.openUntil !== msOf(after)) continue;
    if (campaign.openDay !== day) {
      campaign.used = 0;
      campaign.usedNew = 0;
    }
    campaign.openFrom = openFrom.getTime();
    campaign.openUntil = openUntil.getTime();
    campaign.openDay = day;
    fileCampaign(state, campaign);
  }
  const rolled = lanes.filter(({ id, slotAt }) => {
    const lane = state.lanes.get(id);
    return lane !== undefined && (lane.dayUntil === null || lane.dayUntil <= slotAt.getTime());
  });
  const shares = allotQuotas(state, rolled);
  for (const { id, dayFrom, dayUntil, dayCap } of rolled) {
    const lane = state.lanes.get(id)!;
    lane.dayFrom = dayFrom.getTime();
    lane.dayUntil = dayUntil.getTime();
    lane.dayCap = shares.get(id) ?? dayCap;
    lane.used = 0;
  }
  forgetQuotas(state, now, lanes);
}
