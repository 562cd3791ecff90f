import { endHold } from "#src/domain/engine/memory/holds.ts";
import type { Campaign, Lead } from "#src/domain/engine/memory/rows.ts";
import { isRunning } from "#src/domain/engine/memory/state.ts";
import type { Actions, Workspace } from "./actions.ts";

/** As src/domain/messages/drafts/prefetch.ts has them. */
const HORIZON_MS = 3_600_000;
const TRIED_AGAIN_MS = 120_000;
const TRIES_A_DAY = 5;
const DAY_MS = 86_400_000;
const AT_LEAST = 20;
const AT_MOST = 200;

interface Generation {
  lead: Lead;
  step: number;
  isOpen: boolean;
  createdAt: number;
  updatedAt: number;
}

/** Texts that are written by themselves, as the service asks for them and keeps them. */
export function draftActions({
  state,
  resumed,
}: Workspace): Pick<Actions, "prefetch" | "endDraft"> {
  const byLead = new Map<Lead, Generation[]>();
  const of = ({ lead, step }: { lead: Lead; step: number }) =>
    (byLead.get(lead) ?? []).filter((generation) => generation.step === step);

  const resumedAt = ({ campaign }: Lead) => resumed.get(campaign.id) ?? -Infinity;
  const tries = (lead: Lead, since: number): number =>
    of({ lead, step: lead.nextStep! }).filter(({ createdAt }) => createdAt > since).length;
  const mayBeTried = (lead: Lead, at: number): boolean =>
    tries(lead, Math.max(at - DAY_MS, resumedAt(lead))) < TRIES_A_DAY &&
    of({ lead, step: lead.nextStep! }).every(
      ({ isOpen, updatedAt }) =>
        !isOpen && updatedAt <= Math.max(at - TRIED_AGAIN_MS, resumedAt(lead)),
    );
  const waiting = (campaign: Campaign, status: Lead["status"], at: number): Lead[] =>
    campaign.leads
      .filter(
        (lead) =>
          lead.hold?.waitsFor === "awaiting_draft" &&
          lead.status === status &&
          lead.nextActionAt !== null &&
          lead.nextActionAt <= at + HORIZON_MS &&
          mayBeTried(lead, at),
      )
      .sort((a, b) => a.nextActionAt! - b.nextActionAt! || a.rowIndex - b.rowIndex);
  const provided = (campaign: Campaign): number => {
    const ready = campaign.leads.filter(
      ({ status, nextActionAt, hold }) =>
        status === "pending" && nextActionAt !== null && hold === null,
    );
    const open = campaign.leads.filter((lead) => of({ lead, step: 1 }).some((each) => each.isOpen));
    return Math.min(AT_MOST, ready.length) + Math.min(AT_MOST, open.length);
  };

  return {
    prefetch(at) {
      const now = at.getTime();
      const asked: string[] = [];
      for (const campaign of state.campaigns.values()) {
        if (!isRunning(campaign) || campaign.unreviewedLaunchPolicy === "hold") continue;
        if (campaign.openFrom === null || campaign.openFrom > now + HORIZON_MS) continue;
        const wanted = Math.min(AT_MOST, Math.max(AT_LEAST, capacityOf(campaign, now)));
        const lacking = Math.max(0, wanted - provided(campaign));
        const fresh = campaign.status === "active" ? waiting(campaign, "pending", now) : [];
        const leads = [...waiting(campaign, "active", now), ...fresh.slice(0, lacking)];
        for (const lead of leads.slice(0, AT_MOST)) {
          const generation = {
            lead,
            step: lead.nextStep!,
            isOpen: true,
            createdAt: now,
            updatedAt: now,
          };
          byLead.set(lead, [...(byLead.get(lead) ?? []), generation]);
          asked.push(`${lead.id}/${lead.nextStep}`);
        }
      }
      return asked.sort();
    },
    endDraft(leadId, step, at, answer) {
      const lead = state.leads.get(leadId)!;
      const open = of({ lead, step }).find(({ isOpen }) => isOpen)!;
      Object.assign(open, { isOpen: false, updatedAt: at.getTime() });
      const isUnderWay = lead.status === "pending" || lead.status === "active";
      if (!isUnderWay || !isRunning(lead.campaign) || lead.nextStep !== step) return "skipped";
      if (answer === "failed") return "failed";
      if (lead.hold?.waitsFor === "awaiting_draft") endHold(state, lead, at.getTime());
      return "generated";
    },
  };
}

/** What the campaign's senders can send within the horizon. */
function capacityOf(campaign: Campaign, at: number): number {
  const own = campaign.senders.map(({ lane }) => {
    if (!lane.open || lane.kind !== "email") return 0;
    const isToday = lane.dayUntil !== null && lane.dayUntil > at;
    const seconds = Math.max(campaign.minIntervalSeconds, lane.minIntervalSeconds ?? 0, 1);
    const inTime = 1 + Math.floor(HORIZON_MS / 1000 / seconds);
    return Math.max(0, Math.min(isToday ? lane.dayCap - lane.used : lane.dayCap, inTime));
  });
  const { dailyLimit, used, maxNewLeadsPerDay, usedNew } = campaign;
  return Math.min(
    dailyLimit - used,
    maxNewLeadsPerDay === null ? Infinity : maxNewLeadsPerDay - usedNew,
    own.reduce((sum, count) => sum + count, 0),
  );
}
