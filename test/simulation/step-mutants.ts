import type { Mutant } from "./mutants.ts";

/** One mistake each around what a worker begins and plans while others change the campaign, or repeat its words. */
export const STEP_MUTANTS: Mutant[] = [
  {
    name: "plans what follows by the steps that were loaded at the claim",
    spoil: ({ store, state }) => ({
      store: {
        recordAndBegin: (now, token, outcomes, begin) =>
          store.recordAndBegin(
            now,
            token,
            outcomes.map((outcome) => {
              const campaign = state.sends.get(outcome.id)?.campaign;
              if (!("planned" in outcome) || campaign === undefined) return outcome;
              const { configVersion } = campaign;
              return { ...outcome, planned: { ...outcome.planned, configVersion } };
            }),
            begin,
          ),
      },
    }),
  },
  {
    name: "refuses a begin that comes twice",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const again = args[3].filter(({ id }) => state.sends.get(id)?.state === "transmitting");
          const refused = new Set(again.map(({ id }) => id));
          const answers = await store.recordAndBegin(...args);
          return answers.map((answer) =>
            answer.begun && refused.has(answer.id)
              ? { id: answer.id, begun: false as const, reason: "lease_lost" as const }
              : answer,
          );
        },
      },
    }),
  },
];

/** Those of a store that was put back. */
export const RESTORE_MUTANTS: Mutant[] = [
  {
    name: "goes on from a restored store as if nothing had gone out",
    spoil: () => ({ actions: { restored: () => [] } }),
  },
  {
    name: "reckons, after a restore, with no more than a moment that was lost",
    spoil: ({ actions }) => ({ actions: { restored: (_, at) => actions.restored(at, at) } }),
  },
];
