import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import { nextHop } from "#src/providers/queue/index.ts";

export const PUBLISH_POST = "publish-post";
export const COUNT_POSTS = "count-posts";

/** Posts whose counters fall due within so long are counted together. */
const TOGETHER_MS = 5 * 60_000;

/** Asks to be called when a post is due, or on the way there when that is later than the queue can wait. */
export function enqueuePost(
  deps: Deps,
  { id, dueAt }: { id: string; dueAt: Date },
  part = "",
): Promise<void> {
  const at = nextHop(deps.clock.now(), dueAt);
  return wakeUp(deps, {
    callback: PUBLISH_POST,
    payload: { post_id: id, version: 1 },
    notBefore: at,
    deduplicationId: `post-${id}-${at.getTime()}${part}`,
  });
}

/** Queues the counting of posts due by then; requests for the same five minutes are one call. */
export function enqueueCounts(deps: Deps, dueAt: Date): Promise<void> {
  const latest = Math.max(deps.clock.now().getTime(), dueAt.getTime());
  const at = new Date((Math.floor(latest / TOGETHER_MS) + 1) * TOGETHER_MS);
  return enqueueCountsAt(deps, at, `count-posts-${at.getTime()}`);
}

export function enqueueCountsNow(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  return enqueueCountsAt(deps, now, `count-posts-now-${now.getTime()}`);
}

const enqueueCountsAt = (deps: Deps, notBefore: Date, deduplicationId: string): Promise<void> =>
  wakeUp(deps, { callback: COUNT_POSTS, payload: { version: 1 }, notBefore, deduplicationId });
