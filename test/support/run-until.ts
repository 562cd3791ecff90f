import { expect } from "vitest";
import { runTick } from "#src/domain/jobs/tick.ts";
import type { TestApi } from "./api.ts";
import { createEagerClock } from "./eager-clock.ts";
import { sending } from "./sending.ts";

const MINUTE = 60_000;

/** The service's own ticks, fired at full minutes as its schedule does; waits alone move their clock. */
export async function runUntil(end: number): Promise<void> {
  const { deps } = sending.api;
  const clock = createEagerClock(Date.now());
  for (let fires = 0, at = Math.ceil(Date.now() / MINUTE) * MINUTE; at < end; fires++) {
    expect(fires).toBeLessThan(5_000);
    clock.moveTo(at);
    const { nextWakeAt } = await runTick({ ...deps, clock });
    if (nextWakeAt === null) return;
    const covering = Math.floor(nextWakeAt.getTime() / MINUTE) * MINUTE;
    at = Math.max(covering, (Math.floor(at / MINUTE) + 1) * MINUTE);
  }
}

/** Moves the service's clock on to an instant. */
export function advanceTo(ms: number, api: Pick<TestApi, "advance"> = sending.api): void {
  const left = ms - Date.now();
  if (left > 0) api.advance(left / 1000);
}
