import type { NextStep, SendOutcome, StepContext, StepPlan } from "#db/engine.ts";
import type { ActionResult } from "./channel.ts";
import { stepDueAt, zoneOfLead } from "./window.ts";

const MINUTE_MS = 60_000;

/** Waits after a temporary refusal of the recipient (greylisting, full mailbox). */
const RETRY_DELAYS_MS = [5, 30, 120, 480, 1440].map((minutes) => minutes * MINUTE_MS);

/** When a message that was refused for now is tried again; null after the last wait: it has failed. */
export function retryAtOf(attempts: number, now: Date): Date | null {
  const delayMs = RETRY_DELAYS_MS[attempts];
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs);
}

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

/** The worker of an outcome whose send nobody holds any more. */
export const NO_WORKER = "00000000-0000-0000-0000-000000000000";

/**
 * What a send's result means for the ledger, the lead and the sender. The next
 * step counts from the slot and not from the relay's reply, so that what a
 * forecast says of it does not depend on how fast the relay was.
 */
export function outcomeOf(
  context: StepContext,
  result: ActionResult,
  { now, slotAt }: { now: Date; slotAt: Date },
): SendOutcome {
  const id = context.sendId;
  const reason = wordsOf(result);
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
      if (result.scope === "sender") {
        // Policy against us is not the lead's fault: it keeps its place while the sender rests.
        return { id, kind: "retry", reason, retryAt: now, attemptSpent: false, lane: "limited" };
      }
      return {
        id,
        kind: "rejected",
        reason,
        scope: result.scope,
        suppress: result.isGone === true,
      };
    case "deferred":
      return deferred(context, result, now);
  }
}

function deferred(
  context: StepContext,
  result: ActionResult & { state: "deferred" },
  now: Date,
): SendOutcome {
  const id = context.sendId;
  const reason = wordsOf(result);
  if (result.accountError !== undefined) {
    return { id, kind: "retry", reason, retryAt: now, attemptSpent: false, lane: "broken" };
  }
  if (result.scope === "connection")
    return { id, kind: "retry", reason, retryAt: now, attemptSpent: false, lane: "down" };
  if (result.scope === "sender")
    return { id, kind: "retry", reason, retryAt: now, attemptSpent: false, lane: "limited" };
  if (result.scope === "budget")
    return { id, kind: "retry", reason, retryAt: now, attemptSpent: false, lane: "spent" };
  const retryAt = retryAtOf(context.attempts, now);
  if (retryAt === null) return { id, kind: "given_up", reason };
  return { id, kind: "retry", reason, retryAt, attemptSpent: true, lane: "none" };
}

/** The step after one that went out at `sentAt`, by the clocks that the lead's window is read by; none completes the lead. */
export function nextStepOf(
  step: number,
  sentAt: Date,
  { nextDelayDays, nextChannel, nextBudget, nextHold, timezone, zone }: StepPlan,
): NextStep {
  if (nextDelayDays === null) return { nextStep: null, nextActionAt: null };
  const nextActionAt = stepDueAt(sentAt, nextDelayDays, zoneOfLead(zone, timezone));
  return {
    nextStep: step + 1,
    nextActionAt,
    ...(nextChannel === null ? {} : { nextChannel }),
    ...(nextBudget === "" ? {} : { nextBudget }),
    ...(nextHold === null ? {} : { nextHold }),
  };
}
