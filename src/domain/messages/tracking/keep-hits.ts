import type { Deps } from "#src/deps.ts";
import { within } from "#src/platform/deadline.ts";
import { describeError } from "#src/platform/log.ts";
import type { Hit } from "./hit.ts";
import { packHits } from "./packed-hits.ts";
import { recordHits } from "./record.ts";

/** A queue takes milliseconds; behind one that does not answer there is time for the database. */
const LONGEST_SEND_MS = 3_000;

/**
 * Leaves hits to the batching queue, which has them written with those of other isolates (`take-hits.ts`). Where there is
 * none, or it takes nothing (its day's operations are used up), they are written here.
 */
export async function keepHits(deps: Deps, hits: readonly Hit[]): Promise<void> {
  if (deps.hitBatches === null) return recordHits(deps, hits);
  try {
    await within(deps.clock, LONGEST_SEND_MS, deps.hitBatches.send(packHits(hits)));
  } catch (error) {
    deps.log.error("hits_not_queued", { count: hits.length, ...describeError(error) });
    await recordHits(deps, hits);
  }
}
