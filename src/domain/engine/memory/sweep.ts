import { targetOf } from "#db/base/fragments/transitions.ts";
import type { LaneKind } from "#db/schema/index.ts";
import {
  type Finish,
  type LostSend,
  SKIPPED_AT_ONCE,
  SUSPECT_ALONE,
  type SweptSend,
  type UnknownSend,
} from "#db/engine/index.ts";
import { planOf } from "./load.ts";
import { upTo } from "./queue.ts";
import { earlier, type Lane, type Lead, type Send } from "./rows.ts";
import {
  dropSender,
  earliestSlot,
  fileCampaign,
  fileLane,
  fileLead,
  fileSend,
  refundCampaign,
  refundLane,
  type State,
} from "./state.ts";
import { applyWakes, wakeOthers, type Wakes } from "./wakes.ts";
import { dropHold, endHold, holdLead } from "./holds.ts";

const BATCH = 500;

/** As the SQL sweep: leases that ran out, then holds whose time is over. */
export function sweep(state: State, at: number): SweptSend[] {
  const expired = upTo(state.leases, at, BATCH);
  const lanes = new Map<Lane, Send[]>();
  for (const send of expired) {
    const own = lanes.get(send.lane);
    if (own === undefined) lanes.set(send.lane, [send]);
    else own.push(send);
  }
  const wakes: Wakes = new Map();
  for (const send of expired) if (send.state !== "transmitting") wakeOthers(wakes, send, at);
  const swept = expired.map((send) => {
    const to = send.state === "transmitting" ? ("unknown" as const) : ("released" as const);
    if (to !== "unknown") refundCampaign(send);
    send.state = to;
    send.reason = REASONS[to];
    send.leaseUntil = null;
    fileSend(state, send);
    if (send.lead.status === "active") moveLead(state, at, send);
    return { id: send.id, campaignId: send.campaign.id, to };
  });
  applyWakes(state, wakes, () => false);
  for (const [lane, sends] of lanes) {
    const back = sends.filter((send) => send.state !== "unknown");
    refundLane(lane, Math.max(...sends.map(({ laneDayUntil }) => laneDayUntil)), back);
    for (const { campaign } of back)
      lane.nextSlotAt = earlier(lane.nextSlotAt, earliestSlot(at, lane, campaign));
    fileLane(state, lane);
  }
  for (const hold of upTo(state.holds, at, BATCH)) endHold(state, hold.lead, at);
  return swept;
}

const REASONS = {
  unknown: "The worker stopped while this message was being handed over; it may have arrived.",
  released: "The worker stopped before sending; put back.",
};

function moveLead(state: State, at: number, send: Send): void {
  const { lead, isNew, reason } = send;
  const isBack = send.state === "released";
  lead.nextActionAt = isBack ? at : null;
  if (isBack && isNew) lead.status = "pending";
  if (isBack) dropSender(send);
  if (!isBack) lead.lastError = reason;
  // A suspect: it is held until a user has looked at it.
  if (isBack && send.alone >= SUSPECT_ALONE) holdLead(state, lead, null);
  fileLead(lead);
}

export function overdueUnknown(state: State, before: number): UnknownSend[] {
  return upTo(state.unknowns, before, BATCH).map((send) => ({
    id: send.id,
    campaignId: send.campaign.id,
    step: send.step,
    transmittingAt: new Date(send.transmittingAt!),
    ...planOf(send),
  }));
}

export const unknownOf = (state: State, kinds: readonly LaneKind[], limit: number): LostSend[] =>
  upTo(state.unknowns, Infinity, Infinity)
    .filter(({ lane }) => kinds.includes(lane.kind))
    .slice(0, limit)
    .map(({ id, campaign, lane, transmittingAt }) => ({
      id,
      campaignId: campaign.id,
      kind: lane.kind,
      transmittingAt: new Date(transmittingAt!),
    }));

/** Ends running campaigns without a lead left to act on; while draining, those never started are skipped. */
export function complete(state: State, campaignIds: string[]): Finish {
  const finish: Finish = { completed: [], drained: [] };
  for (const id of campaignIds) {
    const campaign = state.campaigns.get(id);
    if (campaign === undefined) continue;
    const completed = targetOf(campaign.status, "complete");
    if (completed === undefined || campaign.activeCount > 0) continue;
    if (campaign.status === "active" && campaign.pendingCount > 0) continue;
    if (campaign.pendingCount > SKIPPED_AT_ONCE) {
      finish.drained.push(id);
      continue;
    }
    campaign.status = completed;
    fileCampaign(state, campaign);
    if (campaign.pendingCount > 0) campaign.leads.forEach(skipPending);
    finish.completed.push(id);
  }
  return finish;
}

function skipPending(lead: Lead): void {
  if (lead.status !== "pending") return;
  lead.status = "skipped";
  lead.stopReason = "campaign_drained";
  lead.nextStep = null;
  lead.nextActionAt = null;
  dropHold(lead);
  fileLead(lead);
}
