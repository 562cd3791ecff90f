import { ERROR_KIND_OF, type SenderFault, type SendOutcome } from "#db/engine/index.ts";
import type { AliasErrorKind, Budget } from "#db/schema/index.ts";
import { isUsable } from "#db/base/fragments/usable.ts";
import { earlier, type Lane, later, msOf, type Send } from "./rows.ts";
import {
  earliestSlot,
  fileLane,
  giveSlotBack,
  isResting,
  refundLane,
  type State,
} from "./state.ts";
import { applyWakes, type Wakes } from "./wakes.ts";

/** A lane in trouble is closed 5 minutes, doubled with each failure in a row, 6 hours at most. */
const BREAKER_BASE_MS = 5 * 60_000;
const BREAKER_CAP_MS = 6 * 3_600_000;

/** Troubles that pass: the lane rests. */
const RESTS: readonly SenderFault[] = ["limited", "down", "sealed"];

export interface Settled {
  send: Send;
  outcome: SendOutcome;
  refund: boolean;
  /** It was only claimed. */
  unbegun: boolean;
}

/** When the lead is due again. */
export function backAtOf(outcome: SendOutcome, at: number): number | null {
  switch (outcome.kind) {
    case "accepted":
    case "assumed":
    case "confirmed":
      return msOf(outcome.nextActionAt);
    case "retry":
      return outcome.retryAt.getTime();
    case "released":
    case "held":
      return at;
    default:
      return null;
  }
}

export function changeLanes(state: State, at: number, settled: Settled[], wakes: Wakes): void {
  const byLane = new Map<Lane, Settled[]>();
  for (const each of settled) {
    const own = byLane.get(each.send.lane);
    if (own === undefined) byLane.set(each.send.lane, [each]);
    else own.push(each);
  }
  for (const [lane, own] of byLane) changeLane(state, at, lane, own, wakes.get(lane) ?? null);
  applyWakes(state, wakes, (lane) => byLane.has(lane));
}

function changeLane(
  state: State,
  at: number,
  lane: Lane,
  own: Settled[],
  othersWakeAt: number | null,
): void {
  const troubles = own.map(({ outcome }) => (outcome.kind === "retry" ? outcome.lane : "none"));
  const healthy = own.some(({ outcome }) => outcome.kind === "accepted");
  const closes = troubles.some((trouble) => RESTS.includes(trouble));
  const breaks = troubles.includes("broken");
  let wakeAt = othersWakeAt;
  for (const { send, outcome, refund } of own) {
    const backAt = refund ? at : backAtOf(outcome, at);
    if (backAt !== null) wakeAt = earlier(wakeAt, earliestSlot(backAt, lane, send.campaign));
  }
  const givesBack = own.some(({ refund, unbegun }) => refund && unbegun);
  const dayUntil = Math.max(...own.map(({ send }) => send.laneDayUntil));
  const back = own.filter(({ refund }) => refund).map(({ send }) => send);
  const spent = own.filter(
    ({ send }, index) => troubles[index] === "spent" && send.laneDayUntil === lane.dayUntil,
  );
  refundLane(lane, dayUntil, back);
  closeBudgets(lane, new Set(spent.map(({ send }) => send.budget)));
  const restMs = Math.min(BREAKER_CAP_MS, BREAKER_BASE_MS * 2 ** Math.min(lane.failures, 12));
  // Of a sender that was closed meanwhile only that its account is wrong still counts.
  if (lane.open || breaks) recordAlias(lane, troubles, healthy, own);
  const slotBackAt = givesBack ? giveSlotBack(lane, at) : null;
  if (closes || breaks) lane.failures++;
  else if (healthy) lane.failures = 0;
  if (breaks) {
    lane.open = false;
    lane.closedSince ??= at;
  }
  if (closes) lane.closedUntil = later(lane.closedUntil, at + restMs);
  else if (healthy && !isResting(lane, at)) lane.closedUntil = null;
  if (givesBack) wakeAt = earlier(wakeAt, slotBackAt);
  lane.nextSlotAt = breaks ? null : earlier(lane.nextSlotAt, wakeAt);
  fileLane(state, lane);
}

/** Of a budget that is used up no more than was used, whatever the other has left. */
function closeBudgets(lane: Lane, spent: ReadonlySet<Budget>): void {
  const { used, connectionsUsed } = lane;
  let messages = lane.dayCap - (lane.connectionCap ?? 0);
  if (spent.has("message") || spent.has("")) messages = Math.min(messages, used - connectionsUsed);
  if (spent.has("connection") && lane.connectionCap !== null)
    lane.connectionCap = Math.min(lane.connectionCap, connectionsUsed);
  lane.dayCap = (lane.connectionCap ?? 0) + messages;
}

/** Of several troubles the one that its owner has to mend. */
const errorKindOf = (troubles: SenderFault[]): AliasErrorKind | null => {
  const trouble = KINDS.find((lane) => troubles.includes(lane));
  return trouble === undefined ? null : ERROR_KIND_OF[trouble]!;
};
const KINDS = Object.keys(ERROR_KIND_OF) as SenderFault[];

function recordAlias(lane: Lane, troubles: SenderFault[], healthy: boolean, own: Settled[]): void {
  if (lane.kind !== "email" || !lane.exists || !isUsable(lane.aliasStatus)) return;
  const breaks = troubles.includes("broken");
  const closes = troubles.some((trouble) => RESTS.includes(trouble));
  if (!closes && !breaks && !(healthy && lane.lastError !== null)) return;
  const reason = own
    .map(({ outcome }) => outcome.reason)
    .sort()
    .at(-1)!;
  if (breaks) lane.aliasStatus = "error";
  else if (healthy && !closes) lane.aliasStatus = "active";
  lane.lastError = closes || breaks ? reason.slice(0, 1000) : null;
  lane.lastErrorKind = errorKindOf(troubles);
}
