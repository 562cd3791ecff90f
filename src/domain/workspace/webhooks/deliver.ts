import { isFenced } from "#db/base/fence.ts";
import { type EventPlace, eventsAt, readEvents } from "#db/workspace/events/feed.ts";
import {
  type Attempt,
  claimReceiver,
  dueDeliveries,
  endRound,
  failedSince,
  nextDeliveryAt,
} from "#db/workspace/webhooks/rounds.ts";
import type { WebhookRow } from "#db/workspace/webhooks/webhooks.ts";
import type { Deps } from "#src/deps.ts";
import { newClaim } from "#src/domain/job.ts";
import { toldEvent, type ToldEvent } from "#src/domain/workspace/events/read.ts";
import type { WebhookOutcome } from "#src/providers/webhooks/index.ts";
import { noticesOf } from "./notices.ts";
import {
  type Candidate,
  isDown,
  receiverAfter,
  type RoundResult,
  sendRound,
  TRIED_ALONE,
} from "./round.ts";
import { openSecrets, typesToSend } from "./receiver.ts";
import { signedHeaders } from "./sign.ts";

/** A worker that holds a receiver for longer is dead: a round is over in less. */
const LEASE_MS = 3 * 60_000;
/** Nothing is begun from then on, with which a round of 15 s an attempt is over within a minute. */
const RUN_MS = 40_000;
const EVENTS_OF_ROUND = 100;
const DUE_OF_ROUND = 50;

export interface DeliveryRun {
  delivered: number;
  failed: number;
  /** When there is something to do that nothing else wakes; null where nothing waits. */
  nextAt: Date | null;
}

/**
 * Sends a receiver what it was not sent yet, in the feed's order but a few at a time, and what is to be tried again. Its
 * place and the deliveries of what failed are kept together after each round: a worker that dies has the round done again,
 * under the same ids, by which a receiver knows them. A receiver that is down keeps its place, so that nothing is lost
 * and nothing piles up.
 */
export async function deliverToReceiver(deps: Deps, id: string): Promise<DeliveryRun> {
  const run: DeliveryRun = { delivered: 0, failed: 0, nextAt: null };
  const until = deps.clock.now().getTime() + RUN_MS;
  for (;;) {
    const claim = newClaim(deps, LEASE_MS);
    const claimed = await claimReceiver(deps.db, id, claim);
    if (claimed.kind !== "claimed") return run;
    const { job: receiver } = claimed;
    const { result, failedBefore, hasMore, place } = await runRound(deps, receiver, until);
    run.delivered += result.delivered;
    run.failed += result.failed;
    const now = deps.clock.now();
    const set = receiverAfter(receiver, result, failedBefore, now);
    const recovered = isDown(failedBefore) && result.delivered > 0;
    let isAskedAgain: boolean;
    try {
      isAskedAgain = await endRound(deps.db, receiver, claim.token, {
        place,
        attempts: result.attempts,
        set,
        recovered,
        since: claim.now,
        notices: noticesOf(deps, receiver, set, now),
        now,
      });
    } catch (error) {
      // Its owner has stopped or deleted it meanwhile, or another worker has it.
      if (isFenced(error)) return run;
      throw error;
    }
    if (set.status === "disabled") return run;
    if (set.dueAt instanceof Date && set.dueAt > now)
      return { ...run, nextAt: isAskedAgain ? now : set.dueAt };
    if (!hasMore && !recovered) return { ...run, nextAt: await nextDeliveryAt(deps.db, id) };
    if (now.getTime() >= until) return { ...run, nextAt: now };
  }
}

async function runRound(
  deps: Deps,
  receiver: WebhookRow,
  until: number,
): Promise<{
  result: RoundResult;
  failedBefore: string[];
  place: EventPlace;
  hasMore: boolean;
}> {
  const { db, clock, ids } = deps;
  const { id, workspaceId, tx, seq } = receiver;
  const place = { tx, seq: String(seq) };
  const [due, failedBefore, page, secrets] = await Promise.all([
    dueDeliveries(db, id, clock.now(), DUE_OF_ROUND),
    failedSince(db, id, receiver.failingSince, TRIED_ALONE),
    readEvents(db, {
      workspaceId,
      after: place,
      types: typesToSend(receiver),
      campaignId: null,
      limit: EVENTS_OF_ROUND,
    }),
    openSecrets(deps, receiver),
  ]);
  const kept = due.length === 0 ? new Map() : await eventsAt(db, workspaceId, due);
  const forgotten: Attempt[] = [];
  const again = due.flatMap(({ id: delivery, eventId, attempts, ...at }): Candidate[] => {
    const event = kept.get(eventId);
    if (event !== undefined)
      return [{ event: toldEvent(event), place: at, delivery: { id: delivery, attempts } }];
    forgotten.push(endOfForgotten(delivery, eventId, at, attempts));
    return [];
  });
  const fresh = page.events.map((row): Candidate => {
    const at = { tx: row.tx, seq: row.seq };
    return { event: toldEvent(row), place: at, delivery: null };
  });
  const result = await sendRound({
    again,
    fresh,
    attempt: ({ event }) => sendEvent(deps, receiver.url, secrets, event),
    newId: () => ids.uuid(),
    now: () => clock.now(),
    until,
  });
  result.attempts.push(...forgotten);
  const isAllTried = result.triedFresh === fresh.length;
  return {
    result,
    failedBefore,
    place: isAllTried ? page.reached : (fresh[result.triedFresh - 1]?.place ?? place),
    hasMore: !result.isDone || page.hasMore || due.length === DUE_OF_ROUND,
  };
}

/** Its event is older than what is kept. */
const endOfForgotten = (
  id: string,
  eventId: string,
  place: EventPlace,
  attempts: number,
): Attempt => ({
  ...{ id, eventId, place, attempts, isNew: false, state: "dead", nextAt: null, status: null },
  type: "webhook.disabled",
  error: "The event is older than 30 days, and is not kept any more.",
});

/** As a receiver is told of it, once for all attempts. */
const bodyOf = ({ timestamp, ...event }: ToldEvent): string =>
  JSON.stringify({ ...event, timestamp: timestamp.toISOString() });

export async function sendEvent(
  { clock, webhooks }: Deps,
  url: string,
  secrets: readonly string[],
  event: Omit<ToldEvent, "type"> & { type: string },
): Promise<WebhookOutcome> {
  const body = bodyOf(event as ToldEvent);
  const headers = await signedHeaders(event.id, body, secrets, clock.now());
  return webhooks.post({ url, headers, body });
}
