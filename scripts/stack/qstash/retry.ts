import { parseDuration } from "./duration.ts";
import { parseRetryExpression } from "./retry-expression.ts";

const DAY_SECONDS = 86_400;

/** QStash's own backoff before retry number `n`, counted from 1: 12 s, 2m28s, 30m8s, 6h7m, then a day. */
export const backoffSeconds = (n: number) => Math.min(DAY_SECONDS, Math.exp(2.5 * n));

interface Attempted {
  /** How often it had been retried before the attempt that failed: 0 for the first. */
  retried: number;
  retryDelay: string | null;
}

const HEADERS = [
  "retry-after",
  "x-ratelimit-reset",
  "x-ratelimit-reset-requests",
  "x-ratelimit-reset-tokens",
];

/**
 * When to try again after attempt number `retried` (from 0) failed: as the reply's headers ask if that is
 * within a day, else by the message's own expression, else by the default backoff
 * (https://upstash.com/docs/qstash/features/retry).
 */
export function nextAttemptAt(
  message: Attempted,
  replyHeaders: Record<string, string[]>,
  now: Date,
): Date {
  const asked = askedSeconds(replyHeaders, now);
  const seconds = asked ?? ownSeconds(message) ?? backoffSeconds(message.retried + 1);
  return new Date(now.getTime() + Math.round(seconds * 1000));
}

function askedSeconds(headers: Record<string, string[]>, now: Date): number | null {
  for (const name of HEADERS) {
    const value = headers[name]?.[0];
    if (value === undefined) continue;
    const seconds = parseDuration(value) ?? (Date.parse(value) - now.getTime()) / 1000;
    if (seconds <= DAY_SECONDS) return Math.max(0, seconds);
  }
  return null;
}

function ownSeconds({ retried, retryDelay }: Attempted): number | null {
  if (retryDelay === null) return null;
  const seconds = parseRetryExpression(retryDelay)(retried) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(DAY_SECONDS, Math.max(0, seconds));
}
