import type { Clock } from "#src/platform/index.ts";

/**
 * A clock that moves through waits alone: on a busy machine a send begins late, which is the
 * machine's and not the engine's.
 */
export function createEagerClock(startMs: number): Clock & { moveTo(ms: number): void } {
  let now = startMs;
  const moveTo = (ms: number) => void (now = Math.max(now, ms));
  return {
    now: () => new Date(now),
    moveTo,
    async sleepUntil(at, signal) {
      // What races the clock is on its way to a mailbox that answers: it comes first.
      for (let turn = 0; turn < 5_000 && signal?.aborted === false; turn++)
        await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true) moveTo(at.getTime());
    },
  };
}
