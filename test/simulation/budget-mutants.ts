import type { LaneDay } from "#db/engine/index.ts";
import type { Lane } from "#src/domain/engine/memory/rows.ts";
import { fileLane, openBudgets } from "#src/domain/engine/memory/state.ts";
import type { Mutant } from "./mutants.ts";

/** Days of accounts that begin with other caps. */
const rollingTo =
  (
    caps: (lane: Lane, day: LaneDay) => Pick<LaneDay, "dayCap" | "connectionCap">,
  ): Mutant["spoil"] =>
  ({ store, state }) => ({
    store: {
      rollOver: (now, lanes, campaigns, zones) =>
        store.rollOver(
          now,
          lanes.map((day) => {
            const lane = state.lanes.get(day.id)!;
            return lane.account === null ? day : { ...day, ...caps(lane, day) };
          }),
          campaigns,
          zones,
        ),
    },
  });

const accountsOf = (lanes: Iterable<Lane>) => [...lanes].filter(({ account }) => account !== null);

/** Mistakes in the parts of an account's day. */
export const BUDGET_MUTANTS: Mutant[] = [
  {
    name: "allows an account one connection request a day too many, out of its messages",
    spoil: rollingTo((_, { dayCap, connectionCap }) => ({
      dayCap,
      connectionCap: connectionCap! + 1,
    })),
  },
  {
    name: "allows an account one message a day too many",
    spoil: rollingTo((_, { dayCap, connectionCap }) => ({ dayCap: dayCap + 1, connectionCap })),
  },
  {
    name: "forgets the week of an account",
    spoil: ({ state, ...model }) => {
      const forget = rollingTo(({ account }, { dayCap, connectionCap }) => {
        const isWarm = account!.warmupDays === 0;
        const connections = isWarm ? account!.dailyConnectionLimit : connectionCap!;
        return { dayCap: dayCap - connectionCap! + connections, connectionCap: connections };
      });
      return forget({ state, ...model });
    },
  },
  {
    name: "forgets the warm-up of an account",
    spoil: rollingTo(({ account }, { dayCap, connectionCap }) => {
      const { dailyConnectionLimit, dailyMessageLimit, warmupDays } = account!;
      if (warmupDays === 0) return { dayCap, connectionCap };
      const connections = dailyConnectionLimit;
      return { dayCap: connections + dailyMessageLimit, connectionCap: connections };
    }),
  },
  {
    name: "lets leads of a used-up budget stand before the others",
    spoil: ({ store, state }) => ({
      store: {
        async claim(order) {
          const claimed = await store.claim(order);
          for (const lane of accountsOf(state.lanes.values())) {
            if (lane.nextSlotAt === null || !lane.open || openBudgets(lane).length !== 1) continue;
            lane.nextSlotAt = Math.max(lane.nextSlotAt, lane.dayUntil!);
            fileLane(state, lane);
          }
          return claimed;
        },
      },
    }),
  },
  {
    name: "does not give a connection request back as one",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const before = accountsOf(state.lanes.values()).map(
            (lane) => [lane, lane.connectionsUsed] as const,
          );
          const begun = await store.recordAndBegin(...args);
          for (const [lane, used] of before)
            lane.connectionsUsed = Math.max(lane.connectionsUsed, used);
          return begun;
        },
      },
    }),
  },
  {
    name: "does not give a connection request of a worker that ended back as one",
    spoil: ({ store, state }) => ({
      store: {
        async sweep(now) {
          const before = accountsOf(state.lanes.values()).map(
            (lane) => [lane, lane.connectionsUsed] as const,
          );
          const swept = await store.sweep(now);
          for (const [lane, used] of before) lane.connectionsUsed = used;
          return swept;
        },
      },
    }),
  },
  {
    name: "goes on with a budget that the network calls used up",
    spoil: ({ store }) => ({
      store: {
        recordAndBegin: (now, token, outcomes, begin) =>
          store.recordAndBegin(
            now,
            token,
            outcomes.map((outcome) =>
              outcome.kind === "retry" && outcome.lane === "spent"
                ? { ...outcome, lane: "none" as const }
                : outcome,
            ),
            begin,
          ),
      },
    }),
  },
  {
    name: "closes both budgets when one is used up",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(now, token, outcomes, begin) {
          const spent = outcomes.filter(
            (outcome) => outcome.kind === "retry" && outcome.lane === "spent",
          );
          const begun = await store.recordAndBegin(now, token, outcomes, begin);
          for (const { id } of spent) {
            const { lane } = state.sends.get(id)!;
            if (lane.nextSlotAt === null) continue;
            lane.nextSlotAt = Math.max(lane.nextSlotAt, lane.dayUntil!);
            fileLane(state, lane);
          }
          return begun;
        },
      },
    }),
  },
  {
    name: "takes every action of an account from its messages",
    spoil: ({ store, state }) => ({
      store: {
        async claim(order) {
          const claimed = await store.claim(order);
          for (const { id } of claimed) {
            const send = state.sends.get(id)!;
            if (send.budget !== "connection") continue;
            send.budget = "message";
            send.lane.connectionsUsed--;
          }
          return claimed;
        },
      },
    }),
  },
];
