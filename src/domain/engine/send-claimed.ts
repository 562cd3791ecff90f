import type { ClaimedSend, SendOutcome } from "#db/engine/index.ts";
import { describeError } from "#src/platform/log.ts";
import { retryRead } from "./retry-read.ts";
import { createConnections } from "./connections.ts";
import { createLauncher, type Launched, type WaitingSend } from "./launch.ts";
import { loadAttempts, loadSends } from "./load-sends.ts";
import { createPace, remembered } from "./pace.ts";
import { assignConnections, type ShutOut } from "./assign-connections.ts";
import { createRecorder } from "./outcome-writer.ts";
import type { Engine } from "./tick.ts";
import { orderByWait, planRests, SHUT_OUT } from "./late-senders.ts";

export interface SendCounts extends Launched {
  /** Claimed, and put back: out of time, or shut out by servers that answer late. */
  unfinished: number;
  /** How long there was something to do but wait for a slot, or for answers that are late. */
  busyMs: number;
}

export function addCounts(total: SendCounts, more: SendCounts): void {
  for (const name of Object.keys(total) as (keyof SendCounts)[]) total[name] += more[name];
}

/** What a claim brought. */
export interface Batch {
  sends: ClaimedSend[];
  /** The claim took as many sends as it could, so that more may be due. */
  isFull: boolean;
  /** No more sends are due, or the run has used up its allowance. */
  isLast: boolean;
}

export interface Sending {
  workerToken: string;
  /** No send begins later. */
  deadline: Date;
  /** When the next run comes. */
  nextRun: Date;
  /** Campaigns with a recipient refused for good. */
  bounced: Set<string>;
  /** Claims what comes next, told how many were handed over so far, and how many may be yet. */
  claim(handedOver: number, waiting: number): Promise<Batch>;
}

/** So many claimed sends wait at most while those before them show how fast their servers are. */
const MOST_WAITING = 400;

/** Sends put back this long before the next run are there for its first claim. */
const BEFORE_NEXT_RUN_MS = 2_000;

const NOWHERE = { workspaceId: "", host: "", account: "" };

/**
 * Claims, and sends in slot order, as many at once as there are connections: a worker that
 * dies strands at most that many. A free connection takes the next send that may have it
 * (places.ts). While answers are late the run goes on with other due sends, and puts those
 * that late servers shut out back (turns.ts), so that no send waits behind a slow server.
 */
export async function sendClaimed(
  engine: Engine,
  { workerToken, deadline, nextRun, bounced, claim }: Sending,
): Promise<SendCounts> {
  const { clock, settings, store, log } = engine;
  const recorder = createRecorder(engine, workerToken);
  const connections = createConnections<SendOutcome>(clock, settings.connections);
  const paces = createPace();
  const launcher = createLauncher(engine, { recorder, connections, paces, bounced });
  const startedAt = clock.now().getTime();
  let idleMs = 0;
  let unfinished = 0;
  /** Shut out at one time. */
  let most = 0;
  let queue: WaitingSend[] = [];
  let last: Omit<Batch, "sends"> = { isFull: true, isLast: false };

  const lastBegunAt = new Map<string, number>();
  const noteBegin = (laneId: string, at: Date) =>
    lastBegunAt.set(laneId, Math.max(lastBegunAt.get(laneId) ?? 0, at.getTime()));

  async function refill(): Promise<void> {
    const { sends, ...batch } = await claim(launcher.counts.handedOver, queue.length);
    last = batch;
    const now = clock.now();
    // A worker that gave up here would leave its claims as one does that ended over a message.
    const [loaded, attempts] = await retryRead(clock, () =>
      Promise.all([loadSends(engine.channels, sends), loadAttempts(engine.channels, sends, now)]),
    );
    for (const attempt of attempts) {
      paces.note(attempt, now);
      noteBegin(attempt.laneId, attempt.begunAt);
    }
    for (const send of sends) {
      const of = loaded.get(send.id);
      queue.push({ ...send, of, route: of?.route ?? NOWHERE });
    }
    queue.sort((a, b) => a.beginsAt.getTime() - b.beginsAt.getTime());
  }

  function drop(gone: readonly WaitingSend[]): void {
    const ids = new Set(gone.map(({ id }) => id));
    queue = queue.filter(({ id }) => !ids.has(id));
  }

  /** `before`: so many wait on. */
  async function putBack(
    shutOut: ShutOut<WaitingSend>[],
    before: number,
    now: Date,
  ): Promise<void> {
    const sends = shutOut.map(({ send }) => send);
    drop(sends);
    launcher.forget(sends);
    unfinished += sends.length;
    const waiting = shutOut.map(({ send: { laneId, route }, behind }) => ({
      laneId,
      pace: paces.of(route),
      behind,
    }));
    const hasRoom = connections.free() > 0;
    const turns = planRests(waiting, { now, nextRun, before, most, hasRoom });
    try {
      await store.rest(now, turns, SHUT_OUT);
    } catch (error) {
      // Without their rest the lanes are due at once, and the next claim would take them again.
      log.error("turns_unanswered", describeError(error));
      last = { isFull: false, isLast: true };
    }
    recorder.ended(...sends.map(({ id }) => ({ id, kind: "released" as const, reason: SHUT_OUT })));
    await recorder.flush();
  }

  /** Sends that are due or come later, and are not shut out. */
  let open: WaitingSend[] = [];
  /** Whether all open sends are due and wait for a connection. */
  const isStuck = (now: Date): boolean => open.every(({ beginsAt }) => beginsAt <= now);

  function mayClaim(now: Date): boolean {
    if (last.isLast || connections.free() === 0 || !isStuck(now)) return false;
    if (connections.isEmpty()) return true;
    if (!last.isFull || queue.length >= MOST_WAITING) return false;
    return queue.length > 0 || connections.held().every(({ isLate }) => isLate);
  }

  /** A few that are shut out stay, for places that become free after all, until the next run can have them. */
  const staysUntil = new Date(nextRun.getTime() - BEFORE_NEXT_RUN_MS);
  const staying = (now: Date): number => (now < staysUntil ? settings.connections : 0);

  /** When something more can be done than record what ends; null for never. */
  function nextInstant(now: Date): Date | null {
    const slotAt = open.find(({ beginsAt }) => beginsAt > now)?.beginsAt ?? null;
    const isBlocked = open.some(({ beginsAt }) => beginsAt <= now);
    const waitsForLate = isBlocked || (last.isFull && !last.isLast && isStuck(now));
    const instants = [
      connections.free() === 0 ? null : slotAt,
      waitsForLate ? connections.nextLateAt() : null,
      open.length < queue.length ? staysUntil : null,
    ].filter((at) => at !== null && at > now);
    return instants.length === 0 ? null : new Date(Math.min(...instants.map(Number)));
  }

  /** A wait that no prompt answer ended was for a slot or a late server: it counts as idle, and not in the run's speed. */
  async function wait(until: Date | null): Promise<void> {
    const from = clock.now().getTime();
    const before = launcher.promptAnswers();
    await connections.wait(until);
    if (launcher.promptAnswers() === before) idleMs += clock.now().getTime() - from;
  }

  for (;;) {
    recorder.ended(...connections.completed());
    const now = clock.now();
    const held = connections.held();
    for (const one of held) if (one.isLate) paces.note({ ...one, endedAt: null }, now);
    const isOver = now > deadline;
    const { connections: places, batch } = settings;
    const hasMore = last.isFull && !last.isLast;
    const paceOf = remembered(paces.of);
    const waiting = orderByWait(queue, paceOf, lastBegunAt);
    const dealt = assignConnections(waiting, held, { places, paceOf, hasMore, now });
    if (!isOver && dealt.due.length > 0) {
      drop(dealt.due);
      for (const { laneId } of dealt.due) noteBegin(laneId, now);
      await launcher.launch(dealt.due, queue, now);
      continue;
    }
    most = Math.max(most, dealt.shutOut.length);
    const shutOut = new Set(dealt.shutOut.map(({ send }) => send));
    open = queue.filter((send) => !shutOut.has(send));
    // What ended is recorded before the next claim or wait, not after it.
    await recorder.flush();
    if (connections.hasCompleted()) continue;
    if (!isOver && mayClaim(now)) await refill();
    else if (!isOver && shutOut.size > staying(now))
      await putBack(dealt.shutOut.slice(staying(now)).slice(0, batch), staying(now), now);
    else if (connections.isEmpty() && (isOver || queue.length === 0)) break;
    else await wait(isOver ? null : nextInstant(now));
  }
  const busyMs = clock.now().getTime() - startedAt - idleMs;
  const reason = "The tick ran out of time; put back.";
  recorder.ended(...queue.map(({ id }) => ({ id, kind: "released" as const, reason })));
  await recorder.flush();
  return { ...launcher.counts, unfinished: unfinished + queue.length, busyMs };
}
