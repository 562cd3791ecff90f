import type { Clock } from "./index.ts";

/** The clock of the runtime itself. The only place in `src/` that reads one. */
export const systemClock: Clock = {
  now: () => new Date(),
  async sleepUntil(at, signal) {
    const leftMs = at.getTime() - Date.now();
    if (leftMs <= 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, leftMs);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    await promise.finally(() => clearTimeout(timer));
  },
};

export function systemRandomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count));
}
