import { CHANNELS, type LaneKind } from "#db/schema/index.ts";
import type { Channel } from "#src/domain/engine/channel.ts";
import type { Model } from "#src/domain/engine/memory/index.ts";
import { loadSteps, type ModelStep } from "#src/domain/engine/memory/load.ts";
import type { Send } from "#src/domain/engine/memory/rows.ts";
import {
  claimingFirst,
  type ForecastLimits,
  nextFire,
  NO_LIMITS,
  type PlannedSend,
} from "#src/domain/engine/run-ahead.ts";
import { tick } from "#src/domain/engine/tick.ts";

const TOKEN = "00000000-0000-4000-8000-000000000000";

/** Turns of the microtask queue that an accepted handover takes at most. */
const TURNS = 20;

/** As `runAhead`, by the engine's connections, letters and turns: over channels on which everything is accepted at once. */
export async function aheadByTicks(
  model: Model,
  start: Date,
  { until, periodSeconds, maxSends }: ForecastLimits,
): Promise<PlannedSend[]> {
  let now = start;
  const clock = {
    now: () => now,
    async sleepUntil(at: Date, signal?: AbortSignal) {
      // Whatever races the clock has come first by then.
      if (signal !== undefined) for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
      if (signal?.aborted !== true && at > now) now = at;
    },
  };
  const sends: PlannedSend[] = [];
  const onSent = ({ campaign, lead, lane, step }: Send) =>
    sends.push({
      campaignId: campaign.id,
      campaignLeadId: lead.id,
      laneId: lane.id,
      step,
      at: now,
    });
  const engine = {
    store: model.store,
    clock,
    channels: CHANNELS.map((kind) => acceptingChannel(kind, model, onSent)),
    log: { info() {}, error() {} },
    newToken: () => TOKEN,
    settings: { batch: 1000, periodSeconds, connections: 1000, limits: NO_LIMITS },
  };
  const underWay = model.takeOver(start, TOKEN);
  if (underWay.length > 0) await tick({ ...engine, store: claimingFirst(model.store, underWay) });
  let wakeAt: Date | null = nextFire(start, start, periodSeconds);
  while (wakeAt !== null && wakeAt < until && sends.length < maxSends) {
    const firedAt: Date = (now = wakeAt);
    const { nextWakeAt } = await tick(engine);
    wakeAt = nextWakeAt && nextFire(nextWakeAt, firedAt, periodSeconds);
  }
  return sends.filter(({ at }) => at < until);
}

/** A channel of the model's lanes that takes everything at once. */
export const acceptingChannel = (
  kind: LaneKind,
  { state }: Model,
  onSent: (send: Send) => unknown,
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
