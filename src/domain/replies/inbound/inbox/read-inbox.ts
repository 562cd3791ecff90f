import { type ClaimedInbox, recordFailure, recordLooks } from "#db/replies/inbox-reads.ts";
import type { Deps } from "#src/deps.ts";
import { openAliasInbox } from "#src/domain/senders/alias-inbox.ts";
import { describeError } from "#src/platform/log.ts";
import { InboxError, type OpenedInbox, type OpenInbox } from "#src/providers/inbox/index.ts";
import { type Progress, readOn } from "./read-on.ts";
import { lookAtOnce, nextLooks, retryAt } from "./rounds.ts";

export interface Look extends Progress {
  failed: boolean;
  /** When the next is due; undefined where that is not recorded yet, or another has the inbox now. */
  nextAt: Date | undefined;
}

/**
 * Reads one inbox over a connection of its own and records the result; a look without new mail the caller records, for
 * many inboxes at once. Rejects only where it could not be recorded.
 */
export async function readInbox(deps: Deps, claim: ClaimedInbox, open: OpenInbox): Promise<Look> {
  const progress: Progress = {
    position: null,
    part: "new",
    moved: false,
    headers: 0,
    fetched: 0,
    taken: 0,
  };
  let inbox: OpenedInbox | null = null;
  try {
    inbox = await openAliasInbox(deps, claim, claim.email, open);
    const isAll = await readOn(deps, claim, inbox, progress);
    const look = { ...progress, failed: false, nextAt: undefined };
    if (isAll && progress.headers === 0) return look;
    return { ...look, nextAt: await recordRead(deps, claim, progress, isAll) };
  } catch (error) {
    const nextAt = await recordTrouble(deps, claim, error, progress, inbox !== null);
    return { ...progress, failed: true, nextAt };
  } finally {
    await inbox?.close();
  }
}

async function recordRead(
  deps: Deps,
  { aliasId, leasedUntil }: ClaimedInbox,
  { position }: Progress,
  isAll: boolean,
): Promise<Date | undefined> {
  const now = deps.clock.now();
  const look = { aliasId, leasedUntil, position: position! };
  const next = await recordLooks(deps.db, [look], isAll ? nextLooks(now) : lookAtOnce(now));
  return next.get(aliasId);
}

async function recordTrouble(
  deps: Deps,
  claim: ClaimedInbox,
  error: unknown,
  { position, part, moved }: Progress,
  whileReading: boolean,
): Promise<Date> {
  const now = deps.clock.now();
  const { fault, message, stage } =
    error instanceof InboxError
      ? error
      : { fault: "line" as const, message: "A message could not be taken in.", stage: "effect" };
  const defect = error instanceof InboxError ? {} : describeError(error);
  deps.log.error("inbox_failed", { alias_id: claim.aliasId, stage, fault, ...defect });
  const nextReadAt = retryAt(now, claim.failures, fault);
  const broken = fault === "account";
  await recordFailure(
    deps.db,
    claim,
    {
      position,
      reading: whileReading ? { part, moved } : null,
      error: message,
      broken,
      nextReadAt,
    },
    now,
  );
  if (broken && !claim.broken) deps.wakeOutbox();
  return nextReadAt;
}
