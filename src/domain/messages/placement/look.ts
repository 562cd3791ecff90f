import {
  claimPlacementLooks,
  endPlacementLook,
  type Seed,
} from "#db/messages/placement-delivery.ts";
import { noteRemoved, type PlacementMail } from "#db/messages/placement-tests.ts";
import { findInbox } from "#db/replies/inboxes.ts";
import type { Deps } from "#src/deps.ts";
import { newClaim } from "#src/domain/job.ts";
import { openAliasMailbox } from "#src/domain/senders/alias-inbox.ts";
import { describeError } from "#src/platform/log.ts";
import { InboxError, type SearchedMailbox, type Sighting } from "#src/providers/inbox/index.ts";
import { oursAmong, SEEN_FIELDS, seenOf } from "./seen.ts";
import { isEverywhere, LOOK_LEASE_MS, nextLookAt } from "./times.ts";

/** Looks into one seed for all mails of a test that are due there, by one login. */
export async function lookIntoSeed(deps: Deps, seed: Seed, deletes: boolean): Promise<void> {
  const claim = newClaim(deps, LOOK_LEASE_MS);
  const mails = await claimPlacementLooks(deps.db, seed, claim);
  if (mails.length === 0) return;
  let mailbox: SearchedMailbox | null = null;
  try {
    const inbox = await findInbox(deps.db, seed.seedAliasId);
    if (inbox === undefined) throw new InboxError("login", NO_INBOX, "account");
    mailbox = await openAliasMailbox(deps, inbox, inbox.email, deps.searchMailboxes());
    const now = deps.clock.now();
    const found = await mailbox.find({
      messageIds: mails.map(({ messageId }) => messageId),
      fields: SEEN_FIELDS,
      everywhere: mails.some(({ lookUntil }) => isEverywhere(lookUntil, now)),
    });
    for (const mail of mails) {
      const ours = oursAmong(mail, found.get(mail.messageId) ?? []);
      await endLook(deps, mail, claim.token, { mailbox, ours, deletes });
    }
  } catch (error) {
    await endUnread(deps, mails, claim.token, error);
  } finally {
    await mailbox?.close();
  }
}

const NO_INBOX = "The seed is no mailbox of an alias any more that is read.";

interface Look {
  mailbox: SearchedMailbox;
  ours: readonly Sighting[];
  deletes: boolean;
}

async function endLook(deps: Deps, mail: PlacementMail, token: string, look: Look): Promise<void> {
  const now = deps.clock.now();
  const seen = seenOf(mail, look.ours, now);
  const set =
    seen === null
      ? notSeen(mail, look.mailbox, now)
      : { state: "found" as const, note: null, endedAt: now, ...seen };
  // Recorded before it is deleted: a worker that dies in between has told the truth.
  const removed = look.deletes && seen !== null ? { removed: false } : {};
  const isMine = await endPlacementLook(deps.db, { id: mail.id, token }, { ...set, ...removed });
  if (!isMine || !look.deletes || seen === null) return;
  if (await removeAll(deps, mail, look)) await noteRemoved(deps.db, mail.id);
}

async function removeAll(
  { log }: Deps,
  { id, messageId }: PlacementMail,
  { mailbox, ours }: Look,
): Promise<boolean> {
  try {
    let all = true;
    for (const sighting of ours) all = (await mailbox.remove(sighting, messageId)) && all;
    return all;
  } catch (error) {
    log.error("placement_mail_not_removed", { mail_id: id, ...describeError(error) });
    return false;
  }
}

function notSeen({ sentAt, lookUntil, note }: PlacementMail, mailbox: SearchedMailbox, now: Date) {
  if (now < lookUntil) return { dueAt: nextLookAt(lookUntil, now) };
  if (sentAt === null) return { state: "unknown" as const, note, endedAt: now };
  const why = mailbox.hasSpamFolder ? null : NO_SPAM_FOLDER;
  return { state: "missing" as const, note: why, endedAt: now };
}

const NO_SPAM_FOLDER =
  "The mailbox names no folder for spam, so that this may lie in one that we do not know as such.";

/** A mailbox that was not read says nothing: never that a mail is missing. */
async function endUnread(
  deps: Deps,
  mails: readonly PlacementMail[],
  token: string,
  error: unknown,
): Promise<void> {
  const isKnown = error instanceof InboxError;
  deps.log.error("placement_look_failed", {
    seed_alias_id: mails[0]!.seedAliasId,
    ...(isKnown ? { stage: error.stage, fault: error.fault } : describeError(error)),
  });
  const now = deps.clock.now();
  const note = (isKnown ? error.message : "The mailbox could not be looked into.").slice(0, 500);
  for (const { id, lookUntil } of mails) {
    const isOver = (isKnown && error.fault === "account") || now >= lookUntil;
    const set = isOver
      ? { state: "unreadable" as const, note, endedAt: now }
      : { dueAt: nextLookAt(lookUntil, now) };
    await endPlacementLook(deps.db, { id, token }, set);
  }
}
