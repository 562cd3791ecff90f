import type { Seed } from "#db/messages/placement-delivery.ts";
import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";

export const LOOK_FOR_PLACEMENT = "placement";

/** Asks for a worker for each of these seeds: one that is slow or gone holds up no other. */
export const enqueueSeeds = (deps: Deps, seeds: readonly Seed[], at: Date): Promise<void> =>
  wakeUp(
    deps,
    seeds.map((seed) => callFor(seed, at)),
  );

const callFor = ({ testId, seedAliasId }: Seed, at: Date): QueueMessage => ({
  callback: LOOK_FOR_PLACEMENT,
  payload: { test_id: testId, seed_alias_id: seedAliasId, version: 1 },
  notBefore: at,
  deduplicationId: `placement-${testId}-${seedAliasId}-${at.getTime()}`,
});
