import type { ClaimedSend, ClaimOrder } from "#db/engine/index.ts";
import { LOOKED_AT } from "#db/engine/claim-turns.ts";
import { barredAt, barredUntil } from "./operator-rates.ts";
import { compareIds, deal, giveLeads, isNew, type Pick, type Slot, turnsOf } from "./picks.ts";
import { notQueued, upTo } from "./queue.ts";
import {
  type Campaign,
  earlier,
  type Lane,
  later,
  type Lead,
  type Send,
  type Sender,
} from "./rows.ts";
import {
  bareGapOver,
  doesFirstStep,
  dueSlot,
  fileLane,
  fileLead,
  fileSend,
  gapMsOf,
  gapOver,
  isResting,
  isRunning,
  openBudgets,
  startsLeads,
  type State,
} from "./state.ts";
import { answerOf, inSlotOrder } from "./take-over.ts";
import { firstDueAt } from "./zones.ts";

/** As the SQL claim: one action at most for each due lane; lanes without one are parked, and those behind them get their turn. */
export function claim(state: State, order: ClaimOrder): ClaimedSend[] {
  for (let round = 0; round < ROUNDS; round++) {
    const claimed = claimOnce(state, order);
    if (claimed === null || claimed.length > 0) return claimed ?? [];
  }
  return [];
}

const ROUNDS = 20;

/** Null when no lane is due. */
function claimOnce(state: State, order: ClaimOrder): ClaimedSend[] | null {
  const now = order.now.getTime();
  const isOnDay = ({ dayUntil, nextSlotAt }: Lane) => (dayUntil ?? 0) > Math.max(nextSlotAt!, now);
  const due = upTo(state.slots, order.until.getTime(), Infinity)
    .filter(isOnDay)
    .slice(0, order.limit);
  if (due.length === 0) return null;
  const claimed: ClaimedSend[] = [];
  const served = new Set<Lane>();
  const waiting = new Map<Lane, number>();
  let left = due.filter((lane) => fits(lane, dueSlot(lane, now)));
  // What one lane lost to another is dealt again.
  for (let depth = 1, round = 0; left.length > 0 && round < order.limit + 2; round++) {
    const turns = left.map((lane) => turnsOf(state, lane, dueSlot(lane, now)).slice(0, depth));
    const asking = left.filter((_, index) => turns[index]!.length > 0);
    const dealt = deal(turns.flat().sort(inOrder), depth);
    if (dealt.length === 0) break;
    for (const slot of slotsOf(dealt, waiting)) {
      const beginsAt = beginsAtOf(slot, now);
      const send = take(state, slot, order, beginsAt);
      if (send === null) continue;
      claimed.push(answerOf(send, beginsAt));
      served.add(slot.lane);
    }
    left = asking.filter((lane) => !served.has(lane) && !waiting.has(lane));
    depth = Math.min(left.length, LOOKED_AT);
  }
  claimed.sort(inSlotOrder);
  // By the state after the claim, as in the SQL function's last statement.
  for (const lane of due.filter((each) => !served.has(each))) {
    lane.nextSlotAt = waiting.get(lane) ?? wakeOfLane(state, lane, dueSlot(lane, now), now);
    fileLane(state, lane);
  }
  return claimed;
}

/** Follow-ups before new leads, then by slots. A lane's own order stays: the sort is stable. */
const inOrder = (a: Pick, b: Pick): number =>
  Number(isNew(a)) - Number(isNew(b)) || a.at - b.at || compareIds(a.lane.id, b.lane.id);

/** Who gets which lead of those whose turn it is; `waiting` learns of the lanes that get none, and until when. */
function slotsOf(dealt: Pick[], waiting: Map<Lane, number>): Slot[] {
  const picks = new Map<Campaign, Pick[]>();
  for (const pick of dealt) {
    const { lane, at, sender } = pick;
    // The lane waits for the gap of the campaign whose turn it is: another with a shorter one would go first for ever.
    const gap = gapOver(lane, sender.campaign.minIntervalSeconds) ?? at;
    if (gap > at) {
      waiting.set(lane, Math.max(gap, at + 1000));
      continue;
    }
    const others = picks.get(sender.campaign);
    if (others === undefined) picks.set(sender.campaign, [pick]);
    else others.push(pick);
  }
  const slotted = [...picks].flatMap(([campaign, wishes]) => giveLeads(campaign, wishes));
  return slotted.sort((a, b) => a.at - b.at || compareIds(a.lane.id, b.lane.id));
}

function fits(lane: Lane, at: number): boolean {
  return (
    openBudgets(lane).length > 0 &&
    lane.dayFrom !== null &&
    at >= lane.dayFrom &&
    lane.dayUntil !== null &&
    at < lane.dayUntil &&
    !isResting(lane, at)
  );
}

/** A send of this step that ended otherwise keeps the ledger's row: then nothing is claimed. */
function isClaimable(lead: Lead): boolean {
  const before = lead.sends[lead.nextStep!];
  return before === undefined || before.state === "released" || before.state === "retry_wait";
}

/** When the send may begin: not before the lane's gap is over, though the slot is earlier. */
const beginsAtOf = ({ lane, at, sender }: Slot, now: number): number =>
  Math.max(at, now, bareGapOver(lane, sender.campaign) ?? at);

function take(state: State, slot: Slot, order: ClaimOrder, beginsAt: number): Send | null {
  const { lane, at, lead, sender } = slot;
  const { campaign } = sender;
  const isFree = isClaimable(lead);
  lead.status = "active";
  lead.laneId = lane.id;
  lead.nextActionAt = null;
  fileLead(lead);
  if (!isFree) return null;
  const send = lead.sends[lead.nextStep!] ?? newSend(state, lead, lead.nextStep!, lane);
  send.state = "claimed";
  send.isNew = isNew(slot);
  send.lane = lane;
  send.slotAt = at;
  send.campaignDay = campaign.openDay!;
  send.laneDayUntil = lane.dayUntil!;
  send.budget = lead.nextBudget;
  send.leaseUntil = beginsAt + order.leaseSeconds * 1000;
  send.workerToken = order.workerToken;
  send.claims++;
  fileSend(state, send);
  lane.lastSlotAt = at;
  lane.slotNo++;
  lane.used++;
  if (send.budget === "connection") noteConnection(lane, send);
  const interval = Math.max(campaign.minIntervalSeconds, lane.minIntervalSeconds ?? 0);
  lane.nextSlotAt = at + gapMsOf(interval, lane.id, lane.slotNo);
  fileLane(state, lane);
  campaign.used++;
  if (send.isNew) campaign.usedNew++;
  if (hasOthers(sender)) sender.lastServedAt = at;
  return send;
}

/** Whether another campaign of the lane may want the next turn. */
const hasOthers = ({ lane, campaign }: Sender): boolean =>
  lane.senders.some(
    (other) => other.campaign !== campaign && other.campaign.status !== "completed",
  );

function noteConnection(lane: Lane, send: Send): void {
  lane.connectionsUsed++;
  if (!lane.connections.includes(send)) lane.connections.push(send);
}

export function newSend(state: State, lead: Lead, step: number, lane: Lane): Send {
  const no = ++state.sendCount;
  const send: Send = {
    ...notQueued(no),
    id: `00000000-0000-4000-8000-${no.toString(16).padStart(12, "0")}`,
    lead,
    campaign: lead.campaign,
    campaignId: lead.campaign.id,
    lane,
    step,
    state: "claimed",
    slotAt: 0,
    campaignDay: "",
    laneDayUntil: 0,
    budget: "",
    isNew: false,
    leaseUntil: null,
    workerToken: null,
    claims: 0,
    alone: 0,
    attempts: 0,
    refusals: 0,
    refusedSince: null,
    transmittingAt: null,
    acceptedAt: null,
    messageId: null,
    subject: null,
    reason: null,
    counted: null,
    countedNew: false,
  };
  lead.sends[step] = send;
  state.sends.set(send.id, send);
  return send;
}

/** When a due lane that got no lead may next have work; null parks it until a change wakes it. */
function wakeOfLane(state: State, lane: Lane, at: number, now: number): number | null {
  if (lane.dayFrom !== null && at < lane.dayFrom) return lane.dayFrom;
  if (openBudgets(lane).length === 0 || (lane.dayUntil !== null && at >= lane.dayUntil))
    return lane.dayUntil;
  const barred = barredAt(state, lane, at);
  let wakeAt = barredUntil(state, lane, at);
  let hasWork = wakeAt !== null;
  for (const sender of lane.senders) {
    const { campaign } = sender;
    if (!isRunning(campaign)) continue;
    const dueAt = workOf(sender, barred);
    if (dueAt === null) continue;
    hasWork = true;
    wakeAt = earlier(
      wakeAt,
      campaign.used >= campaign.dailyLimit
        ? campaign.openUntil
        : later(later(dueAt, campaign.openFrom), gapOver(lane, campaign.minIntervalSeconds)),
    );
  }
  return hasWork ? later(later(later(at + 1000, now), lane.closedUntil), wakeAt) : null;
}

function workOf({ campaign, lane, followUps }: Sender, barred: readonly string[]): number | null {
  const pooled = firstDueAt(campaign.pools[lane.kind], campaign, lane, barred);
  const followUp = earlier(firstDueAt(followUps, campaign, lane, barred), pooled);
  const starts = campaign.status === "active" && doesFirstStep(campaign, lane);
  const fresh = starts ? firstDueAt(campaign.fresh, campaign, lane, barred) : null;
  if (fresh === null) return followUp;
  const newLead = startsLeads(campaign) ? fresh : later(fresh, campaign.openUntil);
  return earlier(followUp, newLead);
}
