import type { DraftResult } from "#src/domain/research/personalization/draft.ts";

/** Together longer than a provider's minute. */
const WAIT_SECONDS = [5, 15, 30, 60] as const;

/**
 * When to ask again after an attempt that was the model's fault: after the wait that it asks for, or ours; null after the
 * fifth, and where it is the text that passes no check: another draw at the caller's cost would be no better.
 */
export function retryAt(
  { blame, retryAfterSeconds }: Extract<DraftResult, { ok: false }>,
  attempts: number,
  now: Date,
): Date | null {
  const seconds = WAIT_SECONDS[attempts - 1];
  if (blame === "text" || seconds === undefined) return null;
  return new Date(now.getTime() + 1000 * Math.max(seconds, retryAfterSeconds ?? 0));
}
