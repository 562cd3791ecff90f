import { isDraftedStep } from "#db/engine/index.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";

export const PREFETCH_DRAFTS = "prefetch-drafts";

/**
 * Enqueues a prefetch of lacking texts; requests with the same cause within a second are one message. The message is
 * only a wake-up: a lost one is sent again by the next tick, or by maintenance.
 */
export async function enqueuePrefetch(deps: Deps, cause: string): Promise<void> {
  if (deps.model === null) return;
  const second = Math.floor(deps.clock.now().getTime() / 1000);
  try {
    await deps.queue.publish({
      callback: PREFETCH_DRAFTS,
      payload: { version: 1 },
      deduplicationId: `${PREFETCH_DRAFTS}-${cause}-${second}`,
      flow: { key: PREFETCH_DRAFTS, parallelism: 1 },
      retries: 0,
    });
  } catch (error) {
    deps.log.error("prefetch_message_lost", { cause, ...describeError(error) });
  }
}

/** After something that lets leads of a campaign wait for their texts, or go on: nothing unless it runs and a model writes for it. */
export async function enqueuePrefetchFor(
  deps: Deps,
  { id, status, steps }: Pick<Campaign, "id" | "status" | "steps">,
): Promise<void> {
  if (status !== "active" && status !== "draining") return;
  if (steps.some(isDraftedStep)) await enqueuePrefetch(deps, id);
}
