import { type ClaimedSend, mayDayEnd, type SendStore } from "#db/engine/index.ts";
import type { Clock } from "#src/platform/index.ts";
import { describeError, type Log } from "#src/platform/log.ts";
import { createAllowance, type Limits } from "./allowance.ts";
import type { Channel } from "./channel.ts";
import { createRecorder } from "./outcome-writer.ts";
import { addCounts, type Batch, sendClaimed } from "./send-claimed.ts";
import { lookUpLost } from "./reconcile-unknown.ts";
import { wholeSecond } from "./window.ts";
import { ASSUME_SENT_AFTER_MS, maintain, rollOverDue } from "./upkeep.ts";

/** What a tick works with; the simulation brings its own. */
export interface Engine {
  store: SendStore;
  clock: Clock;
  /** One for each kind of lane; the store claims lanes of these kinds only. */
  channels: Channel[];
  log: Log;
  /** Sends what is claimed; where it is not given, by the channels. */
  send?: typeof sendClaimed;
  newToken(): string;
  settings: {
    /** Sends that are claimed at once. */
    batch: number;
    periodSeconds: number;
    connections: number;
    /** Limits of the whole run. */
    limits: Limits;
  };
}

export interface TickReport {
  claimed: number;
  accepted: number;
  refused: number;
  unfinished: number;
  completedCampaigns: number;
  /** The tick found work: its note of the next wake may be overtaken by a concurrent tick. */
  busy: boolean;
  /** Campaigns with a recipient refused for good. */
  bouncedCampaigns: string[];
  /** Draining campaigns with more leads to skip than one tick does. */
  drainedCampaigns: string[];
  /** When a tick next has work; null while no campaign is under way. */
  nextWakeAt: Date | null;
  /** Sends a second while some were due; null for too few to measure. */
  sendsPerSecond: number | null;
}

/** A claimed send may wait this long past its slot for its begin. */
const CLAIM_LEASE_SECONDS = 180;
/** No send begins later than this after the last slot of the tick's period; the rest goes back. */
const GRACE_MS = 25_000;

/**
 * One run of the engine: settle what earlier runs left, claim the due lanes of
 * the coming period, send each at its own slot. Safe to repeat, to overlap and to
 * lose: a claim that dies goes back after its lease, a message that was being
 * handed over becomes `unknown` and is never sent again by itself.
 */
export async function tick(engine: Engine): Promise<TickReport> {
  const { clock, settings } = engine;
  const allowance = createAllowance(engine.store, settings.limits);
  const { store } = allowance;
  // To the second: the sends due at an instant do not depend on the queue's speed, and a forecast can be exact.
  const startedAt = wholeSecond(clock.now());
  const until = new Date(startedAt.getTime() + settings.periodSeconds * 1000);
  const touched = new Set<string>();

  const period = {
    startedAt,
    until,
    hasMoreDays: await maintain(store, startedAt, until, touched),
  };
  const run = await sendPeriod({ ...engine, store }, allowance, period, touched);
  await lookUpLost({ ...engine, store }, touched);
  const finish = await store.complete(clock.now(), [...touched]);
  await store.recordTick(startedAt, run.sendsPerSecond);
  const nextWakeAt = await store.nextWakeAt(ASSUME_SENT_AFTER_MS);
  return {
    ...run,
    completedCampaigns: finish.completed.length,
    drainedCampaigns: finish.drained,
    busy: touched.size > 0,
    nextWakeAt,
  };
}

/**
 * Claims and sends what falls due within the period, until a claim finds nothing,
 * the period is over or the run has used what it may: a lane may act more than once
 * in it, and one whose claim was refused has its slot back. Suspects come last, each by
 * itself and marked so: a worker that dies over one takes no other send along, and its
 * death counts against that send alone.
 */
async function sendPeriod(
  engine: Engine,
  allowance: Allowance,
  { startedAt, until, hasMoreDays }: { startedAt: Date; until: Date; hasMoreDays: boolean },
  touched: Set<string>,
) {
  const { store, clock, settings } = engine;
  let mayRoll = hasMoreDays;
  const workerToken = engine.newToken();
  const deadline = new Date(until.getTime() + GRACE_MS);
  const bounced = new Set<string>();
  const suspects: ClaimedSend[] = [];
  let claimed = 0;
  let handedOverBefore = 0;
  let fruitless = 0;

  async function claim(handedOver: number, waiting: number): Promise<Batch> {
    const isFirst = claimed === 0;
    allowance.used(handedOver - handedOverBefore);
    if (!isFirst) fruitless = handedOver === handedOverBefore ? fruitless + 1 : 0;
    handedOverBefore = handedOver;
    const now = isFirst ? startedAt : wholeSecond(clock.now());
    const room = allowance.room();
    if (room === null || fruitless >= MAX_FRUITLESS || now > until) return NOTHING_LEFT;
    if (room <= waiting) return NOTHING_YET;
    // A slot further on may lie in the sender's next day.
    if (!isFirst && (mayRoll || mayDayEnd(startedAt, until)))
      mayRoll = await rollOverDue(store, now, until, touched);
    const limit = Math.min(settings.batch, room - waiting);
    const order = { now, until, limit, workerToken, leaseSeconds: CLAIM_LEASE_SECONDS };
    const all = await store.claim(order);
    for (const { campaignId } of all) touched.add(campaignId);
    claimed += all.length;
    suspects.push(...all.filter(isSuspect));
    const sends = all.filter((send) => !isSuspect(send));
    return { sends, isFull: all.length === limit, isLast: all.length === 0 };
  }

  /** Takes back a mark that the database did not confirm: this worker lives, and the message was not touched. */
  async function isolate({ id }: ClaimedSend): Promise<boolean> {
    try {
      return await store.isolate(workerToken, id);
    } catch (error) {
      engine.log.error("isolate_unanswered", { send_id: id, ...describeError(error) });
      const recorder = createRecorder(engine, workerToken);
      recorder.ended({ id, kind: "released", reason: "The database did not answer; put back." });
      await recorder.flush();
      return false;
    }
  }

  const sending = { workerToken, deadline, nextRun: until, bounced };
  const { send = sendClaimed } = engine;
  const total = await send(engine, { ...sending, claim });
  for (const suspect of suspects) {
    if (!(await isolate(suspect))) {
      total.refused++;
      continue;
    }
    addCounts(total, await send(engine, { ...sending, claim: onlyThat(suspect) }));
  }
  const { accepted, refused, unfinished, busyMs } = total;
  const sendsPerSecond = speedOf(claimed - refused - unfinished, busyMs);
  return { claimed, accepted, refused, unfinished, sendsPerSecond, bouncedCampaigns: [...bounced] };
}

type Allowance = ReturnType<typeof createAllowance>;

const NOTHING_LEFT: Batch = { sends: [], isFull: false, isLast: true };

/** What waits is all that the run may still send. */
const NOTHING_YET: Batch = { sends: [], isFull: false, isLast: false };

/** A speed of fewer is chance. */
const SENDS_FOR_A_SPEED = 20;

const speedOf = (sends: number, busyMs: number): number | null =>
  sends < SENDS_FOR_A_SPEED || busyMs === 0 ? null : (sends * 1000) / busyMs;

/** A send that has come back this often from workers that ended is a suspect. */
const SUSPECT_CLAIMS = 3;

const isSuspect = ({ claims }: ClaimedSend): boolean => claims >= SUSPECT_CLAIMS;

function onlyThat(send: ClaimedSend): () => Promise<Batch> {
  const batches: Batch[] = [{ sends: [send], isFull: false, isLast: true }];
  return async () => batches.shift() ?? NOTHING_LEFT;
}

/** After so many claims in a row without a send, the rest waits for the next run. */
const MAX_FRUITLESS = 100;
