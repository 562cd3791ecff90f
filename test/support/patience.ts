import { createHash } from "node:crypto";

/** What the work below takes on a quiet core of the machine that the limits were chosen on, in milliseconds. */
const QUIET_MS = 100;
const MOST = 20;

/** How many times slower this machine is now than a quiet one: by its processor, and by what else runs on it. */
function measureSlowness(): number {
  const startedAt = performance.now();
  const block = Buffer.alloc(1 << 20, 7);
  for (let round = 0; round < 160; round++) createHash("sha256").update(block).digest();
  return Math.min(MOST, Math.max(1, (performance.now() - startedAt) / QUIET_MS));
}

/** Measured once for a run, in the process that starts the others. */
const slowness = Number((process.env["OVERTURE_SLOWNESS"] ??= measureSlowness().toFixed(1)));

/**
 * A limit in real time for what takes at most `quietMs` on a quiet machine, several times over. Such a limit only ends a
 * test that hangs: what a test waits for is an event, or an instant of the warped clock.
 */
export const patience = (quietMs: number): number => Math.round(quietMs * slowness);
