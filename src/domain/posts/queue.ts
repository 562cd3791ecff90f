import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { nextHop } from "#src/providers/queue/index.ts";

export const PUBLISH_POST = "publish-post";

/**
 * Asks to be called when a post is due, or on the way there when that is later than the queue can wait. The post is
 * kept when this is called, so a queue that fails loses nothing: `revivePosts` asks again.
 */
export async function queuePost(
  deps: Deps,
  { id, dueAt }: { id: string; dueAt: Date },
): Promise<void> {
  const now = deps.clock.now();
  const at = nextHop(now, dueAt);
  try {
    await deps.queue.publish({
      callback: PUBLISH_POST,
      payload: { post_id: id, version: 1 },
      notBefore: at,
      deduplicationId: `post-${id}-${at.getTime()}-${now.getTime()}`,
    });
  } catch (error) {
    deps.log.error("post_message_lost", { post_id: id, ...describeError(error) });
  }
}
