import type { QueueInputs, SenderInputs } from "#db/engine/sending-inputs.ts";
import { NOTES_HOLD } from "#db/schema/index.ts";
import { because, type Reason } from "./reason.ts";

/** What the leads of a running campaign wait for that are not due, each cause with how many of them. */
export function waitingReasons(
  queue: QueueInputs,
  senders: readonly SenderInputs[],
  hasDue: boolean,
): Reason[] {
  const reasons = [...(hasDue ? [] : nothingDue(queue)), ...heldReasons(queue, senders)];
  return reasons.length > 0 || hasDue
    ? reasons
    : [because("nothing_left", "No lead is left to send to.")];
}

function nothingDue({ waiting, inFlight, nextDueAt }: QueueInputs): Reason[] {
  const reasons: Reason[] = [];
  if (waiting > 0)
    reasons.push(
      because(
        "nothing_due",
        waiting === 1
          ? "No lead's next step is due yet; one waits for its day."
          : `No lead's next step is due yet; ${waiting} wait for their days.`,
        nextDueAt,
      ),
    );
  if (inFlight > 0)
    reasons.push(
      because(
        "in_flight",
        inFlight === 1 ? "One message is on its way." : `${inFlight} messages are on their way.`,
      ),
    );
  return reasons;
}

function heldReasons(queue: QueueInputs, senders: readonly SenderInputs[]): Reason[] {
  const { held, awaitingDraft, awaitingReview, awaitingAcceptance, awaitingNotes } = queue;
  const others = held - awaitingDraft - awaitingReview - awaitingAcceptance - awaitingNotes;
  const groups: [number, string, (count: number) => string, (Date | null)?][] = [
    [awaitingReview, "personalization_review_pending", reviewWords],
    [awaitingDraft, "awaiting_draft", draftWords],
    [awaitingAcceptance, "awaiting_acceptance", acceptanceWords],
    [awaitingNotes, NOTES_HOLD, (count) => notesWords(count, senders), queue.notesUntil],
    [others, "leads_held", heldWords],
  ];
  return groups
    .filter(([count]) => count > 0)
    .map(([count, code, words, until]) => because(code, words(count), until ?? null));
}

const heldWords = (count: number) =>
  count === 1 ? "One lead is held." : `${count} leads are held.`;

const reviewWords = (count: number) =>
  count === 1
    ? "One lead waits for somebody to approve its draft."
    : `${count} leads wait for somebody to approve their drafts.`;

const draftWords = (count: number) =>
  count === 1 ? "One lead waits for its draft." : `${count} leads wait for their drafts.`;

const acceptanceWords = (count: number) =>
  count === 1
    ? "One lead has not accepted its invitation yet."
    : `${count} leads have not accepted their invitations yet.`;

function notesWords(count: number, senders: readonly SenderInputs[]): string {
  const account = senders.find(({ account }) => account?.notesRefusal != null)?.account;
  const why = account == null ? "" : ` (${account.name}: ${account.notesRefusal})`;
  return count === 1
    ? `One lead waits for its account's notes${why}; with note_optional it goes without.`
    : `${count} leads wait for their account's notes${why}; with note_optional they go without.`;
}
