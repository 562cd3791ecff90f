const DAY_SECONDS = 86_400;

/** QStash's own backoff before retry number `n`, counted from 1: 12 s, 2m28s, 30m8s, 6h7m, then a day. */
export const backoffSeconds = (n: number) => Math.min(DAY_SECONDS, Math.exp(2.5 * n));

/**
 * When to try again after attempt number `retried` (from 0) failed: as the answer's Retry-After asks if that
 * is within a day, else by the backoff (https://upstash.com/docs/qstash/features/retry).
 */
export function nextAttemptAt(
  retried: number,
  answerHeaders: Record<string, string[]>,
  now: Date,
): Date {
  const asked = Number(answerHeaders["retry-after"]?.[0] ?? NaN);
  const seconds = asked >= 0 && asked <= DAY_SECONDS ? asked : backoffSeconds(retried + 1);
  return new Date(now.getTime() + Math.round(seconds * 1000));
}
