import type { Budget, SendState } from "#db/schema/index.ts";
import { budgetOf, budgetsOf } from "#db/engine/budgets.ts";
import { LATE_SECONDS } from "#db/engine/lane-slots.ts";
import { gapSeconds } from "../chance.ts";
import { dequeue, enqueue } from "./queue.ts";
import {
  type Campaign,
  type Domain,
  type Hold,
  type Lane,
  later,
  type Lead,
  type LeadQueues,
  type MailTrace,
  type OperatorRate,
  type Send,
  type Zone,
} from "./rows.ts";
import type { Suppressed } from "./suppressions.ts";

export interface State {
  timezone: string;
  lanes: Map<string, Lane>;
  domains: Map<string, Domain>;
  /** By sending domain and operator. */
  rates: Map<string, Map<string, OperatorRate>>;
  /** Of recipients' domains, as far as they are known. */
  operators: ReadonlyMap<string, string>;
  campaigns: Map<string, Campaign>;
  leads: Map<string, Lead>;
  /** As they came. */
  leadsInOrder: Lead[];
  sends: Map<string, Send>;
  /** Open lanes with a slot. */
  slots: Lane[];
  /** Running campaigns by the end of their piece of window. */
  windows: Campaign[];
  /** Zones of leads by the end of theirs. */
  zones: Zone[];
  holds: Hold[];
  /** Claimed and transmitting sends by the end of their lease. */
  leases: Send[];
  unknowns: Send[];
  /** Why addresses get no mail, and until when. */
  suppressed: Map<string, Suppressed>;
  mail: Map<string, MailTrace[]>;
  sendCount: number;
  lastTickAt: number | null;
}

/** A change of the fields that a queue depends on is finished by filing the row. */
export function fileLane(state: State, lane: Lane): void {
  if (lane.open && lane.nextSlotAt !== null) enqueue(state.slots, lane, lane.nextSlotAt);
  else dequeue(lane);
}

export function fileCampaign(state: State, campaign: Campaign): void {
  if (isRunning(campaign)) enqueue(state.windows, campaign, campaign.openUntil ?? -Infinity);
  else dequeue(campaign);
}

export function fileLead(lead: Lead): void {
  const { campaign, status, nextActionAt } = lead;
  if (lead.isEdge && lead.queue !== null) campaign.ranOut = true;
  if (lead.countedAs !== status) {
    countLead(campaign, lead.countedAs, -1);
    countLead(campaign, status, 1);
    lead.countedAs = status;
  }
  if (nextActionAt === null || lead.hold !== null) dequeue(lead);
  else if (status === "pending") enqueue(queueOf(campaign.fresh, lead), lead, nextActionAt);
  else if (status === "active" && lead.laneId !== null)
    enqueue(queueOf(followUpsOf(campaign, lead.laneId), lead), lead, nextActionAt);
  else if (status === "active" && lead.nextChannel !== null)
    enqueue(queueOf(campaign.pools[lead.nextChannel], lead), lead, nextActionAt);
  else dequeue(lead);
}

function countLead(campaign: Campaign, status: Lead["countedAs"], by: number): void {
  if (status === "pending") campaign.pendingCount += by;
  else if (status === "active") campaign.activeCount += by;
}

export function followUpsOf(campaign: Campaign, laneId: string): LeadQueues {
  const known = campaign.followUps.get(laneId);
  if (known !== undefined) return known;
  const made: LeadQueues = new Map();
  campaign.followUps.set(laneId, made);
  return made;
}

function queueOf(queues: LeadQueues, { zone, nextBudget }: Lead): Lead[] {
  const place = placeOf(nextBudget, zone);
  const known = queues.get(place);
  if (known !== undefined) return known;
  const made: Lead[] = [];
  queues.set(place, made);
  return made;
}

/** Where the leads of a zone wait that take from that budget. */
export const placeOf = (budget: Budget, zone: string): string =>
  budget === "" ? zone : `${budget} ${zone}`;

const OPEN_STATES: ReadonlySet<SendState> = new Set(["claimed", "transmitting"]);
/** Whether the send used up a place of its day: claims that were given back did not. Twin of db/engine/counters.ts. */
export const tookPlace = ({ state, attempts }: Send): boolean =>
  state !== "released" && state !== "canceled" && (attempts > 0 || state === "claimed");

export function fileSend(state: State, send: Send): void {
  if (OPEN_STATES.has(send.state) && send.leaseUntil !== null)
    enqueue(state.leases, send, send.leaseUntil);
  else if (send.state === "unknown") enqueue(state.unknowns, send, send.transmittingAt ?? 0);
  else dequeue(send);
  if (send.counted !== null) {
    send.counted.used--;
    if (send.countedNew) send.counted.usedNew--;
    send.counted = null;
  }
  if (!tookPlace(send)) return;
  send.counted = dayCountsOf(send.campaign, send.campaignDay);
  // By step, as the twin has it: a retry is no new claim, of the message that began its lead.
  send.countedNew = send.step === 1;
  send.counted.used++;
  if (send.countedNew) send.counted.usedNew++;
}

export function dayCountsOf(campaign: Campaign, day: string) {
  const known = campaign.dayCounts.get(day);
  if (known !== undefined) return known;
  const made = { used: 0, usedNew: 0 };
  campaign.dayCounts.set(day, made);
  return made;
}

export const isRunning = ({ status }: Campaign): boolean =>
  status === "active" || status === "draining";

export const startsLeads = ({ status, maxNewLeadsPerDay, usedNew }: Campaign): boolean =>
  status === "active" && (maxNewLeadsPerDay === null || usedNew < maxNewLeadsPerDay);

/** From which budget the campaign's new leads take. */
export const firstBudgetOf = ({ steps }: Campaign): Budget => budgetOf(steps[0]);

/** What is left of a part of the lane's day; of one without parts nothing is of connections. */
function leftOf({ used, dayCap, connectionCap, connectionsUsed }: Lane, budget: Budget): number {
  const connections = (connectionCap ?? 0) - connectionsUsed;
  return budget === "connection" ? connections : dayCap - used - connections;
}

/** The budgets of which the lane's day has something left. */
export function openBudgets(lane: Lane): readonly Budget[] {
  const all = budgetsOf(lane.kind);
  // Asked at each step of a run ahead: a lane without parts costs no list.
  if (all.length === 1) return leftOf(lane, all[0]!) > 0 ? all : NONE;
  return all.filter((budget) => leftOf(lane, budget) > 0);
}
const NONE: readonly Budget[] = [];

/** Whether senders of this kind start the campaign's leads. */
export const doesFirstStep = ({ steps }: Campaign, { kind }: Lane): boolean =>
  steps[0]?.channel === kind;

/** The gap in milliseconds, rounded as SQL does: an interval has microseconds, a column keeps milliseconds. */
export const gapMsOf = (intervalSeconds: number, laneId: string, slotNo: number): number =>
  Math.floor((Math.round(gapSeconds(intervalSeconds, laneId, slotNo) * 1e6) + 500) / 1000);

/** The larger interval of campaign and sender. */
const intervalMsOf = (lane: Lane, campaign: Campaign): number =>
  Math.max(lane.minIntervalSeconds ?? 0, campaign.minIntervalSeconds) * 1000;

/** Sooner after its last begin a sender never begins again, whatever was planned; null before the first. */
export const bareGapOver = (lane: Lane, campaign: Campaign): number | null =>
  lane.lastBegunAt === null ? null : lane.lastBegunAt + intervalMsOf(lane, campaign);

export const LATE_MS = LATE_SECONDS * 1000;

/** The slot of a lane that is due: its own, or now, if that has passed too long ago. */
export const dueSlot = ({ nextSlotAt }: Lane, now: number): number =>
  nextSlotAt! > now - LATE_MS ? nextSlotAt! : now;

/** Neither claim nor begin passes a rest. */
export const isResting = ({ closedUntil }: Lane, at: number): boolean =>
  closedUntil !== null && closedUntil > at;

/** When the gap after the lane's last action is over; null before the first. */
export function gapOver(lane: Lane, intervalSeconds: number): number | null {
  const { lastSlotAt, minIntervalSeconds, id, slotNo } = lane;
  if (lastSlotAt === null) return null;
  return lastSlotAt + gapMsOf(Math.max(minIntervalSeconds ?? 0, intervalSeconds), id, slotNo);
}

/**
 * Gives a lane whose last claim sent nothing its slot back, as if there had been no
 * claim: counted from when its last send really began.
 */
export function giveSlotBack(lane: Lane, at: number): number {
  lane.lastSlotAt = lane.lastBegunAt;
  return later(later(at, lane.closedUntil), gapOver(lane, lane.minIntervalSeconds ?? 60))!;
}

/** When the lane may act for the campaign, not before `at`: after its rest and its gap. */
export const earliestSlot = (at: number, lane: Lane, campaign: Campaign): number =>
  later(later(at, lane.closedUntil), gapOver(lane, campaign.minIntervalSeconds))!;

/** Gives reservations back to the campaign, if its date is still the one they were charged to. */
export function refundCampaign(send: Send): void {
  const { campaign } = send;
  if (campaign.openDay !== send.campaignDay) return;
  if (campaign.used > 0) campaign.used--;
  if (send.isNew && campaign.usedNew > 0) campaign.usedNew--;
}

export function refundLane(lane: Lane, dayUntil: number, back: Send[]): void {
  if (lane.dayUntil !== dayUntil) return;
  const connections = back.filter(({ budget }) => budget === "connection").length;
  lane.used -= Math.min(lane.used, back.length);
  lane.connectionsUsed -= Math.min(lane.connectionsUsed, connections);
}

/** Where a message goes; null on a channel without addresses. */
export const addressOf = ({ lane, lead }: Send): string | null =>
  lane.kind === "email" ? lead.emailKey : null;

/** A lead that had no sender of its own for this step has none again. */
export function dropSender({ lead, isNew }: Send): void {
  if (isNew || lead.nextChannel !== null) lead.laneId = null;
}
