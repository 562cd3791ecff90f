import type { Clock } from "#src/platform/index.ts";

/** A database that restarts is away for seconds: what would be lost by that is tried so often, so far apart. */
export const ATTEMPTS = 5;
const PAUSE_MS = 2_000;

export const pause = (clock: Clock): Promise<void> =>
  clock.sleepUntil(new Date(clock.now().getTime() + PAUSE_MS));

/** Reads until it is answered: to read once more changes nothing. */
export async function retryRead<T>(clock: Clock, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(clock);
    }
  }
}
