import type { SendOutcome } from "#db/engine/index.ts";
import { holdLead } from "#src/domain/engine/memory/holds.ts";
import { wakesNobody } from "./lane-mutants.ts";
import type { Mutant } from "./mutants.ts";

const withoutHold = (outcome: SendOutcome): SendOutcome => {
  if (!("nextHold" in outcome)) return outcome;
  const { nextHold: _, ...rest } = outcome;
  return rest as SendOutcome;
};

/** One mistake each around the texts that a model writes. */
export const DRAFT_MUTANTS: Mutant[] = [
  {
    name: "does not let a lead wait for its next text",
    spoil: ({ store }) => ({
      store: {
        recordAndBegin: (now, token, outcomes, begin) =>
          store.recordAndBegin(now, token, outcomes.map(withoutHold), begin),
      },
    }),
  },
  {
    name: "lets a lead wait on when its text is there",
    spoil: ({ actions, state }) => ({
      actions: {
        endDraft(leadId, step, at, answer) {
          const lead = state.leads.get(leadId)!;
          const waited = lead.hold?.waitsFor ?? null;
          const ended = actions.endDraft(leadId, step, at, answer);
          if (waited !== null && lead.hold === null && lead.status === "pending")
            holdLead(state, lead, null, waited);
          return ended;
        },
      },
    }),
  },
  { name: "wakes nobody for a text", spoil: wakesNobody("endDraft") },
  { name: "wakes nobody for an approval", spoil: wakesNobody("approve") },
  {
    name: "asks for a text again while it is being written",
    spoil({ actions }) {
      const ended = new Map<string, ReturnType<typeof actions.endDraft>>();
      return {
        actions: {
          prefetch: (at) => actions.prefetch(at).flatMap((key) => [key, key]),
          endDraft(leadId, step, at, answer) {
            const key = `${leadId}/${step}`;
            const first = ended.get(key);
            if (first !== undefined) {
              ended.delete(key);
              return first;
            }
            ended.set(key, actions.endDraft(leadId, step, at, answer));
            return ended.get(key)!;
          },
        },
      };
    },
  },
];
