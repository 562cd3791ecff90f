import type { BeginSend, ClaimedSend, SendContext, SendOutcome, SendStore } from "#db/engine.ts";
import type { Clock } from "#src/platform/index.ts";
import type { Log } from "#src/platform/log.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import { createDomainBreaker } from "./domain-breaker.ts";
import { answerOf, outcomeOf } from "./outcome.ts";
import { wholeSecond } from "./window.ts";
import { ASSUME_SENT_AFTER_MS, keepUp } from "./upkeep.ts";

/** What a tick works with; the simulation brings its own. */
export interface Engine {
  store: SendStore;
  clock: Clock;
  mailer: Mailer;
  log: Log;
  newToken(): string;
  settings: { batch: number; periodSeconds: number; connections: number };
}

/** Writes and hands over messages. One per tick: its connections belong to the invocation. */
export interface Mailer {
  /** Renders and signs; never sends. */
  prepare(context: SendContext, now: Date): Promise<PreparedSend | RefusedSend>;
  send(prepared: PreparedSend): Promise<SendResult>;
  close(): Promise<void>;
}

export interface PreparedSend {
  ok: true;
  context: SendContext;
  begin: Omit<BeginSend, "id" | "leaseUntil">;
  message: unknown;
}

export interface RefusedSend {
  ok: false;
  /** In words, for the lead's record. */
  reason: string;
  /** The lead is skipped (its own data lacks something); otherwise it has failed. */
  skip: boolean;
}

export interface TickReport {
  claimed: number;
  accepted: number;
  refused: number;
  unfinished: number;
  completedCampaigns: number;
  /** It found something to do: what it noted of the future may be overtaken by a tick beside it. */
  busy: boolean;
  /** Campaigns of which a recipient was refused for good. */
  bouncedCampaigns: string[];
  /** When a tick next has something to do; null while nothing is under way. */
  nextWakeAt: Date | null;
}

/** A claimed send may wait this long past its slot for its begin. */
const CLAIM_LEASE_SECONDS = 180;
/** A send that has not ended by then has lost its worker (RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes). */
const TRANSMIT_LEASE_MS = 11 * 60_000;
/** No send begins later than this after the last slot of the tick's period; what is left goes back. */
const GRACE_MS = 25_000;

/**
 * One run of the engine: settle what earlier runs left, claim the due lanes of
 * the coming period, send each at its own slot. Safe to repeat, to overlap and to
 * lose: a claim that dies goes back after its lease, a message that was being
 * handed over becomes `unknown` and is never sent again by itself.
 */
export async function tick(engine: Engine): Promise<TickReport> {
  const { store, clock, settings } = engine;
  // To the second: what is due at an instant does not depend on how fast the queue was, and a forecast can be exact.
  const startedAt = wholeSecond(clock.now());
  const until = new Date(startedAt.getTime() + settings.periodSeconds * 1000);
  const touched = new Set<string>();

  await keepUp(store, startedAt, until, touched);
  const run = await sendPeriod(engine, startedAt, until, touched);
  const completed = await store.complete(clock.now(), [...touched]);
  await store.noteTick(startedAt);
  const nextWakeAt = await store.nextWakeAt(ASSUME_SENT_AFTER_MS);
  return { ...run, completedCampaigns: completed.length, busy: touched.size > 0, nextWakeAt };
}

/**
 * Claims and sends what falls due within the period. A lane does one action per
 * claim and 60 s is the shortest gap of a campaign, so a longer period needs
 * another claim, until one finds nothing.
 */
async function sendPeriod(engine: Engine, startedAt: Date, until: Date, touched: Set<string>) {
  const { store, clock, settings } = engine;
  const workerToken = engine.newToken();
  const deadline = new Date(until.getTime() + GRACE_MS);
  const rounds = Math.ceil(settings.periodSeconds / SHORTEST_GAP_SECONDS);
  const bounced = new Set<string>();
  const total = { claimed: 0, accepted: 0, refused: 0, unfinished: 0 };
  for (let round = 0; round < rounds; round++) {
    const claimed = await store.claim({
      now: round === 0 ? startedAt : wholeSecond(clock.now()),
      until,
      limit: settings.batch,
      workerToken,
      leaseSeconds: CLAIM_LEASE_SECONDS,
    });
    for (const { campaignId } of claimed) touched.add(campaignId);
    if (claimed.length === 0) break;
    const counts = await sendAll(engine, workerToken, claimed, deadline, bounced);
    total.claimed += claimed.length;
    total.accepted += counts.accepted;
    total.refused += counts.refused;
    total.unfinished += counts.unfinished;
  }
  return { ...total, bouncedCampaigns: [...bounced] };
}

const SHORTEST_GAP_SECONDS = 60;

/** Sends in slot order, as many at once as there are connections: a worker that dies strands at most that many. */
async function sendAll(
  engine: Engine,
  workerToken: string,
  claimed: ClaimedSend[],
  deadline: Date,
  bounced: Set<string>,
) {
  const { store, clock, mailer, settings } = engine;
  const contexts = new Map(
    (await store.load(claimed.map(({ id }) => id))).map((context) => [context.sendId, context]),
  );
  const slots = new Map(claimed.map(({ id, slotAt }) => [id, slotAt]));
  const breaker = createDomainBreaker();
  const queue = [...claimed];
  const counts = { accepted: 0, refused: 0, unfinished: 0 };
  let outcomes: SendOutcome[] = [];
  const flush = async () => {
    if (outcomes.length > 0) await store.settle(clock.now(), workerToken, outcomes, []);
    outcomes = [];
  };

  while (queue.length > 0) {
    if (queue[0]!.slotAt > clock.now()) {
      // What just ended is recorded before the wait, not after it.
      await flush();
      await clock.sleepUntil(queue[0]!.slotAt);
    }
    const now = clock.now();
    if (now > deadline) break;
    const due = takeDue(queue, now, settings.connections);
    const prepared: PreparedSend[] = [];
    for (const { id } of due) {
      const context = contexts.get(id);
      const wait = context && breaker.waitFor(context, now);
      if (wait) {
        outcomes.push(wait);
        continue;
      }
      const ready = await prepareOne(engine, context, now);
      if (ready.ok) prepared.push(ready);
      else outcomes.push({ id, kind: "render_failed", reason: ready.reason, skip: ready.skip });
    }
    const leaseUntil = new Date(now.getTime() + TRANSMIT_LEASE_MS);
    const begin = prepared.map((send) => ({ id: send.context.sendId, leaseUntil, ...send.begin }));
    const begun = await store.settle(now, workerToken, outcomes, begin);
    const allowed = new Set(begun.filter((answer) => answer.begun).map(({ id }) => id));
    counts.refused += due.length - allowed.size;
    const sending = prepared.filter(({ context }) => allowed.has(context.sendId));
    outcomes = await Promise.all(
      sending.map(async (send) => {
        const result = await answerOf(() => mailer.send(send));
        breaker.note(send.context, result);
        if (result.state === "rejected" && result.scope === "recipient")
          bounced.add(send.context.campaign.id);
        return outcomeOf(send.context, result, {
          now: clock.now(),
          slotAt: slots.get(send.context.sendId)!,
        });
      }),
    );
    counts.accepted += outcomes.filter(({ kind }) => kind === "accepted").length;
  }
  counts.unfinished = queue.length;
  for (const { id } of queue)
    outcomes.push({ id, kind: "released", reason: "The tick ran out of time; put back." });
  await flush();
  return counts;
}

function takeDue(queue: ClaimedSend[], now: Date, limit: number): ClaimedSend[] {
  const count = queue.findIndex(({ slotAt }, index) => slotAt > now || index === limit);
  return queue.splice(0, count === -1 ? queue.length : count);
}

/** A message that cannot be written fails its own lead, never the batch. */
async function prepareOne(
  engine: Engine,
  context: SendContext | undefined,
  now: Date,
): Promise<PreparedSend | RefusedSend> {
  if (context === undefined)
    return {
      ok: false,
      reason: "The lead, sender or step of this send no longer exists.",
      skip: false,
    };
  try {
    return await engine.mailer.prepare(context, now);
  } catch (error) {
    engine.log.error("render_failed", {
      send_id: context.sendId,
      error: String(error).slice(0, 300),
    });
    return {
      ok: false,
      reason: `The message could not be written: ${String(error).slice(0, 300)}`,
      skip: false,
    };
  }
}
