import type { SendStore } from "#db/engine.ts";
import type { Clock } from "#src/platform/index.ts";
import { type Mailer, tick } from "./tick.ts";

export interface PlannedSend {
  campaignId: string;
  campaignLeadId: string;
  laneId: string;
  step: number;
  at: Date;
}

export interface ForecastLimits {
  /** Nothing later is looked at. */
  until: Date;
  periodSeconds: number;
  /** Stops after so many sends. */
  maxSends: number;
  /** Asked after each tick; true when the caller knows enough. */
  isEnough?: (sends: PlannedSend[]) => boolean;
}

/**
 * Runs the engine's own tick ahead of time over a model of the data: a clock
 * that jumps, a schedule that fires at each full period, a relay that accepts
 * everything at once. What comes out is what will be sent and when, if nobody
 * changes anything and every message is accepted.
 */
export async function runAhead(
  store: SendStore,
  start: Date,
  limits: ForecastLimits,
): Promise<PlannedSend[]> {
  const { until, periodSeconds, maxSends, isEnough = () => false } = limits;
  let now = start;
  const clock: Clock = {
    now: () => now,
    async sleepUntil(at, signal) {
      // Its relay answers within the same turn: whatever races the clock has come first by then.
      if (signal !== undefined) for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
      if (signal?.aborted !== true && at > now) now = at;
    },
  };
  const sends: PlannedSend[] = [];
  const engine = {
    store,
    clock,
    mailer: acceptingMailer(clock, sends),
    log: { info() {}, error() {} },
    newToken: () => TOKEN,
    settings: { batch: 1000, periodSeconds, connections: 1000 },
  };
  let wakeAt: Date | null = nextFire(start, start, periodSeconds);
  while (wakeAt !== null && wakeAt < until && sends.length < maxSends && !isEnough(sends)) {
    // A tick that waited for its slots may end after the next has fired; overlapping ticks claim different lanes.
    now = wakeAt;
    const { nextWakeAt } = await tick(engine);
    wakeAt = nextWakeAt && nextFire(nextWakeAt, wakeAt, periodSeconds);
  }
  return sends.filter(({ at }) => at < until);
}

/** Turns of the microtask queue that an accepted handover takes at most. */
const TURNS = 20;

const TOKEN = "00000000-0000-4000-8000-000000000000";

/**
 * When the schedule fires for work that is due at `at`: the tick that covers
 * the instant, after the last one. It fires at full periods of the clock.
 */
function nextFire(at: Date, last: Date, periodSeconds: number): Date {
  const periodMs = periodSeconds * 1000;
  const covering = Math.floor(at.getTime() / periodMs) * periodMs;
  const following = (Math.floor(last.getTime() / periodMs) + 1) * periodMs;
  return new Date(Math.max(covering, following));
}

function acceptingMailer(clock: Clock, sends: PlannedSend[]): Mailer {
  return {
    accountOf: ({ alias }) => alias.id,
    async prepare(context) {
      return {
        ok: true,
        context,
        message: null,
        begin: {
          messageId: context.sendId,
          subject: "",
          html: "",
          variantLabel: "",
          templateId: null,
          templateVersion: null,
          senderProfileId: null,
        },
      };
    },
    async send({ context }) {
      sends.push({
        campaignId: context.campaign.id,
        campaignLeadId: context.lead.campaignLeadId,
        laneId: context.alias.id,
        step: context.step.step,
        at: clock.now(),
      });
      return { state: "accepted", reply: "" };
    },
    async close() {},
  };
}
