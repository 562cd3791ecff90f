import { countDueLanes } from "#db/engine.ts";
import type { Deps } from "#src/deps.ts";
import { SERVED_KINDS } from "./channels.ts";
import { describeError } from "#src/platform/log.ts";

/** At most so many ticks besides the scheduled one in a period, which is what one database claims for; what is left waits for the next. */
export const MAX_EXTRA_TICKS = 5_000;

/** How many ticks besides the scheduled one it takes to claim so many lanes. */
export const extraTicks = (dueLanes: number, batch: number): number =>
  Math.min(MAX_EXTRA_TICKS, Math.max(0, Math.ceil(dueLanes / batch) - 1));

/**
 * Asks for further ticks at once when more lanes fall due in this period than
 * one tick takes. Before the sending starts, which lasts the whole period. A
 * repeated delivery of the schedule asks for the same ones, which the queue takes once.
 */
export async function askForExtraTicks(deps: Deps, callback: string): Promise<number> {
  const { batch, periodSeconds, parallelism } = deps.settings.tick;
  const now = deps.clock.now();
  const until = new Date(now.getTime() + periodSeconds * 1000);
  const due = await countDueLanes(deps.db, SERVED_KINDS, until, batch * (MAX_EXTRA_TICKS + 1));
  const count = extraTicks(due, batch);
  const period = Math.floor(now.getTime() / (periodSeconds * 1000));
  if (count === 0) return 0;
  const asks = Array.from({ length: count }, (_, index) => ({
    callback,
    payload: { version: 1, extra: true },
    deduplicationId: `tick-${period}-${index + 1}`,
    // However many it asks for, the database sees no more than so many at once.
    flow: { key: callback, parallelism },
    // The next scheduled tick is its retry.
    retries: 0,
  }));
  try {
    await deps.queue.publishAll(asks);
  } catch (error) {
    deps.log.error("extra_ticks_lost", describeError(error));
  }
  return count;
}
