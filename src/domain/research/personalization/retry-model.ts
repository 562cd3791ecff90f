import type { ChatAnswer, ModelFailure } from "#src/providers/model/index.ts";

const MOST_ATTEMPTS = 3;
/**
 * No caller gives the model less than 17 s (a preview's 25 less 8 of research): a retry that begins by then has 10
 * left. Whoever has longer has a queue, which waits at no cost.
 */
const LATEST_RETRY_MS = 7_000;
const FIRST_WAIT_MS = 500;
/** Those who were told the same instant come apart. */
const SPREAD_MS = 500;

const PASSING = new Set<ModelFailure>(["unavailable", "timeout", "rate_limited"]);

/** How long to wait before the model is asked again; null where that does not help, or takes too long. Pure; `chance` is 0 to 1. */
export function waitBeforeRetry(
  answer: ChatAnswer,
  { attempt, elapsedMs, chance }: { attempt: number; elapsedMs: number; chance: number },
): number | null {
  if (answer.kind === "answered" || !PASSING.has(answer.reason)) return null;
  if (attempt >= MOST_ATTEMPTS) return null;
  const { retryAfterSeconds } = answer;
  const waitMs =
    retryAfterSeconds === undefined
      ? FIRST_WAIT_MS * 3 ** (attempt - 1) * (0.5 + chance)
      : retryAfterSeconds * 1000 + SPREAD_MS * chance;
  return elapsedMs + waitMs <= LATEST_RETRY_MS ? waitMs : null;
}
