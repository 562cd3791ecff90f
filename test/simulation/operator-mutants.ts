import type { SendOutcome } from "#db/engine/index.ts";
import type { Mutant } from "./mutants.ts";

const withoutSlowing = (outcome: SendOutcome): SendOutcome =>
  "slows" in outcome ? (({ slows: _, ...rest }) => rest as SendOutcome)(outcome) : outcome;

/** One mistake each in how much a domain writes to an operator. */
export const OPERATOR_MUTANTS: Mutant[] = [
  {
    name: "slows down for no operator",
    spoil: ({ store }) => ({
      store: {
        recordAndBegin: (now, token, outcomes, begin) =>
          store.recordAndBegin(now, token, outcomes.map(withoutSlowing), begin),
      },
    }),
  },
  {
    name: "writes to a slow operator as soon as a sender is free",
    spoil: ({ store, state }) => ({
      store: {
        recordAndBegin(now, token, outcomes, begin) {
          for (const rates of state.rates.values())
            for (const rate of rates.values()) rate.nextAt = 0;
          return store.recordAndBegin(now, token, outcomes, begin);
        },
      },
    }),
  },
  {
    name: "forgets after an hour that an operator is slow",
    spoil: ({ store, state }) => ({
      store: {
        claim(order) {
          for (const rates of state.rates.values())
            for (const [operator, { changedAt }] of rates)
              if (changedAt < order.now.getTime() - 3_600_000) rates.delete(operator);
          return store.claim(order);
        },
      },
    }),
  },
];
