import { countDueLanes } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { servedKinds } from "./channels.ts";
import { mostSends } from "#src/domain/engine/allowance.ts";
import { describeError } from "#src/platform/log.ts";

/** At most so many ticks besides the scheduled one in a period, as many as one database can claim for; the rest of the work waits for the next period. */
export const MAX_EXTRA_TICKS = 5_000;

/** Lanes that are all due at once are served within this: later, a message moves the plan of its sender. */
const SERVED_WITHIN_SECONDS = 15;

/**
 * How many sends one tick takes: what it can make in time at the recent ticks' speed, within what the platform
 * allows; one batch while that speed is unknown.
 */
export function sendsOfTick(
  { batch, limits }: Pick<Deps["settings"]["tick"], "batch" | "limits">,
  sendsPerSecond: number | null,
): number {
  const inTime = Math.floor((sendsPerSecond ?? 0) * SERVED_WITHIN_SECONDS);
  return Math.min(mostSends(limits), Math.max(batch, inTime));
}

/** How many ticks besides the scheduled one it takes for so many lanes. */
export const extraTicks = (dueLanes: number, sendsOfEach: number): number =>
  Math.min(MAX_EXTRA_TICKS, Math.max(0, Math.ceil(dueLanes / sendsOfEach) - 1));

/**
 * Asks for further ticks at once when more lanes fall due in this period than
 * one tick takes. Before the sending starts, which lasts the whole period. A
 * repeated delivery of the schedule asks for the same ones, which the queue takes once.
 */
export async function enqueueExtraTicks(deps: Deps, callback: string): Promise<number> {
  const { tick } = deps.settings;
  const { batch, periodSeconds, parallelism } = tick;
  const now = deps.clock.now();
  const until = new Date(now.getTime() + periodSeconds * 1000);
  const most = batch * (MAX_EXTRA_TICKS + 1);
  const { due, sendsPerSecond } = await countDueLanes(deps.db, servedKinds(deps), until, most);
  const count = extraTicks(due, sendsOfTick(tick, sendsPerSecond));
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
