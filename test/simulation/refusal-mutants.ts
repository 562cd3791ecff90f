import type { SendStore, SenderHistory } from "#db/engine/index.ts";
import type { Mutant } from "./mutants.ts";

/** An engine that is told something else of a refused send. */
const told =
  (change: (history: SenderHistory) => Partial<SenderHistory>): Mutant["spoil"] =>
  ({ store }) => ({
    store: {
      async historyOf(sendId) {
        const history = await store.historyOf(sendId);
        return { ...history, ...change(history) };
      },
    } satisfies Partial<SendStore>,
  });

/** One mistake each in whom a refusal is put down to. */
export const REFUSAL_MUTANTS: Mutant[] = [
  {
    name: "lets a sender rest for one recipient that refuses",
    spoil: told(() => ({ refusedOperators: 3 })),
  },
  {
    name: "takes a relay that refuses everybody for many recipients",
    spoil: told(() => ({ refusedOperators: 1 })),
  },
  {
    name: "rejects a recipient although its sender is accepted nowhere",
    spoil: told(() => ({ acceptedSince: true })),
  },
  {
    name: "forgets how often a send was refused",
    spoil: told(() => ({ refusals: 0 })),
  },
];
