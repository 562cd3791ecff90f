import { call } from "./call.ts";

/** Ahead of this machine's clock by so many ms: clocks differ, and a local stack's can be moved. */
let offsetMs = 0;

/** What the service takes as now, in ms. */
export const serverNow = (): number => Date.now() + offsetMs;

export async function learnClock(): Promise<void> {
  const sentAt = Date.now();
  try {
    const { timestamp } = await call("apiHealth");
    const difference = Date.parse(timestamp) - (sentAt + Date.now()) / 2;
    offsetMs = Math.abs(difference) > 1_500 ? difference : 0;
  } catch {
    // The page says already that nothing answers.
  }
}
