import { budgetOf } from "#db/engine/budgets.ts";
import type { Step } from "#db/schema/index.ts";
import { judgeStepChange, sameValue } from "#src/domain/campaigns/change-rules.ts";
import { dropHold } from "#src/domain/engine/memory/holds.ts";
import { type Campaign, earlier, type Lead } from "#src/domain/engine/memory/rows.ts";
import { addLead, addZone } from "#src/domain/engine/memory/seed.ts";
import {
  earliestSlot,
  fileCampaign,
  fileLane,
  fileLead,
  isRunning,
  type State,
  dayCountsOf,
} from "#src/domain/engine/memory/state.ts";
import { complete } from "#src/domain/engine/memory/sweep.ts";
import {
  ownWindow,
  stepDueAt,
  type WindowInterval,
  windowInterval,
  zoneOfLead,
} from "#src/domain/engine/window.ts";
import type { Actions, CampaignEdit, Workspace } from "./actions.ts";

export function campaignActions(
  workspace: Workspace,
): Pick<Actions, "pause" | "resume" | "drain" | "edit" | "changeSteps" | "addLeads"> {
  const { state, pauses } = workspace;
  const campaignOf = (id: string) => state.campaigns.get(id)!;
  return {
    pause(id) {
      const campaign = campaignOf(id);
      if (!isRunning(campaign)) return false;
      pauses.set(id, { from: campaign.status, reason: "user_requested" });
      campaign.status = "paused";
      fileCampaign(state, campaign);
      return true;
    },
    resume(id, at) {
      const campaign = campaignOf(id);
      if (campaign.status !== "paused" && campaign.status !== "draining") return false;
      const pause = campaign.status === "paused" ? pauses.get(id)! : null;
      if (pause?.reason === "sender_domain_failing" && !hasSender(workspace, campaign))
        return false;
      campaign.status = pause?.from === "draining" ? "draining" : "active";
      workspace.resumed.set(id, at.getTime());
      openWindow(campaign, at);
      openZones(state, campaign, at);
      fileCampaign(state, campaign);
      wakeLanes(state, campaign, at);
      complete(state, [id]);
      return true;
    },
    drain(id) {
      const campaign = campaignOf(id);
      if (campaign.status !== "active") return false;
      campaign.status = "draining";
      complete(state, [id]);
      return true;
    },
    edit(id, at, change) {
      const campaign = campaignOf(id);
      if (!changes(campaign, change)) return true;
      if (campaign.status !== "active" && campaign.status !== "paused") return false;
      Object.assign(campaign, change);
      campaign.configVersion++;
      if (campaign.status === "paused") return true;
      openWindow(campaign, at);
      fileCampaign(state, campaign);
      wakeLanes(state, campaign, at);
      return true;
    },
    changeSteps(id, at, steps) {
      const campaign = campaignOf(id);
      if (sameValue(steps, campaign.steps)) return true;
      const isOpen = campaign.status === "active" || campaign.status === "paused";
      if (!isOpen || !mayBecome(state, campaign, steps)) return false;
      const before = campaign.steps;
      campaign.steps = steps;
      campaign.configVersion++;
      for (const lead of campaign.leads) {
        waitAnew(lead, before);
        goOnWith(lead, steps);
      }
      if (campaign.status === "active") wakeLanes(state, campaign, at);
      return true;
    },
    addLeads(id, at, leads) {
      const campaign = campaignOf(id);
      const delayDays = campaign.steps[0]!.delay_days;
      const nextActionAt = stepDueAt(at, delayDays, campaign.timezone);
      if (campaign.status === "completed") openZones(state, campaign, at);
      for (const lead of leads) {
        addLead(state, { ...lead, nextActionAt });
        if (!campaign.useLeadTimezone || campaign.zones.has(lead.zone)) continue;
        addZone(state, { campaignId: id, zone: lead.zone, openFrom: at, openUntil: at });
      }
      if (campaign.status === "completed" && leads.length > 0) reopen(campaign, at);
      fileCampaign(state, campaign);
      wakeLanes(state, campaign, at);
      return true;
    },
  };
}

/** Steps of which anything began stay as they are. */
function mayBecome({ sends }: State, { id, status, steps }: Campaign, after: Step[]): boolean {
  const reached = [...sends.values()].filter(
    (send) => send.campaignId === id && send.state !== "released" && send.state !== "canceled",
  );
  return judgeStepChange(status, steps, after, new Set(reached.map(({ step }) => step))).ok;
}

/** Who waits for the delay alone waits for the new one; who waits longer for another reason never comes sooner. */
function waitAnew(lead: Lead, before: Step[]): void {
  const { campaign, nextStep, nextActionAt, zone } = lead;
  if (lead.status !== "active" || nextStep === null || nextActionAt === null) return;
  const last = lead.sends[nextStep - 1];
  const [was, is] = [before, campaign.steps].map((steps) => steps[nextStep - 1]?.delay_days);
  if (was === undefined || is === undefined || was === is) return;
  if (last?.state !== "accepted" && last?.state !== "assumed_sent") return;
  const dueAfter = (days: number) =>
    stepDueAt(new Date(last.slotAt), days, zoneOfLead(zone, campaign.timezone)).getTime();
  lead.nextActionAt =
    nextActionAt === dueAfter(was) ? dueAfter(is) : Math.max(nextActionAt, dueAfter(is));
}

/** A lead that waits for a step which is gone has had all there is. Of texts and connections nothing is settled anew. */
function goOnWith(lead: Lead, steps: Step[]): void {
  if (lead.nextStep === null || (lead.status !== "active" && lead.status !== "pending")) return;
  const next = steps[lead.nextStep - 1];
  if (next !== undefined || lead.status === "pending") lead.nextBudget = budgetOf(next);
  else {
    Object.assign(lead, { status: "completed", nextStep: null, nextActionAt: null });
    dropHold(lead);
  }
  fileLead(lead);
}

/** A sender that is active, of a domain in order. */
const hasSender = ({ failingDomains }: Workspace, { senders }: Campaign): boolean =>
  senders.some(
    ({ lane }) => lane.aliasStatus === "active" && !failingDomains.has(lane.limitedDomainId ?? ""),
  );

const changes = (campaign: Campaign, change: CampaignEdit): boolean =>
  Object.entries(change).some(([field, value]) => campaign[field as keyof CampaignEdit] !== value);

/** Every zone of its leads, to be read anew. */
function openZones(state: State, { id, useLeadTimezone, leads }: Campaign, at: Date): void {
  if (!useLeadTimezone) return;
  for (const zone of new Set(leads.map((lead) => lead.zone)))
    addZone(state, { campaignId: id, zone, openFrom: at, openUntil: at });
}

/** Counted anew from the ledger, so that nothing grants a second daily limit. */
function openWindow(campaign: Campaign, at: Date): void {
  const interval = windowInterval(ownWindow(campaign), at);
  setPiece(campaign, interval);
  if (interval === null) return;
  const { used, usedNew } = dayCountsOf(campaign, interval.day);
  campaign.used = used;
  campaign.usedNew = usedNew;
}

function reopen(campaign: Campaign, at: Date): void {
  const interval = windowInterval(ownWindow(campaign), at);
  campaign.status = "active";
  if (campaign.openDay !== (interval?.day ?? null)) {
    campaign.used = 0;
    campaign.usedNew = 0;
  }
  setPiece(campaign, interval);
}

function setPiece(campaign: Campaign, interval: WindowInterval | null): void {
  campaign.openFrom = interval?.openFrom.getTime() ?? null;
  campaign.openUntil = interval?.openUntil.getTime() ?? null;
  campaign.openDay = interval?.day ?? null;
}

/** The open senders of a campaign look for work. */
export function wakeLanes(state: State, campaign: Campaign, at: Date): void {
  for (const { lane } of campaign.senders) {
    if (!lane.open) continue;
    lane.nextSlotAt = earlier(lane.nextSlotAt, earliestSlot(at.getTime(), lane, campaign));
    fileLane(state, lane);
  }
}
