import type { Reason } from "./outcome.ts";

/** What says nothing of the address and passes: it is asked again, so often and so much later, before it stays unknown. */
const AGAIN = {
  paced: { ms: 5_000, times: 12 },
  egress_failed: { ms: 15_000, times: 3 },
  dns_failed: { ms: 5_000, times: 2 },
} as const satisfies Partial<Record<Reason, { ms: number; times: number }>>;

type Passing = keyof typeof AGAIN;

const isPassing = (reason: string): reason is Passing => Object.hasOwn(AGAIN, reason);

/** When to ask again what was answered so at its `attempts`th time; null when that is the answer. */
export function askAgainAt(reason: string, attempts: number, now: Date): Date | null {
  if (!isPassing(reason) || attempts > AGAIN[reason].times) return null;
  return new Date(now.getTime() + AGAIN[reason].ms);
}
