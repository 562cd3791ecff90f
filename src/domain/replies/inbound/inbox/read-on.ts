import {
  type ClaimedInbox,
  type InboxPart,
  type Position,
  recordPosition,
} from "#db/replies/inbox-reads.ts";
import type { Deps } from "#src/deps.ts";
import type { OpenedInbox } from "#src/providers/inbox/index.ts";
import { LARGEST_RAW } from "#src/domain/replies/conversations/raw.ts";
import { receiveMail } from "../receive.ts";
import { chooseOurs } from "./choose-ours.ts";
import { CLUE_FIELDS } from "./clues.ts";
import { backlogUids, newUids, whereItStands } from "./where-to-begin.ts";

/** Headers are asked for so many at a time. */
const PIECE = 200;
/** So much of one inbox is done in one look; the next follows at once. */
const MOST_HEADERS = 1_000;
const MOST_FETCHED = 20;
/** Taking a mail in asks the database and the provider so often, in round numbers. */
const CALLS_A_MAIL = 8;
/** Behind a place where reading failed: message by message, until it is known which one it is. */
const MOST_SINGLY = 20;
/** A message that could not be read so often is left out. */
const MOST_TRIES = 5;
/**
 * Bytes read of a message: its text and a report's parts stand before large attachments. One more than are kept raw, so
 * that a longer one is not kept cut off.
 */
const MAX_MESSAGE = LARGEST_RAW + 1;

/** How far a look into an inbox has got: updated while it goes on, so that its caller can record where it ended, even by an error. */
export interface Progress {
  /** Null until the first batch is done. */
  position: Position | null;
  /** What it is reading, and whether it has got any further there. */
  part: InboxPart;
  moved: boolean;
  headers: number;
  fetched: number;
  /** Mails that matched a sent message. */
  taken: number;
}

/** UIDs of one part in the order in which they are read, and what it means to have read one. */
interface Stretch {
  uids: number[];
  stuck: number;
  reach(uid: number): Position;
}

/** Reads what is new, in order, then what a first look has left, the newest first, and lets it take effect; true when that was all of it. */
export async function readOn(
  deps: Deps,
  claim: ClaimedInbox,
  inbox: OpenedInbox,
  progress: Progress,
): Promise<boolean> {
  const at = whereItStands(claim, inbox, deps.clock.now());
  const uids = await newUids(inbox, at.lastUid, claim.stuck > 0);
  const fresh = { uids, stuck: claim.stuck, reach: (lastUid: number) => ({ ...at, lastUid }) };
  if (!(await readStretch(deps, claim, inbox, progress, fresh))) return false;

  const lastUid = Math.max(inbox.uidNext - 1, uids.at(-1) ?? 0);
  const { backlog } = at;
  if (backlog !== null) {
    Object.assign(progress, { part: "backlog", moved: false });
    const old: Stretch = {
      uids: await backlogUids(inbox, backlog),
      stuck: claim.backlogStuck,
      reach: (before) => ({ ...at, lastUid, backlog: { ...backlog, before } }),
    };
    if (!(await readStretch(deps, claim, inbox, progress, old))) return false;
  }
  progress.position = { ...at, lastUid, backlog: null };
  return true;
}

/** As much of it as there is room for in one look; true when that was all. */
async function readStretch(
  deps: Deps,
  claim: ClaimedInbox,
  inbox: OpenedInbox,
  progress: Progress,
  { uids, stuck, reach }: Stretch,
): Promise<boolean> {
  const isStuck = stuck > 0;
  const most = mostFetched(deps);
  const room = isStuck ? MOST_SINGLY : Math.max(0, MOST_HEADERS - progress.headers);
  const readable = uids.slice(0, room);
  const advance = (uid: number) => {
    progress.position = reach(uid);
    progress.moved = true;
  };
  if (stuck >= MOST_TRIES && readable.length > 0) advance(leaveOut(deps, claim, readable.shift()!));
  for (const piece of piecesOf(readable, isStuck ? 1 : PIECE)) {
    if (progress.headers > 0 && progress.position !== null)
      await recordPosition(deps.db, claim, progress.position, progress.part);
    const headers = await inbox.headers(
      piece.toSorted((a, b) => a - b),
      CLUE_FIELDS,
    );
    progress.headers += headers.length;
    const ours = new Set(await chooseOurs(deps, claim, headers));
    for (const uid of piece.filter((each) => ours.has(each))) {
      if (progress.fetched === most) return false;
      await takeIn(deps, claim, inbox, uid, progress);
      advance(uid);
    }
    advance(piece.at(-1)!);
  }
  return uids.length <= room;
}

/** The platform lets an invocation make so many calls; half of them are for a look. */
const mostFetched = ({ settings }: Deps): number =>
  Math.max(1, Math.min(MOST_FETCHED, Math.floor(settings.tick.limits.calls / 2 / CALLS_A_MAIL)));

/** How many calls a look has made, roughly. */
export const callsOf = ({ headers, fetched }: Pick<Progress, "headers" | "fetched">): number =>
  6 + 2 * Math.ceil(headers / PIECE) + fetched * CALLS_A_MAIL;

async function takeIn(
  deps: Deps,
  { email, workspaceId }: ClaimedInbox,
  inbox: OpenedInbox,
  uid: number,
  progress: Progress,
): Promise<void> {
  progress.fetched++;
  const raw = await inbox.message(uid, MAX_MESSAGE);
  if (raw === null) return;
  const { matchedBy } = await receiveMail(deps, raw, { to: email }, { workspaceId });
  if (matchedBy !== null) progress.taken++;
}

function leaveOut({ log }: Deps, { aliasId }: ClaimedInbox, uid: number): number {
  log.error("inbox_message_left_out", { alias_id: aliasId, uid });
  return uid;
}

function* piecesOf(uids: readonly number[], size: number): Generator<number[]> {
  for (let at = 0; at < uids.length; at += size) yield uids.slice(at, at + size);
}
