import {
  type AccountDay,
  type CampaignPiece,
  type LaneDay,
  type LaneRollover,
  ROLLED_AT_ONCE,
  type Rollovers,
  type ZonePiece,
  type ZoneRollover,
} from "#db/engine/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { allotQuotas, forgetQuotas } from "./domain-quotas.ts";
import { dequeue, enqueue, upTo } from "./queue.ts";
import { type Campaign, dateOf, type Lane, msOf } from "./rows.ts";
import { fileCampaign, fileLane, isRunning, type State, tookPlace } from "./state.ts";

/** As the SQL: accounting days and window intervals that are over. Lanes whose alias is gone close for good. */
export function dueRollovers(state: State, now: number, until: number): Rollovers {
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
      account: accountDayOf(lane, slotAt),
    });
  }
  const campaigns = upTo(state.windows, now, ROLLED_AT_ONCE).map((campaign) => ({
    id: campaign.id,
    useLeadTimezone: campaign.useLeadTimezone,
    ...windowOf(campaign),
    openUntil: dateOf(campaign.openUntil),
  }));
  return { lanes, campaigns, zones: dueZones(state, now) };
}

const KEPT_MS = 8 * DAY_MS;

/** What an account asked for of late, before the model knew it or since. */
function accountDayOf(lane: Lane, slotAt: number): AccountDay | null {
  if (lane.account === null) return null;
  lane.connections = lane.connections.filter((send) => send.slotAt >= slotAt - KEPT_MS);
  const own = lane.connections.filter((send) => send.lane === lane && tookPlace(send));
  const slots = own.map((send) => new Date(send.slotAt));
  return { ...lane.account, connections: [...lane.account.connections, ...slots] };
}

const windowOf = ({ timezone, start, end, days }: Campaign) => ({ timezone, start, end, days });

/** Deletes zones of campaigns that do not run. */
function dueZones(state: State, now: number): ZoneRollover[] {
  const due = upTo(state.zones, now, ROLLED_AT_ONCE);
  for (const { campaign } of due) if (!isRunning(campaign)) forgetZones(campaign);
  return due
    .filter(({ campaign }) => isRunning(campaign))
    .map(({ campaign, zone, openUntil }) => ({
      campaignId: campaign.id,
      zone,
      ...windowOf(campaign),
      openUntil: new Date(openUntil),
    }));
}

function forgetZones({ zones }: Campaign): void {
  for (const zone of zones.values()) dequeue(zone);
  zones.clear();
}

export function rollOver(
  state: State,
  now: number,
  lanes: LaneDay[],
  campaigns: CampaignPiece[],
  zones: ZonePiece[],
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
  for (const { campaignId, zone: name, openFrom, openUntil, after } of zones) {
    const zone = state.campaigns.get(campaignId)?.zones.get(name);
    if (zone === undefined || zone.openUntil !== after.getTime()) continue;
    zone.openFrom = openFrom.getTime();
    zone.openUntil = openUntil.getTime();
    enqueue(state.zones, zone, zone.openUntil);
  }
  const rolled = lanes.filter(({ id, slotAt }) => {
    const lane = state.lanes.get(id);
    return lane !== undefined && (lane.dayUntil === null || lane.dayUntil <= slotAt.getTime());
  });
  const shares = allotQuotas(state, rolled);
  for (const { id, dayFrom, dayUntil, dayCap, connectionCap } of rolled) {
    const lane = state.lanes.get(id)!;
    lane.dayFrom = dayFrom.getTime();
    lane.dayUntil = dayUntil.getTime();
    lane.dayCap = shares.get(id) ?? dayCap;
    lane.connectionCap = connectionCap;
    lane.used = 0;
    lane.connectionsUsed = 0;
  }
  forgetQuotas(state, now, lanes);
}
