import { createPostgresStore, skipUnstarted, stalledDrains } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";

export const DRAIN_JOB = "drain-campaign";

/** 100,000 leads a run; the rest is left to the next message. */
const CHUNKS_PER_RUN = 20;

export type DrainRun = "superseded" | "continued" | "completed";

/**
 * Skips the leads that a drained campaign never started, some at a time, and
 * completes it. Safe to repeat, to run beside itself and to interrupt anywhere:
 * each piece is a transaction that looks at the campaign anew, and a campaign
 * that was resumed or paused meanwhile is left as it is.
 */
export async function runDrainJob(deps: Deps, campaignId: string): Promise<DrainRun> {
  const store = createPostgresStore(deps.db);
  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    const now = deps.clock.now();
    const { completed, drained } = await store.complete(now, [campaignId]);
    if (drained.length === 0) return completed.length > 0 ? "completed" : "superseded";
    await skipUnstarted(deps.db, campaignId, now);
  }
  await queueDrainJobs(deps, [campaignId]);
  return "continued";
}

/** A wake-up that gets lost is sent again by `reviveDrains`. */
export async function queueDrainJobs(
  { queue, log }: Pick<Deps, "queue" | "log">,
  campaignIds: string[],
): Promise<void> {
  if (campaignIds.length === 0) return;
  const messages = campaignIds.map((campaign_id) => ({
    callback: DRAIN_JOB,
    payload: { campaign_id, version: 1 },
  }));
  try {
    await queue.publishAll(messages);
  } catch (error) {
    log.error("drain_message_lost", { campaigns: campaignIds, ...describeError(error) });
  }
}

/** A drain without progress for this long has lost its message. */
const STALLED_AFTER_MS = 5 * 60_000;
const REVIVED_AT_ONCE = 100;

/** Belongs into the engine's regular full check. */
export async function reviveDrains(deps: Deps): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - STALLED_AFTER_MS);
  const stalled = await stalledDrains(deps.db, before, REVIVED_AT_ONCE);
  await queueDrainJobs(deps, stalled);
  return stalled.length;
}
