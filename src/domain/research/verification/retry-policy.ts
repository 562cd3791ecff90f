import type { Reason } from "./outcome.ts";
import { MINUTE_MS, SECOND_MS } from "#src/platform/durations.ts";

/** What is asked again so often, and so much later, before it stays unknown. */
type RetryRules = Partial<Record<Reason, { ms: number; times: number }>>;

/** Outcomes that pass and say nothing of the address, of a job whose caller polls for the answer. */
export const FOR_ONE: RetryRules = {
  paced: { ms: 5 * SECOND_MS, times: 12 },
  egress_failed: { ms: 15 * SECOND_MS, times: 3 },
  dns_failed: { ms: 5 * SECOND_MS, times: 2 },
};

/** Of a dataset's job, for which no caller waits: an operator may rest, a greylist may pass. */
export const FOR_MANY: RetryRules = {
  paced: { ms: 15 * SECOND_MS, times: 2_000 },
  egress_failed: { ms: MINUTE_MS, times: 30 },
  dns_failed: { ms: 30 * SECOND_MS, times: 3 },
  greylisted: { ms: 6 * MINUTE_MS, times: 1 },
};

/** When to ask again what was answered so at its `attempts`th time; null when that is the answer. */
export function askAgainAt(
  again: RetryRules,
  reason: string,
  attempts: number,
  now: Date,
): Date | null {
  const rule = again[reason as Reason];
  if (rule === undefined || attempts > rule.times) return null;
  return new Date(now.getTime() + rule.ms);
}
