import type { SendOutcome } from "#db/engine/index.ts";
import type { ActionResult } from "./channel.ts";

/** This many refusals of a target, and it is left alone for the rest of the tick. */
const REFUSALS_TO_OPEN = 2;
const WAIT_MS = 5 * 60_000;

/**
 * Breaker per target, such as a recipient domain, for one tick. A target that answers
 * two leads with a temporary refusal that is not about them refuses this sender: the
 * target's other claimed sends wait instead of collecting the same answer. No attempt is spent.
 */
export function createTargetBreaker() {
  const refusals = new Map<string | null, number>();
  return {
    note(target: string | null, result: ActionResult): void {
      if (target === null || result.state !== "deferred" || result.isOfTarget !== true) return;
      refusals.set(target, (refusals.get(target) ?? 0) + 1);
    },
    /** What becomes of a claimed send to a target that refuses us; undefined to go on. */
    waitFor(id: string, target: string | null, now: Date): SendOutcome | undefined {
      const count = refusals.get(target) ?? 0;
      if (count < REFUSALS_TO_OPEN) return undefined;
      return {
        id,
        kind: "retry",
        reason: `${target} just refused ${count} messages for now; this one waits.`,
        retryAt: new Date(now.getTime() + WAIT_MS),
        attemptSpent: false,
        lane: "none",
      };
    },
  };
}
