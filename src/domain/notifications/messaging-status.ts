import type { Deps } from "#src/deps.ts";
import type { MessagingStatus } from "#src/providers/messaging/index.ts";

/** Takes in what the provider says of messages that it took. Safe to repeat, and in any order. */
export async function recordMessagingStatus(
  deps: Deps,
  statuses: readonly MessagingStatus[],
): Promise<void> {
  for (const { id, reference, failure } of statuses)
    if (failure !== null) deps.log.error("message_failed", { id, reference, ...failure });
}
