import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "#src/platform/index.ts";
import { sleepUntilWarped } from "./warp.ts";

/** What the Worker is doing, for a clock that must not move past work in progress. */
export interface ActivityState {
  /** Requests, events and background work that are in progress and do not sleep. */
  running: number;
  /** Those that wait for an instant by the Worker's clock. */
  asleep: number;
  /** The earliest of these instants, ISO 8601. */
  next_wake_at: string | null;
  /** How many pieces of work came from elsewhere than the stack's own queue and cron. */
  from_outside: number;
}

export interface Activity {
  /** The warped clock; it notes who sleeps, and until when. */
  clock: Clock;
  /** Counts `work` as one piece of activity until it settles; sleeps inside it are attributed to it. */
  track<Result>(work: () => Promise<Result>, isFromOutside?: boolean): Promise<Result>;
  state(): ActivityState;
}

interface Piece {
  sleepsUntilMs: number[];
}

/** Runs in workerd, beside the Worker, and in Node, around the app in process. */
export function createActivity(): Activity {
  const pieces = new Set<Piece>();
  let fromOutside = 0;
  const current = new AsyncLocalStorage<Piece>();
  return {
    clock: {
      now: () => new Date(),
      async sleepUntil(at, signal) {
        // A deadline: what it watches over is in progress, and the clock does not jump to it.
        if (signal !== undefined) return sleepUntilWarped(at, signal);
        const piece = current.getStore();
        const untilMs = at.getTime();
        piece?.sleepsUntilMs.push(untilMs);
        try {
          await sleepUntilWarped(at);
        } finally {
          piece?.sleepsUntilMs.splice(piece.sleepsUntilMs.indexOf(untilMs), 1);
        }
      },
    },
    async track(work, isFromOutside = false) {
      if (isFromOutside) fromOutside += 1;
      const piece: Piece = { sleepsUntilMs: [] };
      pieces.add(piece);
      try {
        return await current.run(piece, work);
      } finally {
        pieces.delete(piece);
      }
    },
    state() {
      const sleeping = [...pieces].filter((piece) => piece.sleepsUntilMs.length > 0);
      const nextMs = Math.min(...sleeping.flatMap((piece) => piece.sleepsUntilMs));
      return {
        running: pieces.size - sleeping.length,
        asleep: sleeping.length,
        next_wake_at: Number.isFinite(nextMs) ? new Date(nextMs).toISOString() : null,
        from_outside: fromOutside,
      };
    },
  };
}
