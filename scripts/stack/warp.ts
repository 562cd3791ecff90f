/**
 * Replaces `globalThis.Date` by one that can run ahead of real time. Imported
 * first by whatever belongs to the local stack (the Worker's local entry, the
 * stack, the tests), so that vendor code that reads `Date` (signatures, tokens)
 * moves along. `src/` knows nothing of it.
 */
const RealDate = globalThis.Date;

let offsetMs = 0;
/** The instant at which time stands still, if it does. */
let heldMs: number | null = null;
const nowMs = () => heldMs ?? RealDate.now() + offsetMs;
const listeners = new Set<() => void>();

const WarpedDate: DateConstructor = new Proxy(RealDate, {
  construct(target, args: unknown[], newTarget) {
    const actual = args.length === 0 ? [nowMs()] : args;
    return Reflect.construct(target, actual, newTarget === WarpedDate ? target : newTarget);
  },
  apply() {
    return new RealDate(nowMs()).toString();
  },
  get(target, property, receiver) {
    if (property === "now") return nowMs;
    return Reflect.get(target, property, receiver);
  },
});
RealDate.prototype.constructor = WarpedDate;
globalThis.Date = WarpedDate;

/** The offset from real time, in milliseconds; only ever grows. */
export function warpOffsetMs(): number {
  return offsetMs;
}

/** Sets the offset, to the millisecond, and wakes what waits for a warped instant. `Date.now()` stays the integer that all code takes it for. */
export function setWarpOffsetMs(ms: number): void {
  const whole = Math.round(ms);
  if (whole === offsetMs) return;
  if (heldMs !== null) heldMs += whole - offsetMs;
  offsetMs = whole;
  for (const listener of [...listeners]) listener();
}

/** Lets time stand still but for moves, so that a test can look at the instant before a limit however slow the machine is. */
export function holdWarp(): void {
  heldMs ??= nowMs();
}

/** Lets it run on from where it stands. */
export function releaseWarp(): void {
  if (heldMs === null) return;
  offsetMs = heldMs - RealDate.now();
  heldMs = null;
}

/** Calls `listener` after each move; returns the function that stops it. */
export function onWarp(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Resolves when warped time has reached `at`, or at once if it has. Rejects with the signal's reason when aborted.
 *
 * Whoever moves the clock only resolves a promise here; timers are made and cleared by the sleeper itself, because in
 * workerd a timer belongs to the request that made it.
 */
export async function sleepUntilWarped(at: Date, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const leftMs = at.getTime() - Date.now();
    if (leftMs <= 0) return;
    const turn = Promise.withResolvers<void>();
    // setTimeout's longest delay is 2^31-1 ms.
    const timer = setTimeout(turn.resolve, Math.min(leftMs, 2_000_000_000));
    const stop = onWarp(turn.resolve);
    signal?.addEventListener("abort", () => turn.resolve(), { once: true });
    await turn.promise;
    clearTimeout(timer);
    stop();
  }
}
