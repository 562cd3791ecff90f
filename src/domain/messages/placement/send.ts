import {
  beginPlacementMail,
  endPlacementSend,
  forgetSentLetter,
  leavePlacementMail,
  listQueuedMails,
  type PlacementBegin,
  type Seed,
} from "#db/messages/placement-delivery.ts";
import { findPlacementLetter, type PlacementMail } from "#db/messages/placement-tests.ts";
import type { PlacementLetter } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { wordsOf } from "#src/domain/engine/outcome.ts";
import { newClaim } from "#src/domain/job.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import { createHandOver, type HandOver, type ReadyMessage } from "../deliver.ts";
import { dayToBegin, findSender } from "../find-sender.ts";
import { withoutFinality } from "../mail-result.ts";
import { letterTo } from "./letter.ts";
import { firstLookAt, lookUntilFrom, SEND_LEASE_MS, sendAgainAt, waitsForRest } from "./times.ts";

/** Sends what is due to one seed, one mail after the other. Safe to repeat: at most once after DATA. */
export async function sendQueued(deps: Deps, seed: Seed): Promise<void> {
  const queued = await listQueuedMails(deps.db, seed, deps.clock.now());
  if (queued.length === 0) return;
  const letter = await findPlacementLetter(deps.db, seed.testId);
  if (letter === null) {
    const end = refused(NO_TEXT, deps.clock.now());
    for (const { id } of queued) await leavePlacementMail(deps.db, id, end);
    return;
  }
  const handOver = createHandOver(deps);
  try {
    for (const mail of queued) await sendOne(deps, handOver, mail, letter);
  } finally {
    await handOver.close();
  }
  await forgetSentLetter(deps.db, seed.testId);
}

async function sendOne(
  deps: Deps,
  handOver: HandOver,
  mail: PlacementMail,
  letter: PlacementLetter,
): Promise<void> {
  const { db, clock } = deps;
  const sender = await findSender(db, mail);
  if (sender === undefined) return leavePlacementMail(db, mail.id, refused(NO_ALIAS, clock.now()));
  const claim = newClaim(deps, SEND_LEASE_MS);
  let ready: ReadyMessage;
  try {
    ready = await handOver.prepare(sender, letterTo(sender, letter, mail, claim.now));
  } catch (error) {
    const reason = String(error).slice(0, 300);
    const why = `The message could not be written: ${reason}`;
    return leavePlacementMail(db, mail.id, refused(why, claim.now));
  }
  const day = dayToBegin(sender.alias, claim.now);
  const { verdict, restsUntil } = await beginPlacementMail(db, mail, { ...claim, day });
  if (verdict === "taken") return;
  if (verdict !== "begun")
    return leavePlacementMail(db, mail.id, instead(verdict, restsUntil, claim.now));
  const result = withoutFinality(await handOver.perform(ready));
  const now = clock.now();
  const { keepsPlace, ...end } = endOf(mail, result, now);
  await endPlacementSend(db, mail, { token: claim.token, now }, end, keepsPlace);
}

const NO_TEXT = "What it was to say was erased.";
const NO_ALIAS = "The mail alias is gone.";
const refused = (note: string, endedAt: Date) => ({ state: "not_sent" as const, note, endedAt });

const WHY: Record<Exclude<PlacementBegin, "begun" | "taken">, string> = {
  suppressed: "The seed's address is suppressed; nothing is sent to it.",
  alias_not_ready: "The mail alias is not active any more.",
  used_up: "The mail alias has sent all that it may send today.",
  resting: "The mail alias rests, because its relay asked to be left alone.",
};

/** Caps and rests of an alias are its relay's: a test keeps to them, and waits for no day. */
const instead = (verdict: keyof typeof WHY, restsUntil: Date | null, now: Date) =>
  verdict === "resting" && restsUntil !== null && waitsForRest(restsUntil, now)
    ? { dueAt: restsUntil }
    : refused(WHY[verdict], now);

/** What a relay's answer means; what may have left is looked for. */
function endOf({ attempts }: PlacementMail, result: SendResult, now: Date) {
  const left = {
    state: "looking" as const,
    dueAt: firstLookAt(now),
    lookUntil: lookUntilFrom(now),
  };
  const words = wordsOf(result).slice(0, 500);
  switch (result.state) {
    case "accepted":
      return {
        ...left,
        sentAt: now,
        note: null,
        ...(result.messageId === undefined ? {} : { messageId: result.messageId }),
        keepsPlace: true,
      };
    case "unknown":
      return { ...left, note: words, keepsPlace: true };
    case "rejected":
      return { ...refused(words, now), keepsPlace: hasReachedEnd(result) };
    case "deferred": {
      const dueAt = result.accountError === undefined ? sendAgainAt(attempts, now) : null;
      const end =
        dueAt === null ? refused(words, now) : { state: "queued" as const, dueAt, note: words };
      return { ...end, keepsPlace: hasReachedEnd(result) };
    }
  }
}

/** Whether it went as far as its own recipient or content was judged behind DATA. */
const hasReachedEnd = (result: Extract<SendResult, { state: "rejected" | "deferred" }>): boolean =>
  result.stage === "final" && ["recipient", "message"].includes(result.scope);
