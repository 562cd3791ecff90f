import type { Attempt } from "#db/workspace/webhooks/rounds.ts";
import type { EventPlace } from "#db/workspace/events/feed.ts";
import type { WebhookRow, WebhookSet } from "#db/workspace/webhooks/webhooks.ts";
import type { ToldEvent } from "#src/domain/workspace/events/read.ts";
import type { WebhookOutcome } from "#src/providers/webhooks/index.ts";
import { DISABLED_AFTER_MS, LONGEST_WAIT_MS, nextAttemptAt, restUntil } from "./schedule.ts";

/** As many connections as a Worker has at once. */
const AT_ONCE = 6;

/** So many events that fail, one after the other, and the receiver is down: one may be at fault itself. */
export const TRIED_ALONE = 2;

/** An event to be sent: a new one, or one that has a delivery. */
export interface Candidate {
  event: ToldEvent;
  place: EventPlace;
  delivery: { id: string; attempts: number } | null;
}

/** What a round tries and how. */
export interface RoundOrder {
  /** Deliveries whose turn it is, and events behind the receiver's place, in order. */
  again: readonly Candidate[];
  fresh: readonly Candidate[];
  attempt(candidate: Candidate): Promise<WebhookOutcome>;
  newId(): string;
  now(): Date;
  /** Nothing is begun from then on. */
  until: number;
}

export interface RoundResult {
  attempts: Attempt[];
  delivered: number;
  failed: number;
  /** How many of the new events were tried, the first ones. */
  triedFresh: number;
  /** Whether all were tried that were there. */
  isDone: boolean;
  /** Asked for by the receiver, in seconds. */
  patience: number | null;
  isGone: boolean;
}

export const isTaken = (outcome: WebhookOutcome): boolean =>
  outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;

/**
 * One attempt alone, of what is tried again, and where it fails another one, of what is new, so that an event which its
 * receiver refuses holds up no other. Where either got through, the rest follows, a few at a time, until all of a few fail.
 */
export async function sendRound(order: RoundOrder): Promise<RoundResult> {
  const { again, fresh } = order;
  const result: RoundResult = {
    attempts: [],
    delivered: 0,
    failed: 0,
    triedFresh: 0,
    isDone: false,
    patience: null,
    isGone: false,
  };
  const rest = [...again.slice(0, 1), ...fresh.slice(0, 1), ...again.slice(1), ...fresh.slice(1)];
  for (let tried = 0; rest.length > 0; tried++) {
    const isAlone = result.delivered === 0;
    if (isAlone && tried === TRIED_ALONE) return result;
    const row = rest.splice(0, isAlone ? 1 : AT_ONCE);
    const outcomes = await Promise.all(row.map((candidate) => order.attempt(candidate)));
    for (const [index, outcome] of outcomes.entries()) note(order, result, row[index]!, outcome);
    if (result.isGone || result.patience !== null) break;
    if (!isAlone && !outcomes.some(isTaken)) break;
    if (order.now().getTime() >= order.until) break;
  }
  result.isDone = rest.length === 0;
  return result;
}

function note(
  { newId, now }: RoundOrder,
  result: RoundResult,
  { event, place, delivery }: Candidate,
  outcome: WebhookOutcome,
): void {
  if (delivery === null) result.triedFresh++;
  const attempts = (delivery?.attempts ?? 0) + 1;
  const known = { eventId: event.id, type: event.type, place, attempts, ...saidBy(outcome) };
  if (isTaken(outcome)) {
    result.delivered++;
    // Of one that got through at once there is nothing to keep.
    if (delivery !== null)
      result.attempts.push({
        ...known,
        id: delivery.id,
        isNew: false,
        state: "delivered",
        nextAt: null,
        error: null,
      });
    return;
  }
  result.failed++;
  if (outcome.kind === "answered") {
    result.isGone ||= outcome.status === 410;
    if (outcome.retryAfterSeconds !== null && [429, 502, 503, 504].includes(outcome.status))
      result.patience = Math.max(result.patience ?? 0, outcome.retryAfterSeconds);
  }
  const nextAt = nextAttemptAt(attempts, now());
  result.attempts.push({
    ...known,
    id: delivery?.id ?? newId(),
    isNew: delivery === null,
    state: nextAt === null ? "dead" : "waiting",
    nextAt,
  });
}

const saidBy = (outcome: WebhookOutcome) =>
  outcome.kind === "failed"
    ? { status: null, error: outcome.error }
    : { status: outcome.status, error: outcome.answer };

/** Whether a receiver is down in which these failed since its last success: one event may fail however often. */
export const isDown = (eventIds: readonly string[]): boolean =>
  new Set(eventIds).size >= TRIED_ALONE;

/** What the round makes of its receiver, in which `failedBefore` failed since its last success. */
export function receiverAfter(
  { failingSince, dueAt }: Pick<WebhookRow, "failingSince" | "dueAt">,
  { attempts, delivered, failed, patience, isGone }: RoundResult,
  failedBefore: readonly string[],
  now: Date,
): WebhookSet {
  if (isGone) return { status: "disabled", disabledReason: "gone" };
  if (delivered > 0)
    return {
      failingSince: null,
      lastSuccessAt: now,
      dueAt: patience === null ? now : restUntil(now, patience, now),
    };
  if (failed === 0) return {};
  // For longer than any event waits it could have been tried and was not: there was nothing to send.
  const wasQuiet = now.getTime() - dueAt.getTime() > LONGEST_WAIT_MS;
  const since = wasQuiet ? now : (failingSince ?? now);
  if (now.getTime() - since.getTime() >= DISABLED_AFTER_MS)
    return { status: "disabled", disabledReason: "failing" };
  if (!isDown([...failedBefore, ...attempts.map(({ eventId }) => eventId)]))
    return { failingSince: since, dueAt: restUntil(now, patience, now) };
  const next = attempts.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt.getTime()]));
  const nextAt = next.length === 0 ? null : new Date(Math.min(...next));
  return { failingSince: since, dueAt: restUntil(nextAt, patience, now) };
}
