import type { DeliveryEnd } from "#db/workspace/notice-deliveries.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import type { Attempt } from "./system-mail.ts";

/** Waits between attempts; after the last of them a notice is old, and given up. */
const WAITS_MS = [1, 5, 30, 120, 480].map((minutes) => minutes * MINUTE_MS);

export const MOST_ATTEMPTS = WAITS_MS.length + 1;

/** The delivery's next state after its `attempts`-th attempt, counted from 1. */
export function attemptEnd(attempt: Attempt, attempts: number, now: Date): DeliveryEnd {
  if (attempt.kind !== "later") return attempt;
  const { error, notBeforeMs } = attempt;
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return { kind: "dead", error };
  return { kind: "again", error, dueAt: new Date(now.getTime() + Math.max(wait, notBeforeMs)) };
}
