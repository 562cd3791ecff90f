import * as z from "zod";
import { overdueOf, stalledBatches } from "#db/messages/generation-batches.ts";
import { overdueSendTimeGenerations } from "#db/messages/generations.ts";
import type { GenerationKind } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { define } from "#src/domain/job.ts";
import { enqueueGenerations, enqueueRun, RUN_WORKERS, WRITE_DRAFT, WRITE_RUN } from "./queue.ts";
import { runWorker } from "./run-worker.ts";
import { runGeneration } from "./write-generation.ts";

const BATCHES_AT_ONCE = 100;
const TEXTS_AT_ONCE = 200;

/** Writes one text. Its requeue also finds the lost messages of runs, by one read of all batches. */
export const writeDraft = define(WRITE_DRAFT, {
  payload: z.object({ generation_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { generation_id }) => runGeneration(deps, generation_id),
  lost: {
    // Or the queue is as long; then one more message does no harm.
    afterMs: 5 * 60_000,
    find: async ({ db, model }, before) =>
      model === null
        ? []
        : [
            ...(await stalledBatches(db, before, BATCHES_AT_ONCE)),
            ...(await overdueSendTimeGenerations(db, before, TEXTS_AT_ONCE)),
          ],
    requeue: requeueTexts,
  },
});

async function requeueTexts(
  deps: Deps,
  lost: { id: string; kind: GenerationKind }[],
  before: Date,
): Promise<void> {
  const { run = [], playground = [], send_time = [] } = Object.groupBy(lost, ({ kind }) => kind);
  for (const { id } of run) await enqueueRun(deps, id, RUN_WORKERS);
  for (const { id } of playground)
    await enqueueGenerations(deps, await overdueOf(deps.db, id, before, TEXTS_AT_ONCE));
  const alone = send_time.map(({ id }) => id);
  if (alone.length > 0) await enqueueGenerations(deps, alone);
}

/** One of a run's workers. */
export const writeRun = define(WRITE_RUN, {
  payload: z.object({ run_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { run_id }) => runWorker(deps, run_id),
});
