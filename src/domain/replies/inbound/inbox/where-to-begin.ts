import type { ClaimedInbox, Position } from "#db/replies/inbox-reads.ts";
import type { OpenedInbox } from "#src/providers/inbox/index.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** A first look goes back so far: leads may have answered before the inbox was connected. */
const FIRST_LOOK_MS = 7 * DAY_MS;

/**
 * How far an inbox was read. UIDs hold under one UIDVALIDITY alone. Under another, or where the next UID is one that was
 * read (a mailbox restored from a backup), the inbox is read anew, which takes no mail in twice: what is there is its backlog.
 */
export function whereItStands(
  {
    uidValidity,
    lastUid,
    backlogBefore,
    backlogSince,
  }: Pick<ClaimedInbox, "uidValidity" | "lastUid" | "backlogBefore" | "backlogSince">,
  inbox: Pick<OpenedInbox, "uidValidity" | "uidNext">,
  now: Date,
): Position {
  if (lastUid === null || uidValidity !== inbox.uidValidity || inbox.uidNext <= lastUid) {
    const backlog = { before: inbox.uidNext, since: new Date(now.getTime() - FIRST_LOOK_MS) };
    return { uidValidity: inbox.uidValidity, lastUid: inbox.uidNext - 1, backlog };
  }
  const backlog =
    backlogBefore === null || backlogSince === null
      ? null
      : { before: backlogBefore, since: backlogSince };
  return { uidValidity, lastUid, backlog };
}

/** UIDs of so narrow a range are asked for without looking which of them are there. */
const RANGE = 200;

/** The UIDs behind the last one, ascending; of a range some may not be there. */
export async function newUids(
  inbox: OpenedInbox,
  lastUid: number,
  exactly: boolean,
): Promise<number[]> {
  const first = lastUid + 1;
  const count = inbox.uidNext - first;
  if (count <= 0) return [];
  if (count > RANGE || exactly) return inbox.uidsFrom(first);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The UIDs of the backlog, descending: today's answers do not wait for those of last week. */
export async function backlogUids(
  inbox: OpenedInbox,
  { before, since }: NonNullable<Position["backlog"]>,
): Promise<number[]> {
  const uids = await inbox.uidsSince(since);
  return uids.filter((uid) => uid < before).toSorted((a, b) => b - a);
}
