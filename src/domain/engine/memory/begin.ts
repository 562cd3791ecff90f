import type { BeginSend, BegunSend, RefusalReason } from "#db/engine/index.ts";
import { ADDRESS_GUARD_MS } from "#db/engine/address-guard.ts";
import { isUsable } from "#db/base/fragments/usable.ts";
import type { CampaignLeadStatus, SuppressionReason } from "#db/schema/index.ts";
import { isPacedOut, paceOf, paceOn } from "./operator-rates.ts";
import { earlier, type Lane, later, type OperatorRate, type Send } from "./rows.ts";
import {
  addressOf,
  dropSender,
  bareGapOver,
  earliestSlot,
  fileLane,
  fileLead,
  fileSend,
  giveSlotBack,
  isResting,
  isRunning,
  LATE_MS,
  refundCampaign,
  refundLane,
  type State,
} from "./state.ts";
import { suppressionOf } from "./suppressions.ts";
import { applyWakes, wakeOthers, type Wakes } from "./wakes.ts";
import { openZones } from "./zones.ts";

interface Verdict {
  send: Send;
  refusal: Exclude<RefusalReason, "lease_lost"> | null;
  suppression: SuppressionReason | null;
  mailedUntil: number | null;
  /** The slow pair that it goes to. */
  pace: OperatorRate | null;
}

/** As the SQL begin: every guard once more; a refused send goes back as if it had not been claimed. */
export function begin(state: State, at: number, token: string, wishes: BeginSend[]): BegunSend[] {
  const mine = wishes
    .map(({ id }) => state.sends.get(id))
    .filter(
      (send): send is Send =>
        send !== undefined &&
        send.state === "claimed" &&
        send.workerToken === token &&
        send.leaseUntil! > at,
    )
    .sort((a, b) => a.slotAt - b.slotAt || (a.lane.id < b.lane.id ? -1 : 1));
  const owned = new Set(
    wishes.filter((wish) => isOwnBegin(state, token, wish)).map(({ id }) => id),
  );
  const addresses = new Set<string>();
  const lanes = new Set<Lane>();
  const pairs = new Set<OperatorRate>();
  const verdicts = new Map<string, Verdict>();
  for (const send of mine) {
    const address = addressOf(send);
    const pace = paceOf(state, send, at);
    const isFirst = {
      address: address === null || !addresses.has(address),
      lane: !lanes.has(send.lane),
      pair: pace === null || !pairs.has(pace),
    };
    verdicts.set(send.id, judge(state, at, send, { isFirst, pace }));
    if (address !== null) addresses.add(address);
    lanes.add(send.lane);
    if (pace !== null) pairs.add(pace);
  }
  const wakes: Wakes = new Map();
  for (const { send, refusal } of verdicts.values())
    if (refusal !== null) wakeOthers(wakes, send, at);
  changeLanes(state, at, [...verdicts.values()], wakes);
  for (const wish of wishes) {
    const verdict = verdicts.get(wish.id);
    if (verdict === undefined) continue;
    if (verdict.refusal === null) transmit(state, at, verdict, wish);
    else refuse(state, at, verdict);
  }
  return wishes.map(({ id }) => {
    const verdict = verdicts.get(id);
    if (verdict === undefined)
      return owned.has(id) ? { id, begun: true } : { id, begun: false, reason: "lease_lost" };
    if (verdict.refusal === null) return { id, begun: true };
    return { id, begun: false, reason: verdict.refusal };
  });
}

/** It comes again, and has begun already. */
function isOwnBegin(state: State, token: string, { id, messageId }: BeginSend): boolean {
  const send = state.sends.get(id);
  return (
    send?.state === "transmitting" && send.workerToken === token && send.messageId === messageId
  );
}

function judge(
  state: State,
  at: number,
  send: Send,
  {
    isFirst,
    pace,
  }: { isFirst: { address: boolean; lane: boolean; pair: boolean }; pace: OperatorRate | null },
): Verdict {
  const { campaign, lead, lane } = send;
  const suppression = suppressionOf(state, at, lead.emailKey, lane.kind);
  const mailedUntil = mailedUntilOf(state, at, send);
  const refusal = (): Verdict["refusal"] => {
    if (!isRunning(campaign)) return "campaign_not_running";
    if (campaign.status === "draining" && send.isNew) return "campaign_draining";
    if (lead.status !== "active") return "lead_not_active";
    if (lead.hold !== null && (lead.hold.until === null || lead.hold.until > at))
      return "lead_held";
    if (suppression !== null) return "suppressed";
    if (campaign.openFrom !== null && at < campaign.openFrom) return "window_closed";
    if (campaign.openUntil !== null && at >= campaign.openUntil) return "window_closed";
    if (!openZones(campaign, at).includes(lead.zone)) return "window_closed";
    if (!lane.exists || !isUsable(lane.aliasStatus) || !lane.open) return "sender_not_active";
    if (!lane.senders.some((sender) => sender.campaign === campaign)) return "sender_not_active";
    if (isResting(lane, at)) return "sender_resting";
    if (at < (bareGapOver(lane, campaign) ?? at)) return "sender_too_soon";
    if (!isFirst.lane) return "sender_too_soon";
    if (mailedUntil !== null || !isFirst.address) return "address_recently_mailed";
    if (pace !== null && (isPacedOut(pace, at) || !isFirst.pair)) return "operator_slowed";
    return null;
  };
  return { send, refusal: refusal(), suppression, mailedUntil, pace };
}

/** Until when mail of another campaign to the address bars this campaign's. */
function mailedUntilOf(state: State, at: number, send: Send): number | null {
  const since = at - ADDRESS_GUARD_MS;
  let last: number | null = null;
  for (const trace of state.mail.get(addressOf(send) ?? "") ?? []) {
    if (trace.campaignId === send.campaign.id) continue;
    const { state: of, acceptedAt, transmittingAt } = trace;
    const counts =
      (acceptedAt !== null && acceptedAt > since) ||
      ((of === "transmitting" || of === "unknown") &&
        transmittingAt !== null &&
        transmittingAt > since);
    if (counts) last = later(last, acceptedAt ?? transmittingAt);
  }
  return last === null ? null : last + ADDRESS_GUARD_MS;
}

function transmit(state: State, at: number, { send, pace }: Verdict, wish: BeginSend): void {
  if (pace !== null) paceOn(pace, at);
  send.state = "transmitting";
  send.claims = 0;
  send.alone = 0;
  send.attempts++;
  send.transmittingAt = at;
  send.leaseUntil = wish.leaseUntil.getTime();
  send.messageId = wish.messageId;
  send.subject = wish.subject;
  send.reason = null;
  fileSend(state, send);
  const address = addressOf(send);
  if (address === null) return;
  const traces = state.mail.get(address);
  if (traces === undefined) state.mail.set(address, [send]);
  else if (!traces.includes(send)) traces.push(send);
}

const ENDS: Record<SuppressionReason, CampaignLeadStatus> = {
  unsubscribe: "unsubscribed",
  complaint: "complained",
  hard_bounce: "bounced",
  manual: "stopped",
};

function refuse(state: State, at: number, verdict: Verdict): void {
  const { send, refusal, suppression, mailedUntil } = verdict;
  const { lead } = send;
  const isOver = refusal === "lead_not_active" || refusal === "suppressed";
  refundCampaign(send);
  send.state = isOver ? "canceled" : "released";
  send.claims = 0;
  send.alone = 0;
  send.leaseUntil = null;
  send.reason = refusal;
  fileSend(state, send);
  if (lead.status !== "active") return;
  if (refusal === "suppressed") {
    lead.status = ENDS[suppression!];
    lead.stopReason = "suppressed";
    lead.nextStep = null;
    lead.nextActionAt = null;
  } else {
    if (send.isNew) lead.status = "pending";
    lead.nextActionAt =
      refusal === "address_recently_mailed" ? (mailedUntil ?? at + ADDRESS_GUARD_MS) : at;
  }
  dropSender(send);
  fileLead(lead);
}

function changeLanes(state: State, at: number, verdicts: Verdict[], wakes: Wakes): void {
  const byLane = new Map<Lane, Verdict[]>();
  for (const verdict of verdicts) {
    const { lane } = verdict.send;
    byLane.set(lane, [...(byLane.get(lane) ?? []), verdict]);
  }
  for (const [lane, own] of byLane) {
    let wakeAt = wakes.get(lane) ?? null;
    for (const { send, refusal } of own)
      if (refusal !== null) wakeAt = earlier(wakeAt, earliestSlot(at, lane, send.campaign));
    const refused = own.filter(({ refusal }) => refusal !== null).map(({ send }) => send);
    const dayUntil = Math.max(...own.map(({ send }) => send.laneDayUntil));
    refundLane(lane, dayUntil, refused);
    let next = lane.nextSlotAt;
    const begun = own.find(({ refusal }) => refusal === null)?.send;
    if (begun !== undefined) {
      const lateByMs = Math.max(0, at - begun.slotAt - LATE_MS);
      if (next !== null) next += lateByMs;
      lane.lastSlotAt = later(lane.lastSlotAt, begun.slotAt + lateByMs);
      lane.lastBegunAt = at;
    } else if (refused.length > 0) next = earlier(next, giveSlotBack(lane, at));
    lane.nextSlotAt = earlier(wakeAt, next);
    fileLane(state, lane);
  }
  applyWakes(state, wakes, (lane) => byLane.has(lane));
}
