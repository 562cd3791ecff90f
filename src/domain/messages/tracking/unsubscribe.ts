import { findSentById } from "#db/replies/sent-messages.ts";
import { recordUnsubscribe } from "#db/messages/tracking.ts";
import type { Deps } from "#src/deps.ts";
import { applyFeedback } from "#src/domain/replies/feedback/apply.ts";

/** Ends mail to the address of that message, in every campaign of the workspace. True also when it had ended before; false when there is no such message. */
export async function unsubscribe(deps: Deps, messageId: string): Promise<boolean> {
  const sent = await findSentById(deps.db, messageId);
  if (sent === undefined) return false;
  await applyFeedback(deps, sent, "unsubscribe");
  await recordUnsubscribe(deps.db, sent, deps.ids.uuid(), deps.clock.now());
  return true;
}
