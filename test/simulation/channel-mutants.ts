import type { SendOutcome } from "#db/engine/index.ts";
import { dequeue } from "#src/domain/engine/memory/queue.ts";
import { fileLane, fileLead } from "#src/domain/engine/memory/state.ts";
import type { Mutant } from "./mutants.ts";

/** Passes on what is recorded otherwise than it was said. */
const saying =
  (change: (outcome: SendOutcome) => SendOutcome): Mutant["spoil"] =>
  ({ store }) => ({
    store: {
      recordAndBegin: (now, token, outcomes, begin) =>
        store.recordAndBegin(now, token, outcomes.map(change), begin),
    },
  });

/** Mistakes where a lead goes from one channel to another. */
export const CHANNEL_MUTANTS: Mutant[] = [
  {
    name: "leaves a lead to its sender, whatever channel its next step is of",
    spoil: saying((outcome) => {
      if (!("nextChannel" in outcome)) return outcome;
      const { nextChannel: _, ...same } = outcome;
      return same as SendOutcome;
    }),
  },
  {
    name: "does not wake the other channel's senders for a lead that is handed to them",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const slots = new Map([...state.lanes.values()].map((lane) => [lane, lane.nextSlotAt]));
          const begun = await store.recordAndBegin(...args);
          const handed = args[2].some((outcome) => "nextChannel" in outcome);
          const own = new Set([...args[2], ...args[3]].map(({ id }) => state.sends.get(id)?.lane));
          for (const [lane, before] of handed ? slots : [])
            if (!own.has(lane)) {
              lane.nextSlotAt = before;
              fileLane(state, lane);
            }
          return begun;
        },
      },
    }),
  },
  {
    name: "forgets who did a lead's earlier steps on a channel",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const begun = await store.recordAndBegin(...args);
          for (const outcome of args[2]) {
            const lead = state.sends.get(outcome.id)?.lead;
            if (!("nextChannel" in outcome) || lead?.status !== "active") continue;
            lead.nextChannel = outcome.nextChannel ?? null;
            lead.laneId = null;
            dequeue(lead);
            fileLead(lead);
          }
          return begun;
        },
      },
    }),
  },
];
