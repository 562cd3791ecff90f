import { ACCEPTANCE_HOLD } from "#db/schema/index.ts";
import { holdLead } from "#src/domain/engine/memory/holds.ts";
import type { Lead } from "#src/domain/engine/memory/rows.ts";
import { fileLead } from "#src/domain/engine/memory/state.ts";
import { wakesNobody } from "./lane-mutants.ts";
import type { Mutant } from "./mutants.ts";

const waits = (lead: Lead): boolean => lead.hold?.waitsFor === ACCEPTANCE_HOLD;

/** One mistake each around invitations: who accepts, who never does, and what was lost sight of. */
export const ACCEPTANCE_MUTANTS: Mutant[] = [
  {
    name: "lets a lead wait on when it has accepted",
    spoil: ({ actions, state }) => ({
      actions: {
        accept(id, at) {
          const lead = state.leads.get(id)!;
          const waited = waits(lead);
          const isNews = actions.accept(id, at);
          if (waited) holdLead(state, lead, null, ACCEPTANCE_HOLD);
          return isNews;
        },
      },
    }),
  },
  {
    name: "lets a lead wait that had accepted before its invitation was recorded",
    spoil: ({ store, state }) => ({
      store: {
        async recordAndBegin(...args) {
          const begun = await store.recordAndBegin(...args);
          for (const outcome of args[2]) {
            const lead = state.sends.get(outcome.id)?.lead;
            if (!("nextHold" in outcome) || lead?.status !== "active" || lead.hold !== null)
              continue;
            if (outcome.nextHold === ACCEPTANCE_HOLD) holdLead(state, lead, null, ACCEPTANCE_HOLD);
          }
          return begun;
        },
      },
    }),
  },
  {
    name: "writes to who has not accepted",
    spoil: ({ actions, store, state }) => ({
      actions: { awaiting: () => [] },
      store: {
        async recordAndBegin(...args) {
          const begun = await store.recordAndBegin(...args);
          for (const { id } of args[2]) {
            const lead = state.sends.get(id)?.lead;
            if (lead === undefined || !waits(lead)) continue;
            actions.release(lead.id, args[0]);
          }
          return begun;
        },
      },
    }),
  },
  { name: "wakes nobody for an acceptance", spoil: wakesNobody("accept") },
  {
    name: "believes at once that what was lost is not there",
    spoil: ({ store }) => ({
      store: {
        async unknownOf(...args) {
          const lost = await store.unknownOf(...args);
          const before = (at: Date) => new Date(at.getTime() - 600_000);
          return lost.map((send) => ({ ...send, transmittingAt: before(send.transmittingAt) }));
        },
      },
    }),
  },
  {
    name: "tries what was lost again without asking",
    spoil: ({ store }) => ({
      store: {
        recordAndBegin: (now, token, outcomes, begin) =>
          store.recordAndBegin(
            now,
            token,
            outcomes.map((outcome) =>
              outcome.kind === "confirmed"
                ? {
                    id: outcome.id,
                    reason: "not there",
                    kind: "retry",
                    retryAt: now,
                    attemptSpent: true,
                    lane: "none",
                    lookedUp: true,
                  }
                : outcome,
            ),
            begin,
          ),
      },
    }),
  },
  {
    name: "lets a lead wait on whose invitation was withdrawn",
    spoil: () => ({ actions: { giveUpWaiting: () => true } }),
  },
  {
    name: "goes on with the message of who never accepted",
    spoil: ({ actions, state }) => ({
      actions: {
        giveUpWaiting(id, at) {
          const lead = state.leads.get(id)!;
          if (!waits(lead)) return false;
          const { connectedAt } = lead;
          actions.release(id, at);
          lead.connectedAt = connectedAt ?? at.getTime();
          return true;
        },
      },
    }),
  },
  {
    name: "passes over the message of who has accepted",
    spoil: ({ actions, state }) => ({
      actions: {
        accept(id, at) {
          const lead = state.leads.get(id)!;
          const waited = waits(lead);
          const isNews = actions.accept(id, at);
          if (waited && lead.status === "active" && lead.nextStep! < lead.campaign.steps.length) {
            const next = lead.campaign.steps[lead.nextStep!]!;
            lead.nextStep = next.step;
            lead.nextBudget = next.action_type === "send_email" ? "" : "message";
            if (next.channel === "email")
              Object.assign(lead, { laneId: null, nextChannel: "email" });
            fileLead(lead);
          }
          return isNews;
        },
      },
    }),
  },
];
