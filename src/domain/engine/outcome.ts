import type {
  SenderFault,
  NextStep,
  SendOutcome,
  SenderHistory,
  StepContext,
  StepPlan,
} from "#db/engine/index.ts";
import {
  judgeRefusal,
  needsHistory,
  type Refused,
  retryAtOf,
  suppression,
} from "./retry-policy.ts";
import type { ActionResult } from "./channel.ts";
import { stepDueAt, zoneOfLead } from "./window.ts";

/** What was answered to a message, whatever its transport does: one that throws has not said whether the message left. */
export async function answerOf<Result extends ActionResult>(
  send: () => Promise<Result>,
): Promise<Result | (ActionResult & { state: "unknown" })> {
  try {
    return await send();
  } catch (error) {
    return { state: "unknown", reason: `The handover broke off: ${String(error).slice(0, 300)}` };
  }
}

/** An answer in words: what an account's owner has to do, else the server's own. */
export function wordsOf(result: ActionResult): string {
  if (result.state === "unknown") return result.reason;
  return (result.state === "deferred" ? result.accountError : undefined) ?? result.reply;
}

/** The worker of an outcome whose send no worker holds any more. */
export const NO_WORKER = "00000000-0000-0000-0000-000000000000";

/**
 * What a send's result means for the ledger, the lead and the sender. The next
 * step counts from the slot and not from the relay's reply, so that what a
 * forecast says of it does not depend on how fast the relay was. `history` is
 * asked for where it decides (`needsHistory`).
 */
export function outcomeOf(context: StepContext, result: ActionResult, seen: Seen): SendOutcome {
  const outcome = ended(context, result, seen);
  return slowsPair(result, outcome) ? { ...outcome, slows: true } : outcome;
}

interface Seen {
  now: Date;
  slotAt: Date;
  history?: SenderHistory;
}

/** A refusal by policy is its operator's, and slows what goes there, unless the whole sender rests for it. */
function slowsPair(
  result: ActionResult,
  outcome: SendOutcome,
): outcome is Extract<SendOutcome, { slows?: true }> {
  if (!("isPolicy" in result) || result.isPolicy !== true) return false;
  if (outcome.kind === "retry") return outcome.lane === "none";
  return outcome.kind === "rejected" || outcome.kind === "given_up";
}

function ended(
  context: StepContext,
  result: ActionResult,
  { now, slotAt, history }: Seen,
): SendOutcome {
  const id = context.sendId;
  const reason = wordsOf(result);
  if (needsHistory(result) && history !== undefined)
    return judgeRefusal(result, history, { id, reason, attempts: context.attempts }, now);
  switch (result.state) {
    case "accepted":
      return {
        id,
        kind: "accepted",
        reason,
        acceptedAt: now,
        ...(result.messageId === undefined ? {} : { messageId: result.messageId }),
        ...nextStepOf(context.step.step, slotAt, context),
      };
    case "unknown":
      return { id, kind: "unknown", reason };
    case "rejected":
      if (result.scope === "sender" || result.scope === "doubtful") return spared(id, result, now);
      return {
        id,
        kind: "rejected",
        reason,
        scope: result.scope,
        ...suppression(result.gone, now),
      };
    case "deferred": {
      if (result.scope !== "recipient" || result.accountError !== undefined)
        return spared(id, result, now);
      const retryAt = retryAtOf(context.attempts, now);
      if (retryAt === null) return { id, kind: "given_up", reason };
      return { id, kind: "retry", reason, retryAt, attemptSpent: true, lane: "none" };
    }
  }
}

/** What a refusal of this scope shows of the sender; an unresolved doubtful one shows nothing. */
const SENDER_FAULTS: Record<Refused["scope"], SenderFault> = {
  sender: "limited",
  connection: "down",
  budget: "spent",
  content: "none",
  doubtful: "none",
  recipient: "none",
  message: "none",
};

/** Not the lead's fault: the lead keeps its place, and no attempt is spent. */
function spared(id: string, result: Refused, now: Date): SendOutcome {
  const isBroken = result.state === "deferred" && result.accountError !== undefined;
  const lane = isBroken ? "broken" : SENDER_FAULTS[result.scope];
  const retryAt = result.scope === "doubtful" ? retryAtOf(0, now)! : now;
  return {
    id,
    kind: "retry",
    reason: wordsOf(result),
    retryAt,
    attemptSpent: false,
    lane,
    ...(needsHistory(result) && { isRefusal: true }),
  };
}

/** The step after one that went out at `sentAt`, by the clocks that the lead's window is read by; none completes the lead. */
export function nextStepOf(
  step: number,
  sentAt: Date,
  { configVersion, nextDelayDays, nextChannel, nextBudget, nextHold, timezone, zone }: StepPlan,
): NextStep {
  const planned = { step, sentAt, configVersion };
  if (nextDelayDays === null) return { nextStep: null, nextActionAt: null, planned };
  const nextActionAt = stepDueAt(sentAt, nextDelayDays, zoneOfLead(zone, timezone));
  return {
    nextStep: step + 1,
    nextActionAt,
    planned,
    ...(nextChannel === null ? {} : { nextChannel }),
    ...(nextBudget === "" ? {} : { nextBudget }),
    ...(nextHold === null ? {} : { nextHold }),
  };
}
