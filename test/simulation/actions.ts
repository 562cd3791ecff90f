import type { SnapshotLead } from "#db/engine/snapshot-rows.ts";
import type { CampaignLeadStatus } from "#db/schema/index.ts";
import type { WindowPiece } from "#src/domain/engine/window.ts";
import { endHold, holdLead } from "#src/domain/engine/memory/holds.ts";
import { type Campaign, earlier, type Lead } from "#src/domain/engine/memory/rows.ts";
import { addLead } from "#src/domain/engine/memory/seed.ts";
import {
  earliestSlot,
  fileCampaign,
  fileLane,
  fileLead,
  gapOver,
  type State,
  type SuppressionReason,
  tallyOf,
} from "#src/domain/engine/memory/state.ts";

/** What people do to a workspace while its engine runs, as the service does it to the database. */
export interface Actions {
  pause(campaignId: string): void;
  /** Goes on with this piece of window. */
  resume(campaignId: string, at: Date, piece: WindowPiece | null): void;
  drain(campaignId: string): void;
  /** A reply, an unsubscription: the lead ends, and whatever is claimed for it is refused. */
  endLead(leadId: string, status: CampaignLeadStatus): void;
  /** Nothing begins to the address any more; its leads end in every campaign. */
  suppress(emailKey: string, reason: SuppressionReason): void;
  hold(leadId: string, until: Date | null): void;
  release(leadId: string, at: Date): void;
  /** A completed campaign becomes active by it. */
  addLeads(campaignId: string, at: Date, piece: WindowPiece | null, leads: SnapshotLead[]): void;
  edit(campaignId: string, at: Date, change: CampaignEdit): void;
  /** Closed by its owner, or opened again. */
  setSenderOpen(laneId: string, at: Date, open: boolean): void;
}

export type CampaignEdit = Partial<
  Pick<Campaign, "dailyLimit" | "maxNewLeadsPerDay" | "minIntervalSeconds">
>;

export function createActions(state: State): Actions {
  const campaignOf = (id: string) => state.campaigns.get(id)!;
  const leadOf = (id: string) => state.leads.get(id)!;
  const byAddress = new Map<string, Lead[]>();
  let indexed = 0;
  /** Leads are only ever added: the index catches up when it is asked. */
  const leadsOf = (emailKey: string): Lead[] => {
    for (; indexed < state.leadsInOrder.length; indexed++) {
      const lead = state.leadsInOrder[indexed]!;
      const others = byAddress.get(lead.emailKey);
      if (others === undefined) byAddress.set(lead.emailKey, [lead]);
      else others.push(lead);
    }
    return byAddress.get(emailKey) ?? [];
  };
  return {
    pause(id) {
      const campaign = campaignOf(id);
      if (campaign.status !== "active" && campaign.status !== "draining") return;
      campaign.pausedFrom = campaign.status;
      campaign.status = "paused";
      fileCampaign(state, campaign);
    },
    resume(id, at, piece) {
      const campaign = campaignOf(id);
      if (campaign.status === "paused")
        campaign.status = campaign.pausedFrom === "draining" ? "draining" : "active";
      else if (campaign.status === "draining") campaign.status = "active";
      else return;
      campaign.pausedFrom = null;
      openWindow(campaign, piece);
      fileCampaign(state, campaign);
      wakeLanes(state, campaign, at.getTime());
    },
    drain(id) {
      const campaign = campaignOf(id);
      if (campaign.status === "active") campaign.status = "draining";
    },
    endLead: (id, status) => endLead(leadOf(id), status),
    suppress(emailKey, reason) {
      state.suppressed.set(emailKey, reason);
      for (const lead of leadsOf(emailKey)) endLead(lead, ENDED_BY[reason]);
    },
    hold: (id, until) => holdLead(state, leadOf(id), until && until.getTime()),
    release(id, at) {
      const lead = leadOf(id);
      endHold(state, lead, at.getTime());
      wakeLanes(state, lead.campaign, at.getTime());
    },
    addLeads(id, at, piece, leads) {
      const campaign = campaignOf(id);
      for (const lead of leads) addLead(state, lead);
      if (campaign.status === "completed") {
        campaign.status = "active";
        if (campaign.openDay !== (piece?.day ?? null)) {
          campaign.used = 0;
          campaign.usedNew = 0;
        }
        setPiece(campaign, piece);
        fileCampaign(state, campaign);
      }
      wakeLanes(state, campaign, at.getTime());
    },
    edit(id, at, change) {
      const campaign = campaignOf(id);
      Object.assign(campaign, change);
      if (campaign.status === "active") wakeLanes(state, campaign, at.getTime());
    },
    setSenderOpen(id, at, open) {
      const lane = state.lanes.get(id)!;
      lane.aliasStatus = open ? "active" : "paused";
      lane.open = open;
      lane.closedSince = open ? null : (lane.closedSince ?? at.getTime());
      if (!open) lane.nextSlotAt = null;
      if (open) {
        lane.closedUntil = null;
        lane.failures = 0;
        const gap = gapOver(lane, lane.minIntervalSeconds ?? 60);
        lane.nextSlotAt = earlier(lane.nextSlotAt, Math.max(at.getTime(), gap ?? 0));
      }
      fileLane(state, lane);
    },
  };
}

const ENDED_BY: Record<SuppressionReason, CampaignLeadStatus> = {
  unsubscribe: "unsubscribed",
  complaint: "complained",
  hard_bounce: "bounced",
  manual: "stopped",
};

function endLead(lead: Lead, status: CampaignLeadStatus): void {
  if (lead.status !== "pending" && lead.status !== "active") return;
  lead.status = status;
  lead.stopReason = status;
  lead.nextStep = null;
  lead.nextActionAt = null;
  fileLead(lead);
}

function openWindow(campaign: Campaign, piece: WindowPiece | null): void {
  setPiece(campaign, piece);
  if (piece === null) return;
  // Counted anew from the ledger, so that a pause never grants a second daily limit.
  const { used, usedNew } = tallyOf(campaign, piece.day);
  campaign.used = used;
  campaign.usedNew = usedNew;
}

function setPiece(campaign: Campaign, piece: WindowPiece | null): void {
  campaign.openFrom = piece?.openFrom.getTime() ?? null;
  campaign.openUntil = piece?.openUntil.getTime() ?? null;
  campaign.openDay = piece?.day ?? null;
}

function wakeLanes(state: State, campaign: Campaign, at: number): void {
  for (const { lane } of campaign.senders) {
    if (!lane.open) continue;
    lane.nextSlotAt = earlier(lane.nextSlotAt, earliestSlot(at, lane, campaign));
    fileLane(state, lane);
  }
}
