import { type ClaimedInbox, type Position, recordPosition } from "#db/replies/inboxes.ts";
import type { Deps } from "#src/deps.ts";
import type { OpenedInbox } from "#src/providers/inbox/index.ts";
import { receiveMail } from "../receive.ts";
import { chooseOurs } from "./choose-ours.ts";
import { CLUE_FIELDS } from "./clues.ts";
import { newUids, whereToBegin } from "./where-to-begin.ts";

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
/** Bytes read of a message: its text and a report's parts stand before large attachments. */
const MAX_MESSAGE = 1024 * 1024;

/** How far a look into an inbox has got: updated while it goes on, so that its caller can record where it ended, even by an error. */
export interface Progress {
  /** Null until the first batch is done. */
  position: Position | null;
  headers: number;
  fetched: number;
  /** Mails that matched a sent message. */
  taken: number;
}

/** Reads what is new, in order, and lets it take effect; true when that was all of it. */
export async function readOn(
  deps: Deps,
  claim: ClaimedInbox,
  inbox: OpenedInbox,
  progress: Progress,
): Promise<boolean> {
  const { uidValidity, uidNext } = inbox;
  const isStuck = claim.stuck > 0;
  const found = await newUids(inbox, whereToBegin(claim, inbox, deps.clock.now()), isStuck);
  const most = mostFetched(deps);
  const reach = (lastUid: number) => (progress.position = { uidValidity, lastUid });
  const uids = found.slice(0, isStuck ? MOST_SINGLY : MOST_HEADERS);
  if (claim.stuck >= MOST_TRIES && uids.length > 0) reach(leaveOut(deps, claim, uids.shift()!));
  for (const piece of piecesOf(uids, isStuck ? 1 : PIECE)) {
    if (progress.headers > 0) await recordPosition(deps.db, claim, progress.position!);
    const headers = await inbox.headers(piece, CLUE_FIELDS);
    progress.headers += headers.length;
    for (const uid of await chooseOurs(deps, claim, headers)) {
      if (progress.fetched === most) return false;
      await takeIn(deps, claim, inbox, uid, progress);
      reach(uid);
    }
    reach(piece.at(-1)!);
  }
  const isAll = found.length === 0 || found.at(-1)! <= (progress.position?.lastUid ?? 0);
  if (isAll) reach(Math.max(uidNext - 1, found.at(-1) ?? 0));
  return isAll;
}

/** The platform lets an invocation make so many calls; half of them are for a look. */
const mostFetched = ({ settings }: Deps): number =>
  Math.max(1, Math.min(MOST_FETCHED, Math.floor(settings.tick.limits.calls / 2 / CALLS_A_MAIL)));

/** How many calls a look has made, roughly. */
export const callsOf = ({ headers, fetched }: Progress): number =>
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
