import type { ClaimedSend, SendStore } from "#db/engine/index.ts";
import type { Clock } from "#src/platform/index.ts";
import { acceptClaimed } from "./accept-claimed.ts";
import type { Model } from "./memory/index.ts";
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
 * that jumps, a schedule that fires at each full period, and everything is
 * accepted at once. The result is what will be sent and when, if no user
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
    async sleepUntil(at) {
      if (at > now) now = at;
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
    channels: [],
    send: acceptClaimed(model.state, onSent),
    log: { info() {}, error() {} },
    newToken: () => TOKEN,
    settings: { batch: 1000, periodSeconds, connections: 1000, limits: NO_LIMITS },
  };
  const underWay = model.takeOver(start, TOKEN);
  if (underWay.length > 0) await tick({ ...engine, store: claimingFirst(model.store, underWay) });
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

/** The store to a worker that has claimed these already. */
export function claimingFirst(store: SendStore, claimed: ClaimedSend[]): SendStore {
  let first: ClaimedSend[] | null = claimed;
  return {
    ...store,
    async claim(order) {
      const sends = first ?? (await store.claim(order));
      first = null;
      return sends;
    },
  };
}

export const NO_LIMITS = { sends: Infinity, calls: Infinity };

const TOKEN = "00000000-0000-4000-8000-000000000000";

/**
 * When the schedule fires for work that is due at `at`: the tick that covers
 * the instant, after the last one. It fires at full periods of the clock.
 */
export function nextFire(at: Date, last: Date, periodSeconds: number): Date {
  const periodMs = periodSeconds * 1000;
  const covering = Math.floor(at.getTime() / periodMs) * periodMs;
  const following = (Math.floor(last.getTime() / periodMs) + 1) * periodMs;
  return new Date(Math.max(covering, following));
}
