import { countDueInboxes } from "#db/replies/inbox-reads.ts";
import type { Deps } from "#src/deps.ts";
import { NO_INBOXES } from "#src/domain/senders/alias-inbox.ts";
import { INBOXES_A_MESSAGE, enqueueReads } from "./queue.ts";

/** A new inbox waits at most so long if its creation could not delete the cached note. */
const NOTE_SECONDS = 15 * 60;
/** More messages than a connection gets through in a round, each in 3 s, would only wait beside those of the next. */
const WORKERS_A_CONNECTION = 100;

/** A round: asks for workers for the inboxes that are due. Without any inbox it asks the cache alone. */
export async function enqueueDueReads(deps: Deps): Promise<void> {
  const note = await deps.cache.get(NO_INBOXES).catch(() => null);
  if (note !== null) return;
  const { due, any } = await countDueInboxes(deps.db, deps.clock.now());
  if (!any) await deps.cache.set(NO_INBOXES, "1", NOTE_SECONDS).catch(() => {});
  const most = deps.settings.inboxes.connections * WORKERS_A_CONNECTION;
  const workers = Math.min(Math.ceil(due / INBOXES_A_MESSAGE), most);
  if (workers > 0) await enqueueReads(deps, workers);
}
