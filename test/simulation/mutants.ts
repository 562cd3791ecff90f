import { type SendStore, SUSPECT_ALONE } from "#db/engine/index.ts";
import { createModel, type ModelData } from "#src/domain/engine/memory/index.ts";
import { fileCampaign, fileLane, fileLead, fileSend } from "#src/domain/engine/memory/state.ts";
import { peopled, type PeopledModel, type World, worldOf } from "../support/engine-worlds.ts";

import type { Actions } from "./actions.ts";

/** An engine with one mistake in it, which the simulation has to notice. */
export interface Mutant {
  name: string;
  /** The mistake, made around the model or in its rows; never in `src/`. */
  spoil(model: PeopledModel): { store?: Partial<SendStore>; actions?: Partial<Actions> };
}

type Refusals = readonly string[];

/** Begins although the store has refused for one of these reasons. */
export const beginAnyway =
  (reasons: Refusals): Mutant["spoil"] =>
  ({ store }) => ({
    store: {
      async recordAndBegin(...args) {
        const begun = await store.recordAndBegin(...args);
        return begun.map((answer) =>
          !answer.begun && reasons.includes(answer.reason)
            ? { id: answer.id, begun: true as const }
            : answer,
        );
      },
    },
  });

export const ENGINE_MUTANTS: Mutant[] = [
  {
    name: "begins without looking at stops again",
    spoil: beginAnyway(["campaign_not_running", "lead_not_active", "suppressed"]),
  },
  { name: "ignores holds", spoil: () => ({ actions: { hold: () => true } }) },
  { name: "begins a send whose lease it has lost", spoil: beginAnyway(["lease_lost"]) },
  {
    name: "ignores the end of the window",
    spoil: ({ store }) => ({
      store: {
        rollOver: (now, lanes, ...pieces) => {
          const stretched = pieces.map((rows) =>
            rows.map((row) => ({
              ...row,
              openUntil: new Date(row.openUntil.getTime() + 3_600_000),
            })),
          ) as typeof pieces;
          return store.rollOver(now, lanes, ...stretched);
        },
      },
    }),
  },
  {
    name: "keeps the windows of its leads' zones open",
    spoil: ({ store }) => ({
      store: {
        rollOver: (now, lanes, campaigns, zones) =>
          store.rollOver(
            now,
            lanes,
            campaigns,
            zones.map((row) => ({ ...row, openFrom: now })),
          ),
      },
    }),
  },
  {
    name: "counts the campaign's day in UTC",
    spoil: ({ store, state }) => ({
      store: {
        claim(order) {
          for (const campaign of state.campaigns.values()) {
            const day = order.now.toISOString().slice(0, 10);
            if (campaign.openDay === null || campaign.openDay === day) continue;
            Object.assign(campaign, { openDay: day, used: 0, usedNew: 0 });
          }
          return store.claim(order);
        },
        rollOver: (now, lanes, campaigns, zones) =>
          store.rollOver(
            now,
            lanes,
            campaigns.map((row) => ({ ...row, day: now.toISOString().slice(0, 10) })),
            zones,
          ),
      },
    }),
  },
  {
    name: "deals out one message a day more than a domain may send",
    spoil: ({ actions, state }) => {
      for (const domain of state.domains.values()) domain.dailyLimit += 1;
      return {
        actions: { limitDomain: (id, at, limit) => actions.limitDomain(id, at, limit + 1) },
      };
    },
  },
  {
    name: "deals each sender of a domain its whole limit",
    spoil: ({ store, state }) => ({
      store: {
        async rollOver(now, lanes, campaigns, zones) {
          await store.rollOver(now, lanes, campaigns, zones);
          for (const { id, dayCap } of lanes) {
            const lane = state.lanes.get(id)!;
            const domain = state.domains.get(lane.limitedDomainId ?? "");
            if (domain !== undefined) lane.dayCap = Math.min(dayCap, domain.dailyLimit);
          }
        },
      },
    }),
  },
  {
    name: "allows one message a day too many",
    spoil: ({ state }) => {
      for (const campaign of state.campaigns.values()) campaign.dailyLimit += 1;
      return {};
    },
  },
  {
    name: "retries what is unknown",
    spoil: ({ store, state }) => ({
      store: {
        async sweep(now) {
          const swept = await store.sweep(now);
          for (const { id, to } of swept) {
            const send = state.sends.get(id)!;
            if (to !== "unknown" || send.lead.status !== "active") continue;
            send.state = "released";
            fileSend(state, send);
            send.lead.nextActionAt = now.getTime();
            fileLead(send.lead);
          }
          return swept;
        },
      },
    }),
  },
  {
    name: "takes for a suspect whose workers ended over others",
    spoil: ({ store, state }) => ({
      store: {
        sweep(now) {
          for (const send of state.sends.values())
            if (send.state === "claimed" && send.claims > 1) send.alone = SUSPECT_ALONE;
          return store.sweep(now);
        },
      },
    }),
  },
  {
    name: "hands over before the begin is committed",
    spoil: ({ store }) => {
      const owed = new Map<string, Parameters<SendStore["recordAndBegin"]>>();
      return {
        store: {
          async recordAndBegin(now, token, outcomes, begin) {
            const before = owed.get(token);
            owed.delete(token);
            if (before !== undefined) await store.recordAndBegin(...before);
            if (outcomes.length > 0) await store.recordAndBegin(now, token, outcomes, []);
            if (begin.length > 0) owed.set(token, [now, token, [], begin]);
            return begin.map(({ id }) => ({ id, begun: true as const }));
          },
        },
      };
    },
  },
  {
    name: "keeps the gap of a campaign, not of a sender",
    spoil: ({ store, state }) => ({
      store: {
        claim(order) {
          for (const lane of state.lanes.values()) {
            lane.lastSlotAt = null;
            lane.lastBegunAt = null;
            if (lane.nextSlotAt === null || !lane.open) continue;
            lane.nextSlotAt = Math.min(lane.nextSlotAt, order.now.getTime() + 5000);
            fileLane(state, lane);
          }
          return store.claim(order);
        },
        recordAndBegin(...args) {
          for (const lane of state.lanes.values()) lane.lastBegunAt = null;
          return store.recordAndBegin(...args);
        },
      },
    }),
  },
  {
    name: "sends follow-ups from any sender",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const begun = await store.recordAndBegin(...args);
          for (const { id, kind } of args[2]) {
            const lead = state.sends.get(id)?.lead;
            if (kind !== "accepted" || lead === undefined || lead.status !== "active") continue;
            lead.laneId = lead.campaign.senders.at(-1)!.lane.id;
            fileLead(lead);
          }
          return begun;
        },
      },
    }),
  },
  {
    name: "serves new leads before follow-ups",
    spoil: ({ store, state }) => ({
      store: {
        async claim(order) {
          const hidden = [...state.campaigns.values()]
            .filter(({ fresh }) => [...fresh.values()].some((leads) => leads.length > 0))
            .flatMap(({ senders }) => senders.map((sender) => [sender, sender.followUps] as const));
          for (const [sender] of hidden) sender.followUps = new Map();
          const claimed = await store.claim(order);
          for (const [sender, followUps] of hidden) sender.followUps = followUps;
          return claimed;
        },
      },
    }),
  },
  {
    name: "does not wake a lane for a lead that comes back",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const before = [...state.lanes.values()].map((lane) => [lane, lane.nextSlotAt] as const);
          const begun = await store.recordAndBegin(...args);
          for (const [lane, at] of before) {
            if (lane.nextSlotAt === null || (at !== null && at <= lane.nextSlotAt)) continue;
            lane.nextSlotAt = at;
            fileLane(state, lane);
          }
          return begun;
        },
      },
    }),
  },
  {
    name: "advances lanes that got nothing",
    spoil: ({ store, state }) => ({
      store: {
        async claim(order) {
          const due = state.slots.filter(({ key }) => key <= order.until.getTime());
          const claimed = await store.claim(order);
          const served = new Set(claimed.map(({ laneId }) => laneId));
          for (const lane of due) {
            if (served.has(lane.id)) continue;
            lane.nextSlotAt = order.until.getTime() + 20 * 3_600_000;
            fileLane(state, lane);
          }
          return claimed;
        },
      },
    }),
  },
  {
    name: "forgets refunds",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const before = [...state.campaigns.values()].map((row) => [row, row.used] as const);
          const begun = await store.recordAndBegin(...args);
          for (const [campaign, used] of before) campaign.used = Math.max(campaign.used, used);
          return begun;
        },
      },
    }),
  },
  {
    name: "counts what was assumed sent twice",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const begun = await store.recordAndBegin(...args);
          for (const { id, kind } of args[2])
            if (kind === "assumed") state.sends.get(id)!.campaign.used += 2;
          return begun;
        },
      },
    }),
  },
  {
    name: "ends a campaign before its leads",
    spoil: ({ store, state }) => ({
      store: {
        async complete(now, campaignIds) {
          for (const id of campaignIds) {
            const campaign = state.campaigns.get(id)!;
            if (campaign.status !== "active" || campaign.pendingCount > 0) continue;
            campaign.status = "completed";
            fileCampaign(state, campaign);
          }
          return store.complete(now, campaignIds);
        },
      },
    }),
  },
];

export function mutantWorld(data: ModelData, mutant: Mutant): World {
  const model = peopled(createModel(structuredClone(data)));
  const { store = {}, actions = {} } = mutant.spoil(model);
  return worldOf({
    ...model,
    store: { ...model.store, ...store },
    actions: { ...model.actions, ...actions },
  });
}
