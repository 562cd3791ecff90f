import type { ClaimedInbox } from "#db/replies/inboxes.ts";
import type { OpenedInbox } from "#src/providers/inbox/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** A first look goes back so far: leads may have answered before the inbox was connected. */
const FIRST_LOOK_MS = 7 * DAY_MS;

/** Where reading goes on: after a UID, or at a date; null without new mail. */
export type Beginning = { behind: number } | { since: Date } | null;

/**
 * UIDs hold under one UIDVALIDITY alone. Under another, or where the next UID is one that was read (a
 * mailbox restored from a backup), the inbox is read anew, which takes no mail in twice.
 */
export function whereToBegin(
  { uidValidity, lastUid }: Pick<ClaimedInbox, "uidValidity" | "lastUid">,
  inbox: Pick<OpenedInbox, "uidValidity" | "uidNext">,
  now: Date,
): Beginning {
  if (lastUid === null || uidValidity !== inbox.uidValidity || inbox.uidNext <= lastUid)
    return { since: new Date(now.getTime() - FIRST_LOOK_MS) };
  return inbox.uidNext === lastUid + 1 ? null : { behind: lastUid };
}

/** UIDs of so narrow a range are asked for without looking which of them are there. */
const RANGE = 200;

/** The UIDs to look at, ascending; of a range some may not be there. */
export async function newUids(
  inbox: OpenedInbox,
  beginning: Beginning,
  exactly: boolean,
): Promise<number[]> {
  if (beginning === null) return [];
  if ("since" in beginning) return inbox.uidsSince(beginning.since);
  const first = beginning.behind + 1;
  const count = inbox.uidNext - first;
  if (count > RANGE || exactly) return inbox.uidsFrom(first);
  return Array.from({ length: count }, (_, index) => first + index);
}
