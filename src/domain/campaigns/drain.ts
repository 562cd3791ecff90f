import * as z from "zod";
import { createPostgresStore, skipUnstarted, stalledDrains } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { define, wakeUp } from "#src/domain/job.ts";

const DRAIN_JOB = "drain-campaign";

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
  await enqueueDrains(deps, [campaignId]);
  return "continued";
}

export async function enqueueDrains(
  deps: Pick<Deps, "queue" | "log">,
  campaignIds: string[],
): Promise<void> {
  if (campaignIds.length === 0) return;
  const messages = campaignIds.map((campaign_id) => ({
    callback: DRAIN_JOB,
    payload: { campaign_id, version: 1 },
  }));
  await wakeUp(deps, messages);
}

export const drainCampaign = define(DRAIN_JOB, {
  payload: z.object({ campaign_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { campaign_id }) => runDrainJob(deps, campaign_id),
  lost: {
    afterMs: 5 * 60_000,
    find: ({ db }, before) => stalledDrains(db, before, 100),
    requeue: enqueueDrains,
  },
});
