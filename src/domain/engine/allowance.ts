import type { SendStore } from "#db/engine/index.ts";

/** What the platform lets one run use: it ends an invocation that uses more. */
export interface Limits {
  /** Sends, by the CPU that each costs. */
  sends: number;
  /** Subrequests: calls of the database and connections to relays. */
  calls: number;
}

/** A send of a sender with an account of its own opens a connection, and ends beside no other: a call records it. */
const CALLS_PER_SEND = 2;
/** For what comes before the first claim and after the last: upkeep, completion, guardrails, a flush that is tried again. */
const RESERVED_CALLS = 20;
/** Twice what rendering, signing and handing over a letter takes (`npm run bench`). */
const CPU_MS_PER_SEND = 4;

export const limitsOf = (allowed: { cpuMs: number; calls: number }): Limits => ({
  sends: Math.max(1, Math.floor(allowed.cpuMs / CPU_MS_PER_SEND)),
  calls: allowed.calls,
});

/** How many sends fit; negative once more is used than there is. */
const fitting = ({ sends, calls }: Limits): number =>
  Math.min(sends, Math.floor((calls - RESERVED_CALLS) / CALLS_PER_SEND));

/** How many a whole run may make; one at least, or nothing would ever go. */
export const mostSends = (limits: Limits): number => Math.max(1, fitting(limits));

/** Counts what a run uses, and says how many sends it may still claim. */
export function createAllowance(store: SendStore, limits: Limits) {
  let calls = 0;
  let sends = 0;
  const counted = Object.entries(store).map(([verb, ask]) => [
    verb,
    (...args: unknown[]) => {
      calls++;
      return (ask as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return {
    /** Every call through it counts. */
    store: Object.fromEntries(counted) as SendStore,
    /** Each may have opened a connection. */
    used: (count: number) => void (sends += count),
    /** Null once the run has to end. */
    room(): number | null {
      const left = fitting({ sends: limits.sends - sends, calls: limits.calls - calls - sends });
      return left > 0 ? left : sends === 0 && calls < RESERVED_CALLS ? 1 : null;
    },
  };
}
