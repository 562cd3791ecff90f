import { CHANNELS, type LaneKind } from "#db/schema/index.ts";
import type { Clock } from "#src/platform/index.ts";
import type { Channel } from "./channel.ts";
import type { Model } from "./memory/index.ts";
import { loadSteps, type ModelStep } from "./memory/load.ts";
import type { Send } from "./memory/rows.ts";
import { tick } from "./tick.ts";

export interface PlannedSend {
  campaignId: string;
  campaignLeadId: string;
  laneId: string;
  step: number;
  at: Date;
}

export interface ForecastLimits {
  /** The end of the simulated time. */
  until: Date;
  periodSeconds: number;
  /** Stops after so many sends. */
  maxSends: number;
  /** Asked after each tick, with when that fired; true when the caller knows enough. */
  isEnough?: (sends: PlannedSend[], firedAt: Date) => boolean;
}

/**
 * Runs the engine's own tick ahead of time over a model of the data: a clock
 * that jumps, a schedule that fires at each full period, channels on which
 * everything is accepted at once. The result is what will be sent and when, if no user
 * changes anything and every message is accepted.
 */
export async function runAhead(
  model: Model,
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
  const onSent = ({ campaign, lead, lane, step }: Send) => {
    const ids = { campaignId: campaign.id, campaignLeadId: lead.id, laneId: lane.id };
    sends.push({ ...ids, step, at: clock.now() });
  };
  const engine = {
    store: model.store,
    clock,
    channels: CHANNELS.map((kind) => acceptingChannel(kind, model, onSent)),
    log: { info() {}, error() {} },
    newToken: () => TOKEN,
    settings: { batch: 1000, periodSeconds, connections: 1000, limits: NO_LIMITS },
  };
  let wakeAt: Date | null = nextFire(start, start, periodSeconds);
  let firedAt = start;
  while (
    wakeAt !== null &&
    wakeAt < until &&
    sends.length < maxSends &&
    !isEnough(sends, firedAt)
  ) {
    // A tick that waited for its slots may end after the next has fired; overlapping ticks claim different lanes.
    now = firedAt = wakeAt;
    const { nextWakeAt } = await tick(engine);
    wakeAt = nextWakeAt && nextFire(nextWakeAt, wakeAt, periodSeconds);
  }
  return sends.filter(({ at }) => at < until);
}

export const NO_LIMITS = { sends: Infinity, calls: Infinity };

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

/** A channel of the model's lanes that takes everything at once. */
export const acceptingChannel = (
  kind: LaneKind,
  { state }: Model,
  onSent: (send: Send) => void,
): Channel<ModelStep, Send> => ({
  kind,
  load: async (sendIds) => loadSteps(state, sendIds),
  // One way for all: where everything is taken at once, none waits for another's server.
  routeOf: () => ({ workspaceId: "", host: "", account: "" }),
  targetOf: () => null,
  prepare: async ({ send }) =>
    kind === "email" && send.lead.emailKey === null
      ? { ok: false, skip: true, reason: "NO_EMAIL" }
      : { ok: true, record: NOTHING, ready: send },
  async perform(send) {
    onSent(send);
    return { state: "accepted", reply: "" };
  },
  async close() {},
});

const NOTHING = {
  messageId: null,
  subject: null,
  html: null,
  variantLabel: null,
  templateId: null,
  templateVersion: null,
  senderProfileId: null,
};
