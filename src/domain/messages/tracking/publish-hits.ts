import type { Deps } from "#src/deps.ts";
import type { Hit } from "./hit.ts";

export const RECORD_HITS = "record-hits";

/** Hits of 2.5 kB at most each: a message of QStash holds so many with room to spare. */
export const MOST_PUBLISHED = 100;

/** Leaves hits to QStash, which calls back until the database has them. */
export async function publishHits(deps: Deps, hits: readonly Hit[]): Promise<void> {
  await deps.queue.publish({
    callback: RECORD_HITS,
    payload: { hits, version: 1 },
    deduplicationId: `hits-${hits[0]!.id}`,
    retries: 5,
  });
  deps.log.info("hits_handed_over", { count: hits.length });
}
