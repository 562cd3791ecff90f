import { type ClaimedInbox, recordFailure, recordLook } from "#db/inboxes.ts";
import type { Deps } from "#src/deps.ts";
import { openInboxAccount } from "#src/domain/senders/alias-inbox.ts";
import { describeError } from "#src/platform/log.ts";
import { InboxError, type OpenedInbox, type OpenInbox } from "#src/providers/inbox/index.ts";
import { type Progress, readOn } from "./read-on.ts";
import { lookAtOnce, nextLooks, retryAt } from "./rounds.ts";

export interface Look extends Progress {
  failed: boolean;
  /** When the next is due; undefined where another has the inbox now. */
  nextAt: Date | undefined;
}

/** Reads one inbox over a connection of its own and records how it went; rejects only where that could not be recorded. */
export async function readInbox(deps: Deps, claim: ClaimedInbox, open: OpenInbox): Promise<Look> {
  const progress: Progress = { position: null, headers: 0, fetched: 0, taken: 0 };
  let inbox: OpenedInbox | null = null;
  try {
    inbox = await open(await openInboxAccount(deps, claim, claim.email));
    const isAll = await readOn(deps, claim, inbox, progress);
    const now = deps.clock.now();
    const next = isAll ? nextLooks(now) : lookAtOnce(now);
    const nextAt = await recordLook(deps.db, claim, progress.position!, next);
    return { ...progress, failed: false, nextAt };
  } catch (error) {
    const nextAt = await recordTrouble(deps, claim, error, progress, inbox !== null);
    return { ...progress, failed: true, nextAt };
  } finally {
    await inbox?.close();
  }
}

async function recordTrouble(
  deps: Deps,
  claim: ClaimedInbox,
  error: unknown,
  { position }: Progress,
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
    { position, whileReading, error: message, broken, nextReadAt },
    now,
  );
  if (broken && !claim.broken) deps.wakeOutbox();
  return nextReadAt;
}
