import { findEndedById, findSentById } from "#db/replies/sent-messages.ts";
import { recordUnsubscribe } from "#db/messages/tracking.ts";
import type { Deps } from "#src/deps.ts";
import { applyFeedback, endMail } from "#src/domain/replies/feedback/apply.ts";

/** Ends mail to the address of that message, in every campaign of the workspace. True also when it had ended before; false when there is no such message. */
export async function unsubscribe(
  deps: Deps,
  messageId: string,
  isOneClick: boolean,
): Promise<boolean> {
  const sent = await findSentById(deps.db, messageId);
  if (sent === undefined) return unsubscribeByEnded(deps, messageId);
  await applyFeedback(deps, sent, "unsubscribe");
  const event = { eventId: deps.ids.uuid(), isOneClick, now: deps.clock.now() };
  await recordUnsubscribe(deps.db, sent, event);
  return true;
}

/** A link works for ever: the message's row may have ended with its campaign long ago. */
async function unsubscribeByEnded(deps: Deps, messageId: string): Promise<boolean> {
  const ended = await findEndedById(deps.db, messageId);
  if (ended === undefined) return false;
  await endMail(deps, ended, "unsubscribe");
  return true;
}
