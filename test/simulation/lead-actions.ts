import { RESTORED_HOLD } from "#db/engine/restored.ts";
import { ACCEPTANCE_HOLD, type CampaignLeadStatus, DRAFT_HOLDS } from "#db/schema/index.ts";
import { dropHold, endHold, holdLead } from "#src/domain/engine/memory/holds.ts";
import { recordOutcomes } from "#src/domain/engine/memory/outcomes.ts";
import { planOf } from "#src/domain/engine/memory/load.ts";
import type { Lead, Send } from "#src/domain/engine/memory/rows.ts";
import { addZone } from "#src/domain/engine/memory/seed.ts";
import { fileLead, isRunning, type State } from "#src/domain/engine/memory/state.ts";
import { suppress, suppressionOf } from "#src/domain/engine/memory/suppressions.ts";
import { complete } from "#src/domain/engine/memory/sweep.ts";
import { NO_WORKER, nextStepOf } from "#src/domain/engine/outcome.ts";
import type { Actions, Workspace } from "./actions.ts";
import { wakeLanes } from "./campaign-actions.ts";

export function leadActions({
  state,
}: Workspace): Pick<
  Actions,
  "endLead" | "hear" | "hold" | "release" | "approve" | "endWait" | "suppress" | "moveLead"
> {
  const leadOf = (id: string) => state.leads.get(id)!;
  const leadsOf = createAddressBook(state);
  const change = (lead: Lead, apply: () => void): boolean => {
    const isUnderWay = lead.status === "pending" || lead.status === "active";
    if (isUnderWay) apply();
    return isUnderWay;
  };
  return {
    endLead(id, _at, how) {
      const lead = leadOf(id);
      if (lead.status === how) return true;
      const reason = how === "replied" ? "marked_replied" : "user_requested";
      const hasEnded = change(lead, () => endLead(lead, how, reason));
      if (hasEnded) complete(state, [lead.campaign.id]);
      return hasEnded;
    },
    hear(id, step, at, sign) {
      const lead = leadOf(id);
      const send = lead.sends[step];
      if (send === undefined || send.transmittingAt === null) return false;
      const isMail = send.lane.kind === "email";
      if (!isMail && sign === "opened") return false;
      if (isMail && send.state === "unknown") confirm(state, send, at);
      if (sign === "opened") return true;
      const ended = leadsOf(lead.emailKey!).filter((other) => endLead(other, "replied"));
      complete(state, [...new Set(ended.map(({ campaign }) => campaign.id))]);
      return true;
    },
    hold(id, at, until) {
      if (until !== null && until <= at) return false;
      const lead = leadOf(id);
      if (lead.hold?.waitsFor === RESTORED_HOLD) return false;
      return change(lead, () => holdLead(state, lead, until && until.getTime()));
    },
    release(id, at) {
      const lead = leadOf(id);
      const isUnderWay = change(lead, () => {
        if (lead.hold?.waitsFor === ACCEPTANCE_HOLD) lead.connectedAt ??= at.getTime();
        endHold(state, lead, at.getTime());
        for (const send of lead.sends)
          if (send?.state === "released") Object.assign(send, { claims: 0, alone: 0 });
      });
      // Its senders look even if the lead had ended: the service wakes them in the same transaction.
      wakeLanes(state, lead.campaign, at);
      return isUnderWay;
    },
    approve(id, step, at, approvedAt) {
      leadOf(id).approved.set(step, approvedAt);
      endWait(state, leadOf(id), step, at, DRAFT_HOLDS);
      return true;
    },
    endWait(id, step, at) {
      endWait(state, leadOf(id), step, at, ["awaiting_draft"]);
      return true;
    },
    moveLead(id, at, timezone) {
      const lead = leadOf(id);
      const { campaign } = lead;
      const zone = timezone ?? "";
      if (!campaign.useLeadTimezone || lead.zone === zone) return true;
      lead.zone = zone;
      fileLead(lead);
      if (!isRunning(campaign)) return true;
      if (!campaign.zones.has(zone))
        addZone(state, { campaignId: campaign.id, zone, openFrom: at, openUntil: at });
      wakeLanes(state, campaign, at);
      return true;
    },
    suppress(emailKey, at, reason) {
      suppress(state, at.getTime(), emailKey, reason);
      const ended = leadsOf(emailKey).filter((lead) =>
        reason === "manual"
          ? lead.nextActionAt !== null &&
            endLead(
              lead,
              ENDED_BY[suppressionOf(state, at.getTime(), emailKey, "email")!],
              "suppressed",
            )
          : endLead(lead, ENDED_BY[reason]),
      );
      complete(state, [...new Set(ended.map(({ campaign }) => campaign.id))]);
      return true;
    },
  };
}

function endWait(
  state: State,
  lead: Lead,
  step: number,
  at: Date,
  holds: readonly unknown[],
): void {
  const waitsFor = lead.hold?.waitsFor ?? null;
  if (waitsFor === null || lead.nextStep !== step || !holds.includes(waitsFor)) return;
  endHold(state, lead, at.getTime());
}

/** It did go out: the lead goes on as after an acceptance. */
function confirm(state: State, send: Send, at: Date): void {
  const { id, step, slotAt } = send;
  const next = nextStepOf(step, new Date(slotAt), planOf(send));
  const reason = "A sign of it came back: it arrived.";
  recordOutcomes(state, at.getTime(), NO_WORKER, [{ id, kind: "confirmed", reason, ...next }]);
}

const ENDED_BY = {
  unsubscribe: "unsubscribed",
  complaint: "complained",
  hard_bounce: "bounced",
  manual: "stopped",
} as const;

function endLead(lead: Lead, status: CampaignLeadStatus, reason: string = status): boolean {
  if (lead.status !== "pending" && lead.status !== "active") return false;
  lead.status = status;
  lead.stopReason = reason;
  lead.nextStep = null;
  lead.nextActionAt = null;
  dropHold(lead);
  fileLead(lead);
  return true;
}

/** Leads are only ever added: the index catches up when it is asked. */
function createAddressBook(state: State): (emailKey: string) => Lead[] {
  const byAddress = new Map<string, Lead[]>();
  let indexed = 0;
  return (emailKey) => {
    for (; indexed < state.leadsInOrder.length; indexed++) {
      const lead = state.leadsInOrder[indexed]!;
      const others = byAddress.get(lead.emailKey!);
      if (others === undefined) byAddress.set(lead.emailKey!, [lead]);
      else others.push(lead);
    }
    return byAddress.get(emailKey) ?? [];
  };
}
