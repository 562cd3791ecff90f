import type { OvertakenPlan, SendOutcome } from "#db/engine/index.ts";
import { stopReasonOf } from "#db/engine/stop-reason.ts";
import {
  ACCEPTANCE_HOLD,
  type CampaignLeadStatus,
  type LaneKind,
  type SendState,
} from "#db/schema/index.ts";
import { holdLead } from "./holds.ts";
import { backAtOf, changeLanes, type Settled } from "./lane-outcomes.ts";
import { planOf } from "./load.ts";
import { type Lead, msOf, type Send } from "./rows.ts";
import { cutPairs } from "./operator-rates.ts";
import { noteAcceptance, noteRefusal } from "./sender-history.ts";
import { addressOf, dropSender, fileLead, fileSend, refundCampaign, type State } from "./state.ts";
import { suppress } from "./suppressions.ts";
import { wakeAll, wakeOthers, type Wakes } from "./wakes.ts";

type Kind = SendOutcome["kind"];

const STATES: Record<Kind, SendState> = {
  accepted: "accepted",
  assumed: "assumed_sent",
  confirmed: "accepted",
  unknown: "unknown",
  rejected: "rejected",
  retry: "retry_wait",
  released: "released",
  held: "released",
  render_failed: "failed",
  given_up: "failed",
};

/** As the SQL: sends that are no longer this worker's are passed over, and plans of another configuration are answered. */
export function recordOutcomes(
  state: State,
  at: number,
  token: string,
  outcomes: SendOutcome[],
): OvertakenPlan[] {
  const settled: Settled[] = [];
  const overtaken: OvertakenPlan[] = [];
  for (const outcome of outcomes) {
    const send = state.sends.get(outcome.id);
    if (send === undefined) continue;
    if ("planned" in outcome && outcome.planned.configVersion !== send.campaign.configVersion) {
      overtaken.push({ id: send.id, begun: false, reason: "plan_overtaken", plan: planOf(send) });
      continue;
    }
    if (!isOwed(send, outcome, token)) continue;
    const refund = isRefunded(outcome);
    settled.push({ send, outcome, refund, unbegun: send.state === "claimed" });
  }
  const wakes: Wakes = new Map();
  for (const { send, outcome, refund } of settled) {
    if (refund) wakeOthers(wakes, send, at);
    // The next step is another channel's: its senders look when it falls due.
    const dueAt = nextChannelOf(outcome) === null ? null : backAtOf(outcome, at);
    if (dueAt !== null) wakeAll(wakes, send.campaign, send.lane, { at, dueAt });
  }
  cutPairs(
    state,
    at,
    settled.flatMap(({ send, outcome }) => ("slows" in outcome ? [send] : [])),
  );
  // Lanes first: what they learn comes from before the change, as in one SQL statement.
  changeLanes(state, at, settled, wakes);
  for (const { send, outcome, refund } of settled) {
    if (refund) refundCampaign(send);
    recordSend(state, at, send, outcome);
    moveLead(at, send, outcome, refund);
    waitForStep(state, send, outcome);
    const address = addressOf(send);
    if (outcome.kind === "rejected" && outcome.suppress && address !== null)
      suppress(state, at, address, "hard_bounce", msOf(outcome.suppressUntil ?? null));
  }
  return overtaken;
}

function isOwed(send: Send, outcome: SendOutcome, token: string): boolean {
  const { kind } = outcome;
  const isFound = kind === "assumed" || kind === "confirmed" || "lookedUp" in outcome;
  if (isFound && send.state === "unknown") return true;
  if (send.workerToken !== token) return false;
  if (send.state === "claimed" || send.state === "transmitting") return true;
  return send.state === "unknown" && kind === "accepted";
}

const isRefunded = (outcome: SendOutcome): boolean =>
  outcome.kind === "released" ||
  outcome.kind === "held" ||
  outcome.kind === "render_failed" ||
  (outcome.kind === "retry" && !outcome.attemptSpent);

function recordSend(state: State, at: number, send: Send, outcome: SendOutcome): void {
  if (outcome.kind === "accepted") send.acceptedAt = outcome.acceptedAt.getTime();
  if (outcome.kind === "retry" && outcome.isRefusal) noteRefusal(at, send);
  if (outcome.kind === "assumed" || outcome.kind === "confirmed")
    send.acceptedAt = send.transmittingAt;
  if (outcome.kind === "retry" && !outcome.attemptSpent && send.state === "transmitting")
    send.attempts--;
  if (outcome.kind === "accepted" || outcome.kind === "confirmed") noteAcceptance(send);
  const isSkip = outcome.kind === "render_failed" && outcome.skip;
  send.state = isSkip ? "canceled" : STATES[outcome.kind];
  send.claims = 0;
  send.alone = 0;
  send.reason = outcome.reason.slice(0, 1000);
  send.leaseUntil = null;
  fileSend(state, send);
}

function moveLead(at: number, send: Send, outcome: SendOutcome, refund: boolean): void {
  const { lead } = send;
  const { kind } = outcome;
  const isSent = kind === "accepted" || kind === "assumed" || kind === "confirmed";
  if (isSent) lead.currentStep = Math.max(lead.currentStep, send.step);
  lead.lastError = errorAfter(outcome, lead.lastError);
  if (lead.status !== "active") {
    lead.nextStep = null;
    lead.nextActionAt = null;
    fileLead(lead);
    return;
  }
  const untouched = refund && kind !== "render_failed";
  const ended = endOf(outcome);
  if (ended !== null) {
    lead.status = ended;
    if (!isSent) lead.stopReason = stopReasonOf(outcome);
  } else if (untouched) {
    if (send.isNew) lead.status = "pending";
    dropSender(send);
  }
  if (isSent) handOver(lead, nextChannelOf(outcome));
  if (isSent) lead.nextBudget = outcome.nextBudget ?? "";
  if (isSent) lead.nextStep = outcome.nextStep;
  else if (ended !== null) lead.nextStep = null;
  lead.nextActionAt = backAtOf(outcome, at);
  fileLead(lead);
}

/** From when its step becomes the next, or the text that it has is not true any more; what was approved or accepted meanwhile counts. */
function waitForStep(state: State, { lead, step }: Send, outcome: SendOutcome): void {
  if ((lead.status !== "active" && lead.status !== "pending") || lead.hold !== null) return;
  const isConnected = lead.connectedAt !== null;
  if (outcome.kind === "held") {
    const isThere =
      outcome.hold === ACCEPTANCE_HOLD
        ? isConnected
        : (lead.approved.get(step) ?? null) !== outcome.approvedAt;
    if (!isThere) holdLead(state, lead, null, outcome.hold);
  }
  if (!("nextHold" in outcome) || outcome.nextHold === undefined) return;
  const isThere = outcome.nextHold === ACCEPTANCE_HOLD ? isConnected : lead.approved.has(step + 1);
  if (!isThere) holdLead(state, lead, null, outcome.nextHold);
}

const nextChannelOf = (outcome: SendOutcome): LaneKind | null =>
  ("nextChannel" in outcome && outcome.nextChannel) || null;

/** The next step is another channel's: of the lane that did the lead's last step there, or else of any sender of that channel. */
function handOver(lead: Lead, channel: LaneKind | null): void {
  const { campaign, sends } = lead;
  lead.nextChannel = null;
  if (channel === null) return;
  const before = sends.findLast(
    (send) =>
      send?.lane.kind === channel && campaign.senders.some(({ lane }) => lane === send.lane),
  );
  lead.laneId = before?.lane.id ?? null;
  if (before === undefined) lead.nextChannel = channel;
}

function endOf(outcome: SendOutcome): CampaignLeadStatus | null {
  switch (outcome.kind) {
    case "accepted":
    case "assumed":
    case "confirmed":
      return outcome.nextStep === null ? "completed" : null;
    case "rejected":
      return outcome.scope === "recipient" ? "bounced" : "failed";
    case "given_up":
      return "failed";
    case "render_failed":
      return outcome.skip ? "skipped" : "failed";
    case "unknown":
    case "retry":
    case "released":
    case "held":
      return null;
  }
}

function errorAfter({ kind, reason }: SendOutcome, before: string | null): string | null {
  if (kind === "accepted" || kind === "assumed" || kind === "confirmed") return null;
  return kind === "released" || kind === "held" ? before : reason.slice(0, 1000);
}
