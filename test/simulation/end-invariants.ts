import type {
  Budget,
  CampaignLeadStatus,
  CampaignStatus,
  LaneKind,
  SendState,
} from "#db/schema/index.ts";
import { isInWindow } from "./wall-clock.ts";
import type { Invariants } from "./invariants.ts";
import type { LeadTrace } from "./traces.ts";
import type { Violation } from "./wire.ts";

/** What the checks look at in a store: at its rest, and at its end. */
export interface EngineView {
  lanes: LaneView[];
  campaigns: CampaignView[];
  leads: Iterable<{ id: string; status: CampaignLeadStatus }>;
  sends: Iterable<SendView>;
  /**
   * Earliest waiting lead of each campaign and zone: of each sender, and those that any sender of a channel
   * may take, new or started. Due once its window opens.
   */
  waiting: {
    campaignId: string;
    laneId: string | null;
    kind: LaneKind | null;
    budget: Budget;
    isNew: boolean;
    dueAt: number;
  }[];
  /** When the first hold with an end is over. */
  holdUntil: number | null;
}
export interface LaneView {
  id: string;
  kind: LaneKind;
  open: boolean;
  nextSlotAt: number | null;
  lastSlotAt: number | null;
  used: number;
  dayCap: number;
  connectionCap: number | null;
  connectionsUsed: number;
  dayFrom: number | null;
  dayUntil: number | null;
  closedUntil: number | null;
  minIntervalSeconds: number | null;
  aliasStatus: string;
}
export interface CampaignView {
  id: string;
  status: CampaignStatus;
  dailyLimit: number;
  used: number;
  maxNewLeadsPerDay: number | null;
  usedNew: number;
  openDay: string | null;
  openFrom: number | null;
  openUntil: number | null;
  minIntervalSeconds: number;
  laneIds: string[];
}
export interface SendView {
  leadId: string;
  laneId: string;
  campaignId: string;
  step: number;
  state: SendState;
  campaignDay: string;
  laneDayUntil: number;
  budget: Budget;
}

const ENDED: ReadonlySet<CampaignStatus> = new Set(["completed", "paused"]);

/** Once everything that went wrong is over, every lead comes to an end, and its campaign with it. */
export function checkLiveness(view: EngineView, { violations }: Invariants): void {
  for (const { id, status } of view.leads)
    if (status === "pending" || status === "active")
      violations.push({ invariant: "every lead ends", text: `still ${status}`, leadId: id });
  for (const { id, status } of view.campaigns)
    if (!ENDED.has(status))
      violations.push({ invariant: "every lead ends", text: `still ${status}`, campaignId: id });
}

const SENT: ReadonlySet<SendState> = new Set(["accepted"]);
export const MAYBE: ReadonlySet<SendState> = new Set([
  "accepted",
  "assumed_sent",
  "unknown",
  "transmitting",
]);
export const NOTHING: ReadonlySet<SendState> = new Set(["released", "canceled"]);

/** What the ledger says is what the wire has seen, but for the unknown; and the day's counters are the ledger's. */
export function checkLedger(
  view: EngineView,
  { violations, leads }: Invariants,
  refusedOn: (campaignId: string, date: string | null) => number,
): void {
  const reserved = new Map<string, { least: number; most: number }>();
  const days = new Map(view.campaigns.map(({ id, openDay }) => [id, openDay]));
  for (const { leadId, campaignId, step, state, campaignDay } of view.sends) {
    const lead = leads.get(leadId)!;
    const isOnWire = (lead.steps & (1 << step)) !== 0;
    // Of who is connected, or asked, a look-up says that they were asked, whichever step did it.
    const isMoot = asksToConnect(lead, step) && asksBefore(lead, step);
    const violate = (text: string) =>
      violations.push({ invariant: "counters, ledger and wire agree", text, leadId, campaignId });
    if (SENT.has(state) && !isOnWire && !isMoot)
      violate(`step ${step} is ${state}, and was never on the wire`);
    if (!MAYBE.has(state) && isOnWire) violate(`step ${step} was on the wire, and is ${state}`);
    if (days.get(campaignId) !== campaignDay || NOTHING.has(state)) continue;
    const count = reserved.get(campaignId) ?? { least: 0, most: 0 };
    count.most++;
    if (MAYBE.has(state)) count.least++;
    reserved.set(campaignId, count);
  }
  for (const { id, used, openDay } of view.campaigns) {
    const { least, most } = reserved.get(id) ?? { least: 0, most: 0 };
    const refused = refusedOn(id, openDay);
    if (used >= least && used <= most + refused) continue;
    violations.push({
      invariant: "counters, ledger and wire agree",
      text: `the day's counter is ${used}; the ledger has ${least} to ${most}, the relay refused ${refused}`,
      campaignId: id,
    });
  }
}

const asksToConnect = ({ campaign }: LeadTrace, step: number): boolean =>
  campaign.data.steps[step - 1]?.action_type === "connection_request";

const asksBefore = (lead: LeadTrace, step: number): boolean =>
  lead.campaign.data.steps.slice(0, step - 1).some((earlier) => asksToConnect(lead, earlier.step));

const SLACK_MS = 180_000;

/**
 * A lane with work never sleeps past the instant at which it can do it. Campaigns that
 * have just been woken as a whole have no lane that sleeps out a day which has room.
 */
export function checkWakes(
  view: EngineView,
  at: number,
  { violations }: Invariants,
  woken: ReadonlySet<string> = new Set(),
): void {
  const lanes = new Map(view.lanes.map((lane) => [lane.id, lane]));
  const campaigns = new Map(view.campaigns.map((campaign) => [campaign.id, campaign]));
  // The gap after a message is that of the campaign that it was for, whoever waits.
  const longest = new Map<string, number>();
  for (const { laneIds, minIntervalSeconds } of view.campaigns)
    for (const id of laneIds) longest.set(id, Math.max(longest.get(id) ?? 0, minIntervalSeconds));
  for (const { campaignId, laneId, kind, budget, isNew, dueAt } of view.waiting) {
    const campaign = campaigns.get(campaignId)!;
    if (campaign.status !== "active" && (isNew || campaign.status !== "draining")) continue;
    const able = (laneId === null ? campaign.laneIds : [laneId])
      .map((id) => lanes.get(id)!)
      .filter((lane) => lane.open && (laneId !== null || lane.kind === kind));
    const hasRoom = woken.has(campaignId) && roomFor(campaign, isNew) > 0;
    const isAwake = (lane: LaneView) =>
      looksInTime(lane, hasRoom ? { ...campaign, openUntil: null } : campaign, {
        intervalSeconds: longest.get(lane.id) ?? 0,
        budget,
        dueAt,
        at,
      });
    if (able.length === 0 || able.some(isAwake)) continue;
    violations.push({
      invariant: "no lost wake-up",
      at,
      text: `${new Date(at).toISOString()} a lead due ${new Date(dueAt).toISOString()} waits; its lane sleeps until ${String(able[0]!.nextSlotAt && new Date(able[0]!.nextSlotAt).toISOString())}`,
      campaignId,
      laneId: able[0]!.id,
    });
  }
}

const roomFor = (campaign: CampaignView, isNew: boolean): number =>
  Math.min(
    campaign.dailyLimit - campaign.used,
    isNew ? (campaign.maxNewLeadsPerDay ?? Infinity) - campaign.usedNew : Infinity,
  );

function looksInTime(
  lane: LaneView,
  campaign: CampaignView,
  {
    intervalSeconds,
    budget,
    dueAt,
    at,
  }: { intervalSeconds: number; budget: Budget; dueAt: number; at: number },
): boolean {
  const { nextSlotAt, lastSlotAt, dayFrom, dayUntil, closedUntil } = lane;
  if (nextSlotAt === null) return false;
  const interval = Math.max(intervalSeconds, lane.minIntervalSeconds ?? 0);
  const excuses = [
    at,
    dueAt,
    campaign.openFrom,
    campaign.openUntil,
    dayFrom,
    leftOf(lane, budget) > 0 ? null : dayUntil,
    closedUntil,
    lastSlotAt === null ? null : lastSlotAt + interval * 1300 + 1000,
  ];
  return nextSlotAt <= Math.max(...excuses.map((excuse) => excuse ?? -Infinity)) + SLACK_MS;
}

/** What a sender may still do today of that budget. */
function leftOf({ used, dayCap, connectionCap, connectionsUsed }: LaneView, budget: Budget) {
  if (budget === "") return dayCap - used;
  const connections = (connectionCap ?? 0) - connectionsUsed;
  return budget === "connection" ? connections : dayCap - used - connections;
}

/** When the engine says that it next has something to do, no hold has ended before. */
export function checkHolds(
  { holdUntil }: EngineView,
  wakeAt: number | null,
  at: number,
  { violations }: Invariants,
): void {
  if (holdUntil === null || (wakeAt !== null && wakeAt <= holdUntil)) return;
  const text = `${new Date(at).toISOString()} a hold ends at ${new Date(holdUntil).toISOString()}, and the engine sleeps on`;
  violations.push({ invariant: "no lost wake-up", text, at });
}

/** The relay may be slow to say that it refuses an account, and its worker to note it. */
const LATE_MS = 1_800_000;

/** A sender is closed by its owner, with its domain or for its account, and else open. */
export function checkOpen(view: EngineView, at: number, { lanes, violations }: Invariants): void {
  for (const { id, open } of view.lanes) {
    const { closedAt, mendedAt, brokenAt } = lanes.get(id)!;
    if (open || closedAt !== null || brokenAt > mendedAt - LATE_MS) continue;
    const text = `${new Date(at).toISOString()} closed for no reason`;
    violations.push({ invariant: "senders stay open", text, at, laneId: id });
  }
}

/** Without faults, and with more leads than the days can hold, each day is used to nine tenths at least. */
export function checkUse(
  { campaigns, violations }: Invariants,
  capacityOf: (campaignId: string) => number,
): void {
  for (const [campaignId, { data, sentAbout: sent, lastStarted }] of campaigns) {
    const dates = [...sent.keys()]
      .filter((date) => date < lastStarted)
      .sort()
      .slice(1);
    const wanted = 0.9 * Math.min(data.dailyLimit, capacityOf(campaignId));
    for (const date of dates) {
      const noon = Date.parse(`${date}T12:00:00Z`);
      if (!isInWindow(noon, { ...data, timezone: "UTC", start: "00:00", end: "00:00" })) continue;
      if (sent.get(date)! >= wanted) continue;
      violations.push({
        invariant: "caps are used",
        text: `${sent.get(date)} messages on ${date}, where ${wanted.toFixed(1)} were possible`,
        campaignId,
      });
    }
  }
}

export const textOf = (violation: Violation): string =>
  `${violation.invariant}: ${violation.text} (${[violation.campaignId, violation.leadId, violation.laneId].filter(Boolean).join(", ")})`;
