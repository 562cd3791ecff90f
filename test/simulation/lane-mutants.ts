import { fileLane, type State } from "#src/domain/engine/memory/state.ts";
import { beginAnyway, type Mutant } from "./mutants.ts";
import type { Actions } from "./actions.ts";

const DAY_MS = 86_400_000;

/** Lets everybody do what they do, but for the lanes that would have been woken by it. */
export function asleep<T>(state: State, act: () => T): T {
  const before = [...state.lanes.values()].map((lane) => [lane, lane.nextSlotAt] as const);
  const done = act();
  for (const [lane, at] of before) {
    if (lane.nextSlotAt === null || (at !== null && at <= lane.nextSlotAt)) continue;
    lane.nextSlotAt = at;
    fileLane(state, lane);
  }
  return done;
}

/** The verb wakes nobody. */
export const wakesNobody =
  <Verb extends keyof Actions>(
    verb: Verb,
    concerns: (...args: Parameters<Actions[Verb]>) => boolean = () => true,
  ): Mutant["spoil"] =>
  ({ actions, state }) => {
    const act = actions[verb] as (...args: Parameters<Actions[Verb]>) => ReturnType<Actions[Verb]>;
    return {
      actions: {
        [verb]: (...args: Parameters<Actions[Verb]>) =>
          concerns(...args) ? asleep(state, () => act(...args)) : act(...args),
      },
    };
  };

/** One mistake in each of those that write lanes beside the engine's own verbs. */
export const LANE_MUTANTS: Mutant[] = [
  {
    name: "does not wake lanes for added leads",
    spoil: wakesNobody("addLeads"),
  },
  {
    name: "does not wake lanes for a campaign that goes on",
    spoil: wakesNobody("resume"),
  },
  {
    name: "does not wake lanes for a campaign's higher limit",
    spoil: wakesNobody("edit"),
  },
  {
    name: "does not wake a sender that opens",
    spoil: wakesNobody("changeSender", (_id, _at, { status }) => status === "active"),
  },
  {
    name: "does not wake a sender for its own higher limit",
    spoil: wakesNobody("changeSender", (_id, _at, { status }) => status === undefined),
  },
  {
    name: "does not wake senders for their domain's higher limit",
    spoil: wakesNobody("limitDomain"),
  },
  { name: "does not wake the senders of a domain that heals", spoil: wakesNobody("healDomain") },
  { name: "does not wake senders for another time zone", spoil: wakesNobody("moveWorkspace") },
  {
    name: "does not wake senders for leads that they take over",
    spoil: wakesNobody("replaceGoneSenders"),
  },
  { name: "does not wake lanes for a lead that moves", spoil: wakesNobody("moveLead") },
  { name: "does not wake lanes for a hold that is ended", spoil: wakesNobody("release") },
  {
    name: "does not wake lanes for a hold that runs out",
    spoil: ({ store, state }) => ({
      store: {
        sweep: (now) =>
          state.leases[0] === undefined || state.leases[0].key > now.getTime()
            ? asleep(state, () => store.sweep(now))
            : store.sweep(now),
      },
    }),
  },
  {
    name: "sends from a closed sender",
    spoil: ({ actions }) => ({
      actions: {
        changeSender: (id, at, change) =>
          change.status === "paused" || actions.changeSender(id, at, change),
      },
    }),
  },
  {
    name: "begins from a sender that was closed since the claim",
    spoil: beginAnyway(["sender_not_active"]),
  },
  {
    name: "sends from the senders of a failing domain",
    spoil: () => ({ actions: { failDomain: () => [] } }),
  },
  {
    name: "leaves the senders of a healed domain closed",
    spoil: () => ({ actions: { healDomain: () => true } }),
  },
  {
    name: "forgets the rest after a policy block",
    spoil: () => ({ actions: { restSender: () => true } }),
  },
  {
    name: "begins from a sender that rests since the claim",
    spoil: beginAnyway(["sender_resting"]),
  },
  {
    name: "ends a rest with an acceptance",
    spoil: ({ store, state }) => ({
      store: {
        recordAndBegin(...args) {
          const answer = store.recordAndBegin(...args);
          for (const { id, kind } of args[2])
            if (kind === "accepted") state.sends.get(id)!.lane.closedUntil = null;
          return answer;
        },
      },
    }),
  },
  {
    name: "does not heed a sender's lower limit",
    spoil: ({ actions, state }) => ({
      actions: {
        changeSender(id, at, { dailyLimit = Infinity, ...change }) {
          const before = state.lanes.get(id)!.dailyLimit;
          if (dailyLimit < before || dailyLimit === Infinity)
            return actions.changeSender(id, at, change);
          return actions.changeSender(id, at, { ...change, dailyLimit });
        },
      },
    }),
  },
  {
    name: "does not heed a sender's longer interval",
    spoil: ({ actions }) => ({
      actions: {
        changeSender: (id, at, { minIntervalSeconds: _, ...change }) =>
          actions.changeSender(id, at, change),
      },
    }),
  },
  {
    name: "does not heed a domain's lower limit",
    spoil: ({ actions, state }) => ({
      actions: {
        limitDomain: (id, at, dailyLimit) =>
          actions.limitDomain(id, at, Math.max(dailyLimit, state.domains.get(id)!.dailyLimit)),
      },
    }),
  },
  {
    name: "deals out a domain's new limit whatever it has used",
    spoil: ({ actions, state }) => ({
      actions: {
        limitDomain(id, at, dailyLimit) {
          const done = actions.limitDomain(id, at, dailyLimit);
          for (const lane of state.domains.get(id)!.lanes) lane.dayCap += lane.used;
          return done;
        },
      },
    }),
  },
  {
    name: "grants a second daily limit with another time zone",
    spoil: ({ actions, state }) => ({
      actions: {
        moveWorkspace(timezone, at) {
          const done = actions.moveWorkspace(timezone, at);
          for (const lane of state.lanes.values()) lane.used = 0;
          return done;
        },
      },
    }),
  },
  {
    name: "replaces senders that are closed for a day",
    spoil: ({ actions }) => ({
      actions: {
        replaceGoneSenders: (at) => actions.replaceGoneSenders(new Date(at.getTime() + 6 * DAY_MS)),
      },
    }),
  },
];
