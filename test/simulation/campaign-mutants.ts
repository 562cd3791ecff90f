import type { SendStore } from "#db/engine/index.ts";
import type { Send } from "#src/domain/engine/memory/rows.ts";
import type { State } from "#src/domain/engine/memory/state.ts";
import { wakesNobody } from "./lane-mutants.ts";
import type { Mutant } from "./mutants.ts";

const claimedOf = (state: State): Send[] =>
  [...state.sends.values()].filter((send) => send.state === "claimed");

/** A campaign's day counted anew, but for what is claimed and has not begun. */
function forgetClaimed(state: State, campaignId: string): void {
  const campaign = state.campaigns.get(campaignId)!;
  for (const send of claimedOf(state)) {
    if (send.campaign !== campaign || send.campaignDay !== campaign.openDay) continue;
    if (send.attempts > 0) continue;
    campaign.used--;
    if (send.isNew) campaign.usedNew--;
  }
}

/** What goes back is given to the day that it now is, whichever it was claimed for. */
function refundingToday<Args extends unknown[], T>(
  state: State,
  verb: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return async (...args) => {
    const stale = claimedOf(state).filter(
      ({ campaign, campaignDay: day }) => campaign.openDay !== day,
    );
    const answer = await verb(...args);
    for (const { state: now, campaign } of stale)
      if (now === "released" || now === "canceled") campaign.used = Math.max(0, campaign.used - 1);
    return answer;
  };
}

/** One mistake each in what a campaign counts by days, in its holds, and in what comes back. */
export const CAMPAIGN_MUTANTS: Mutant[] = [
  {
    name: "counts a day anew without what is claimed",
    spoil: ({ actions, state }) => ({
      actions: {
        resume(id, at) {
          const done = actions.resume(id, at);
          if (done) forgetClaimed(state, id);
          return done;
        },
      },
    }),
  },
  {
    name: "gives what was claimed yesterday back to today",
    spoil: ({ store, state }) => {
      const recordAndBegin: SendStore["recordAndBegin"] = refundingToday(
        state,
        store.recordAndBegin,
      );
      return { store: { recordAndBegin, sweep: refundingToday(state, store.sweep) } };
    },
  },
  {
    name: "does not wake a sender for a sign of an unknown message",
    spoil: wakesNobody("hear"),
  },
  {
    name: "does not say when a hold ends",
    spoil: ({ store, state }) => ({
      store: {
        nextWakeAt(assumeAfterMs) {
          const { holds } = state;
          state.holds = [];
          const next = store.nextWakeAt(assumeAfterMs);
          state.holds = holds;
          return next;
        },
      },
    }),
  },
];
