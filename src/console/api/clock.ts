/** Ahead of this machine's clock by so many ms: clocks differ, and a local stack's can be moved. */
let offsetMs: number | null = null;
/** When the service's clock was last found to have been moved, on this machine's. */
let movedAt = -Infinity;

/** `Date` tells whole seconds, and an answer takes its time. */
const ALIKE_MS = 1_500;
const MOVED_MS = 30_000;
const MOVING_MS = 20_000;

/** What the service takes as now, in ms. */
export const serverNow = (): number => Date.now() + (offsetMs ?? 0);

/** The service's clock was moved, as a local stack's demo does. */
export const isClockMoving = (): boolean => Date.now() - movedAt < MOVING_MS;

/** The `Date` of an answer, to what was asked at `askedAt`. */
export function heedDate(date: string | null, askedAt: number): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const ahead = at + 500 - (askedAt + Date.now()) / 2;
  const before = offsetMs ?? 0;
  if (Math.abs(ahead - before) > MOVED_MS && offsetMs !== null) movedAt = Date.now();
  offsetMs = Math.abs(ahead) < ALIKE_MS ? 0 : Math.abs(ahead - before) < ALIKE_MS ? before : ahead;
}
