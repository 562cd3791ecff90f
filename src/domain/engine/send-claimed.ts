import type { ClaimedSend, LaneTrouble, SendOutcome, Standing } from "#db/engine.ts";
import { describeError } from "#src/platform/log.ts";
import { isArguable } from "./blame.ts";
import type { PreparedAction } from "./channel.ts";
import { createFlight } from "./flight.ts";
import { answerOf, outcomeOf } from "./outcome.ts";
import { createRecorder } from "./recorder.ts";
import { createTargetBreaker } from "./target-breaker.ts";
import type { Engine } from "./tick.ts";
import { type LoadedSend, loadSends } from "./load-sends.ts";

/** A send that has not ended by then has lost its worker (RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes). */
const TRANSMIT_LEASE_MS = 11 * 60_000;

export interface SendCounts {
  accepted: number;
  refused: number;
  unfinished: number;
  /** How long there was something to do but wait for a slot. */
  busyMs: number;
}

export const NOTHING_SENT: Readonly<SendCounts> = {
  accepted: 0,
  refused: 0,
  unfinished: 0,
  busyMs: 0,
};

export function addCounts(total: SendCounts, more: SendCounts): void {
  for (const name of Object.keys(NOTHING_SENT) as (keyof SendCounts)[]) total[name] += more[name];
}

/**
 * Sends in slot order, as many at once as there are connections: a worker that
 * dies strands at most that many. A connection that is free takes the next send,
 * so nothing waits behind a slow one.
 */
export async function sendClaimed(
  engine: Engine,
  workerToken: string,
  claimed: ClaimedSend[],
  deadline: Date,
  bounced: Set<string>,
): Promise<SendCounts> {
  const { clock, settings } = engine;
  const loaded = await loadSends(engine.channels, claimed);
  const accountOf = ({ id }: ClaimedSend) => loaded.get(id)?.account ?? "";
  const breaker = createTargetBreaker();
  const recorder = createRecorder(engine, workerToken);
  const flight = createFlight<SendOutcome>(clock, settings.connections);
  const counts = { ...NOTHING_SENT };
  const startedAt = clock.now().getTime();
  let idleMs = 0;
  let queue = claimed;

  /** Letters that wait for their begin. */
  const written = new Map<string, ReturnType<typeof prepareOne>>();
  function write(sends: ClaimedSend[], now: Date): void {
    for (const send of sends)
      if (!written.has(send.id))
        written.set(send.id, prepareOne(engine, send, loaded.get(send.id), now));
  }
  /** What comes next, so that a connection that becomes free does not wait for it. */
  const writeAhead = (now: Date) =>
    write(
      queue.slice(0, settings.connections).filter(({ beginsAt }) => beginsAt <= now),
      now,
    );

  /** Prepares what is due, has it begun, and hands it over. */
  async function launch(due: ClaimedSend[], now: Date): Promise<void> {
    const ready: { send: ClaimedSend; of: LoadedSend; prepared: PreparedAction }[] = [];
    write(due, now);
    for (const send of due) {
      const of = loaded.get(send.id);
      const letter = written.get(send.id)!;
      // Nobody else keeps it: of a large batch no more letters are in memory than are under way.
      written.delete(send.id);
      const prepared = (of && breaker.waitFor(send.id, of.target, now)) ?? (await letter);
      if ("kind" in prepared) recorder.ended({ ...prepared, id: send.id });
      else ready.push({ send, of: of!, prepared });
    }
    const leaseUntil = new Date(now.getTime() + TRANSMIT_LEASE_MS);
    const asked = recorder.begin(
      ready.map(({ send, prepared }) => ({ id: send.id, leaseUntil, ...prepared.record })),
    );
    // While the database is at it.
    writeAhead(now);
    const begun = await asked;
    const allowed = new Set(begun.filter((answer) => answer.begun).map(({ id }) => id));
    counts.refused += due.length - allowed.size;
    flight.start(
      ready
        .filter(({ send }) => allowed.has(send.id))
        .map(({ send, of, prepared }) => ({
          account: of.account,
          work: () => perform(send, of, prepared),
        })),
    );
  }

  async function perform(
    send: ClaimedSend,
    { channel, context, target }: LoadedSend,
    { ready }: PreparedAction,
  ): Promise<SendOutcome> {
    const result = await answerOf(() => channel.perform(ready));
    breaker.note(target, result);
    if (result.state === "accepted") counts.accepted++;
    const asked = isArguable(result) ? await askStanding(engine, send.id) : {};
    const outcome = outcomeOf(context, result, {
      now: clock.now(),
      slotAt: send.slotAt,
      ...asked,
    });
    if (outcome.kind === "rejected" && outcome.scope === "recipient") bounced.add(send.campaignId);
    return outcome;
  }

  for (;;) {
    recorder.ended(...flight.landed());
    const now = clock.now();
    const isOver = now > deadline || queue.length === 0;
    if (isOver && flight.isEmpty()) break;
    const due = isOver ? [] : takeDue(queue, now, flight, accountOf);
    if (due.length > 0) {
      queue = queue.filter((send) => !due.includes(send));
      await launch(due, now);
      continue;
    }
    // What ended is recorded before the wait, not after it.
    await recorder.flush();
    const isIdle = flight.isEmpty();
    const waitsFrom = clock.now().getTime();
    await flight.wait(isOver ? null : nextSlot(queue, now, flight));
    if (isIdle) idleMs += clock.now().getTime() - waitsFrom;
  }
  counts.busyMs = clock.now().getTime() - startedAt - idleMs;
  counts.unfinished = queue.length;
  const reason = "The tick ran out of time; put back.";
  recorder.ended(...queue.map(({ id }) => ({ id, kind: "released" as const, reason })));
  await recorder.flush();
  return counts;
}

/** Without an answer the refusal is put down to nobody. */
async function askStanding(
  { store, log }: Engine,
  sendId: string,
): Promise<{ standing?: Standing }> {
  try {
    return { standing: await store.standingOf(sendId) };
  } catch (error) {
    log.error("standing_unanswered", { send_id: sendId, ...describeError(error) });
    return {};
  }
}

/** What stands against preparing a send ends it for now; otherwise it is ready to begin. */
async function prepareOne(
  { log }: Engine,
  send: ClaimedSend,
  of: LoadedSend | undefined,
  now: Date,
): Promise<PreparedAction | Unready> {
  if (of === undefined)
    return {
      kind: "render_failed",
      reason: "The lead, sender or step of this send no longer exists.",
      skip: false,
    };
  try {
    const prepared = await of.channel.prepare(of.context, now);
    if (prepared.ok) return prepared;
    if ("waits" in prepared) {
      const { waits: hold, reason, approvedAt } = prepared;
      return { kind: "held", hold, reason, approvedAt };
    }
    const { reason, skip } = prepared;
    if (prepared.isOfSender === true) return goesBack(now, "broken", reason);
    return { kind: "render_failed", reason, skip };
  } catch (error) {
    // Its text could be written: what is at fault is the vault that keeps account and keys.
    const who = { send_id: send.id, lane_id: send.laneId };
    log.error("account_unusable", { ...who, ...describeError(error) });
    return goesBack(
      now,
      "sealed",
      "The account of this sender could not be opened; nothing is lost, it is tried again.",
    );
  }
}

const goesBack = (retryAt: Date, lane: LaneTrouble, reason: string) => ({
  kind: "retry" as const,
  reason,
  retryAt,
  attemptSpent: false,
  lane,
});

type Unready = WithoutId<Extract<SendOutcome, { kind: "render_failed" | "retry" | "held" }>>;
type WithoutId<Outcome> = Outcome extends unknown ? Omit<Outcome, "id"> : never;

type Accounts = (send: ClaimedSend) => string;
type Places = ReturnType<typeof createFlight>;

/**
 * What is due and has a place. While other accounts have something to send, one
 * holds no more than half of the places, so that a relay which answers late keeps
 * no other tenant's messages waiting.
 */
function takeDue(queue: ClaimedSend[], now: Date, flight: Places, accountOf: Accounts) {
  const share = new Set(queue.map(accountOf)).size > 1 ? flight.half : flight.places;
  const taken = new Map<string, number>();
  const due: ClaimedSend[] = [];
  for (const send of queue) {
    if (send.beginsAt > now || due.length === flight.free()) break;
    const account = accountOf(send);
    const holds = taken.get(account) ?? flight.heldBy(account);
    if (holds >= share) continue;
    taken.set(account, holds + 1);
    due.push(send);
  }
  return due;
}

/** When something more falls due, if there is a place for it; null to wait for a place. */
function nextSlot(queue: ClaimedSend[], now: Date, flight: Places): Date | null {
  if (flight.free() === 0) return null;
  return queue.find(({ beginsAt }) => beginsAt > now)?.beginsAt ?? null;
}
