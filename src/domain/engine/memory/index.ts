import type { ClaimedSend, SendStore } from "#db/engine/index.ts";
import { begin } from "./begin.ts";
import { claim } from "./claim.ts";
import { dateOf, earlier, type ModelData } from "./rows.ts";
import { dueRollovers, rollOver } from "./rollover.ts";
import { rest } from "./rests.ts";
import { seed } from "./seed.ts";
import { recordOutcomes } from "./outcomes.ts";
import type { State } from "./state.ts";
import { historyOf } from "./sender-history.ts";
import { complete, overdueUnknown, sweep, unknownOf } from "./sweep.ts";
import { takeOver } from "./take-over.ts";

export type { ModelData } from "./rows.ts";

export interface Model {
  store: SendStore;
  /** The rows, for the forecast and for tests; not to be changed. */
  state: State;
  /** Has that worker go on with what others, who live, have claimed. */
  takeOver(now: Date, workerToken: string): ClaimedSend[];
}

/**
 * The engine's store in memory, over one workspace's data: the same verbs with
 * the same meaning as on Postgres, which one contract suite holds both to. What a
 * tick would do can so be computed ahead, and a year of it simulated in a minute.
 */
export function createModel(data: ModelData): Model {
  const state = seed(data);
  const store: SendStore = {
    dueRollovers: async (now, until) => dueRollovers(state, now.getTime(), until.getTime()),
    rollOver: async (now, lanes, campaigns, zones) =>
      rollOver(state, now.getTime(), lanes, campaigns, zones),
    sweep: async (now) => sweep(state, now.getTime()),
    overdueUnknown: async (before) => overdueUnknown(state, before.getTime()),
    unknownOf: async (kinds, limit) => unknownOf(state, kinds, limit),
    claim: async (order) => claim(state, order),
    async isolate(workerToken, sendId) {
      const send = state.sends.get(sendId);
      if (send?.workerToken !== workerToken || send.state !== "claimed") return false;
      send.alone++;
      return true;
    },
    rest: async (_now, lanes, reason) => rest(state, lanes, reason),
    async recordAndBegin(now, workerToken, outcomes, wishes) {
      const overtaken = recordOutcomes(state, now.getTime(), workerToken, outcomes);
      return [...overtaken, ...begin(state, now.getTime(), workerToken, wishes)];
    },
    historyOf: async (sendId) => historyOf(state, sendId),
    statesOf: async (workerToken, sendIds) =>
      new Map(
        sendIds.flatMap((id) => {
          const send = state.sends.get(id);
          return send?.workerToken === workerToken ? [[id, send.state] as const] : [];
        }),
      ),
    complete: async (_now, campaignIds) => complete(state, campaignIds),
    nextWakeAt: async (assumeAfterMs) => {
      const unknown = state.unknowns[0]?.key;
      const own = [state.slots[0], state.leases[0], state.holds[0]].map((row) => row?.key ?? null);
      return dateOf(own.reduce(earlier, unknown === undefined ? null : unknown + assumeAfterMs));
    },
    lastTickAt: async () => dateOf(state.lastTickAt),
    recordTick: async (now) => {
      state.lastTickAt = Math.max(state.lastTickAt ?? -Infinity, now.getTime());
    },
  };
  return {
    store,
    state,
    takeOver: (now, workerToken) => takeOver(state, now.getTime(), workerToken),
  };
}
