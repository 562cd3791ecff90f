import { ACCEPTANCE_HOLD } from "#db/schema/index.ts";
import { dropHold, endHold, holdLead } from "#src/domain/engine/memory/holds.ts";
import type { Lead } from "#src/domain/engine/memory/rows.ts";
import { fileLead } from "#src/domain/engine/memory/state.ts";
import { complete } from "#src/domain/engine/memory/sweep.ts";
import { stepHoldOf } from "#db/engine/step-hold.ts";
import { planAfterRefusal } from "#src/domain/network/withdraw-stale.ts";
import type { Actions, Workspace } from "./actions.ts";

type NetworkActions = Pick<Actions, "accept" | "awaiting" | "giveUpWaiting">;

/** What people of a network do, and what follows when they do nothing. */
export function networkActions({ state }: Workspace): NetworkActions {
  return {
    accept(id, at) {
      const lead = state.leads.get(id)!;
      const isInvited = lead.sends.some((send) => send?.lane.kind === "socialnet");
      if (!isInvited || lead.connectedAt !== null) return false;
      lead.connectedAt = at.getTime();
      if (waits(lead)) endHold(state, lead, at.getTime());
      return true;
    },
    awaiting: (before) =>
      state.leadsInOrder
        .filter((lead) => isWaiting(lead) && askedAt(lead) <= before.getTime())
        .map(({ id }) => id)
        .sort(),
    giveUpWaiting(id, at) {
      const lead = state.leads.get(id)!;
      const step = lead.nextStep;
      if (!isWaiting(lead) || step === null || lead.nextActionAt === null) return false;
      const { campaign, zone } = lead;
      const { steps, timezone, unreviewedLaunchPolicy } = campaign;
      const next = planAfterRefusal({ steps, step, zone, timezone }, at);
      lead.nextStep = next?.step ?? null;
      lead.nextBudget = "";
      lead.nextActionAt = next?.dueAt.getTime() ?? null;
      if (next === null) {
        Object.assign(lead, { status: "completed", stopReason: "not_accepted" });
        dropHold(lead);
        fileLead(lead);
        complete(state, [campaign.id]);
        return true;
      }
      const writer = lead.sends.findLast(
        (send) =>
          send?.lane.kind === "email" && campaign.senders.some(({ lane }) => lane === send.lane),
      );
      lead.laneId = writer?.lane.id ?? null;
      lead.nextChannel = writer === undefined ? "email" : null;
      endHold(state, lead, at.getTime());
      const hold = stepHoldOf(steps, next.step - 1, unreviewedLaunchPolicy);
      if (hold !== null && !lead.approved.has(next.step)) holdLead(state, lead, null, hold);
      return true;
    },
  };
}

const waits = (lead: Lead): boolean => lead.hold?.waitsFor === ACCEPTANCE_HOLD;

const isWaiting = (lead: Lead): boolean =>
  waits(lead) && lead.status === "active" && lead.connectedAt === null;

/** When its last connection request went out. */
function askedAt({ sends, nextStep, campaign }: Lead): number {
  const asked = sends
    .slice(0, nextStep ?? 0)
    .findLast(
      (send) =>
        (send?.state === "accepted" || send?.state === "assumed_sent") &&
        campaign.steps[send.step - 1]?.action_type === "connection_request",
    );
  return asked?.acceptedAt ?? Infinity;
}
