import type { SenderFault, SendOutcome, SenderHistory } from "#db/engine/index.ts";
import type { ActionResult } from "./channel.ts";
import { OPERATORS_IN_A_ROW } from "#src/domain/people/refusals/categories.ts";
import { type Gone, goneUntil } from "#src/domain/people/refusals/suppression-period.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";

/** After so many refusals, of the recipient or of the sender, a message has failed; the waits make that six days at least. */
const MOST_REFUSALS = 12;

/** Waits after a temporary refusal of the recipient (greylisting, full mailbox). */
const RETRY_DELAYS_MS = [5, 30, 120, 480, 1440].map((minutes) => minutes * MINUTE_MS);

/** When a message that was refused for now is tried again; null after the last wait: it has failed. */
export function retryAtOf(attempts: number, now: Date): Date | null {
  const delayMs = RETRY_DELAYS_MS[attempts];
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs);
}

/** At once after the first refusal, since another sender may do it; then after the waits of `RETRY_DELAYS_MS`, the last of them repeated. */
function restsUntil({ refusals }: SenderHistory, now: Date): Date {
  if (refusals === 0) return now;
  return retryAtOf(Math.min(refusals, RETRY_DELAYS_MS.length) - 1, now)!;
}

export type Refused = Extract<ActionResult, { state: "rejected" | "deferred" }>;
type Ended = Pick<SendOutcome, "id" | "reason">;

/** Whether the sender's history decides what a refusal means. Trouble of the account itself needs no history. */
export function needsHistory(result: ActionResult): result is Refused {
  if (result.state !== "rejected" && result.state !== "deferred") return false;
  if (result.state === "deferred" && result.accountError !== undefined) return false;
  const isOurs = result.scope === "sender" || result.scope === "connection";
  return result.scope === "doubtful" || (isOurs && result.isNamed === true);
}

/** Whether an arguable refusal is about the recipient, who has a limited number of attempts, or the sender, which rests. */
export function judgeRefusal(
  result: Refused,
  history: SenderHistory,
  { attempts, ...ended }: Ended & { attempts: number },
  now: Date,
): SendOutcome {
  if (result.scope !== "doubtful")
    return restInstead(ended, history, result.scope === "connection" ? "down" : "limited", now);
  if (history.refusedOperators >= OPERATORS_IN_A_ROW)
    return restInstead(ended, history, "limited", now);
  // The sender is fine, and this one is refused again.
  if (result.state === "rejected" && history.acceptedSince)
    return { ...ended, kind: "rejected", scope: "recipient", ...suppression(result.gone, now) };
  const retryAt = retryAtOf(attempts, now);
  if (retryAt === null)
    return history.acceptedSince
      ? { ...ended, kind: "given_up" }
      : restInstead(ended, history, "limited", now);
  return {
    ...ended,
    kind: "retry",
    retryAt,
    attemptSpent: true,
    lane: "none",
    isRefusal: true,
  };
}

/** Whether the workspace gives the address up, and for how long, as an outcome says it. */
export function suppression(
  gone: Gone | undefined,
  now: Date,
): { suppress: boolean; suppressUntil?: Date } {
  if (gone === undefined) return { suppress: false };
  const until = goneUntil(gone, now);
  return { suppress: true, ...(until !== null && { suppressUntil: until }) };
}

/** The lead keeps its place, without an attempt spent, while its sender rests; but not for ever. */
function restInstead(
  ended: Ended,
  history: SenderHistory,
  lane: SenderFault,
  now: Date,
): SendOutcome {
  if (history.refusals + 1 >= MOST_REFUSALS) return { ...ended, kind: "given_up" };
  return {
    ...ended,
    kind: "retry",
    retryAt: restsUntil(history, now),
    attemptSpent: false,
    lane,
    isRefusal: true,
  };
}
