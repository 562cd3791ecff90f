import type { Clock } from "./index.ts";

/** The clock of the runtime itself. The only place in `src/` that reads one. */
export const systemClock: Clock = {
  now: () => new Date(),
  async sleepUntil(at) {
    const leftMs = at.getTime() - Date.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
  },
};

export function systemRandomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count));
}
