import { createModel, type ModelData } from "#src/domain/engine/memory/index.ts";
import type { ModelStep } from "#src/domain/engine/memory/load.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import { NO_LIMITS } from "#src/domain/engine/run-ahead.ts";
import { tick } from "#src/domain/engine/tick.ts";
import { acceptingChannel } from "../support/ahead-by-ticks.ts";
import { makeScenario } from "../support/engine-scenario.ts";
import { createRandom } from "../support/random.ts";

const PERIOD_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;
const TOKEN = "00000000-0000-4000-8000-000000000000";
/** A Monday. */
const START = new Date("2026-03-02T00:00:00Z");

export interface Sent {
  at: number;
  laneId: string;
}

/** What holds the engine up, in milliseconds: before a tick begins, and before a message is written. */
export interface Delays {
  tick?(at: number): number;
  message?(at: number): number;
}

/** The delay, once: the first time that it is asked for then or later. */
export function once(from: string, delayMs: number): (at: number) => number {
  let isOver = false;
  return (at) => {
    if (isOver || at < Date.parse(from)) return 0;
    isOver = true;
    return delayMs;
  };
}

/** One campaign with three senders and three steps, on weekdays from nine to five. */
export const weekOf = (seed: number, intervalSeconds: number): ModelData =>
  makeScenario(createRandom(seed), {
    start: START,
    campaigns: 1,
    lanes: 3,
    lanesPerCampaign: 3,
    leads: 150,
    delays: [0, 1, 2],
    windows: [["09:00:00", "17:00:00"]],
    intervals: [intervalSeconds],
    dailyLimits: [90],
    sharedAddresses: 0,
  });

export interface Week {
  /** By lead and step. */
  sent: Map<string, Sent>;
  /** How many begins were refused. */
  refused: number;
}

/** A week of ticks by the schedule, over the model; every message is accepted at once. */
export async function runWeek(data: ModelData, delays: Delays = {}): Promise<Week> {
  const model = createModel(structuredClone(data));
  const sent = new Map<string, Sent>();
  let refused = 0;
  let now = START.getTime();
  const clock = {
    now: () => new Date(now),
    async sleepUntil(at: Date, signal?: AbortSignal) {
      // What races the clock is accepted within the same turn.
      if (signal !== undefined) await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true) now = Math.max(now, at.getTime());
    },
  };
  const channel = acceptingChannel("email", model, ({ lead, step, lane }) => {
    sent.set(`${lead.id}/${step}`, { at: now, laneId: lane.id });
  });
  const engine = {
    store: model.store,
    clock,
    channels: [
      {
        ...channel,
        prepare(context: ModelStep) {
          now += delays.message?.(now) ?? 0;
          return channel.prepare(context, clock.now());
        },
      } as Channel,
    ],
    log: { info() {}, error() {} },
    newToken: () => TOKEN,
    settings: {
      batch: 1000,
      periodSeconds: PERIOD_MS / 1000,
      connections: 1000,
      limits: NO_LIMITS,
    },
  };
  for (let at = now; at < START.getTime() + WEEK_MS;) {
    now = Math.max(now, at + (delays.tick?.(at) ?? 0));
    const { nextWakeAt, ...report } = await tick(engine);
    refused += report.refused;
    if (nextWakeAt === null) break;
    at = Math.max(Math.floor(nextWakeAt.getTime() / PERIOD_MS) * PERIOD_MS, at + PERIOD_MS);
  }
  return { sent, refused };
}
