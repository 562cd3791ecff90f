import type {
  SnapshotCampaign,
  SnapshotDomain,
  SnapshotLane,
  SnapshotLead,
  SnapshotRate,
  SnapshotSend,
  SnapshotZone,
} from "#db/engine/snapshot-rows.ts";
import { newSend } from "./claim.ts";
import { quotasOfDay } from "./domain-quotas.ts";
import { holdLead } from "./holds.ts";
import { enqueue, notQueued } from "./queue.ts";
import {
  type Campaign,
  type Domain,
  type Lane,
  type Lead,
  type ModelData,
  msOf,
  type OperatorRate,
} from "./rows.ts";
import { fileCampaign, fileLane, fileLead, fileSend, followUpsOf, type State } from "./state.ts";

export function seed(data: ModelData): State {
  const state: State = {
    timezone: data.workspaceTimezone,
    lanes: new Map(),
    domains: new Map(data.domains.map((row) => [row.id, domainOf(row)])),
    rates: ratesOf(data.rates ?? []),
    operators: new Map(data.operators?.map(({ domain, operator }) => [domain, operator])),
    campaigns: new Map(),
    leads: new Map(),
    leadsInOrder: [],
    sends: new Map(),
    slots: [],
    windows: [],
    zones: [],
    holds: [],
    leases: [],
    unknowns: [],
    suppressed: new Map(
      data.suppressed.map(({ emailKey, reason }) => [emailKey, { reason, until: null }]),
    ),
    mail: new Map(),
    sendCount: 0,
    lastTickAt: null,
  };
  for (const row of data.lanes) addLane(state, row);
  for (const row of data.campaigns) addCampaign(state, row);
  for (const row of data.zones) addZone(state, row);
  for (const { campaignId, laneId, lastServedAt } of data.senders)
    addSender(state, campaignId, laneId, msOf(lastServedAt));
  for (const row of data.leads) addLead(state, row);
  for (const id of data.edges ?? []) state.leads.get(id)!.isEdge = true;
  for (const row of data.sends) addSend(state, row);
  for (const { emailKey, campaignId, at } of data.mailed) {
    const trace = {
      campaignId,
      state: "accepted" as const,
      acceptedAt: at.getTime(),
      transmittingAt: at.getTime(),
    };
    state.mail.set(emailKey, [...(state.mail.get(emailKey) ?? []), trace]);
  }
  return state;
}

function ratesOf(rows: readonly SnapshotRate[]): State["rates"] {
  const rates: State["rates"] = new Map();
  for (const { domainId, operator, perHour, changedAt, nextAt } of rows) {
    const ofDomain = rates.get(domainId) ?? new Map<string, OperatorRate>();
    rates.set(domainId, ofDomain);
    ofDomain.set(operator, { perHour, changedAt: changedAt.getTime(), nextAt: nextAt.getTime() });
  }
  return rates;
}

function operatorOf({ operators }: State, emailKey: string | null): string {
  const domain = emailKey?.split("@")[1] ?? "";
  return operators.get(domain) ?? domain;
}

function domainOf({ id, dailyLimit, otherLaneIds, shares }: SnapshotDomain): Domain {
  const domain: Domain = { id, dailyLimit, lanes: [], otherLaneIds, shares: new Map() };
  for (const { dayFrom, laneId, dealt } of shares)
    quotasOfDay(domain, dayFrom.getTime()).set(laneId, dealt);
  return domain;
}

export function addLane(state: State, row: SnapshotLane): void {
  const lane: Lane = {
    ...notQueued(state.lanes.size),
    ...row,
    exists: true,
    aliasStatus: "active",
    lastError: null,
    lastErrorKind: null,
    nextSlotAt: msOf(row.nextSlotAt),
    lastSlotAt: msOf(row.lastSlotAt),
    lastBegunAt: msOf(row.lastBegunAt),
    lastAcceptedAt: null,
    refused: new Set(),
    dayFrom: msOf(row.dayFrom),
    dayUntil: msOf(row.dayUntil),
    closedUntil: msOf(row.closedUntil),
    closedSince: null,
    connections: [],
    senders: [],
  };
  state.lanes.set(lane.id, lane);
  if (lane.limitedDomainId !== null) state.domains.get(lane.limitedDomainId)!.lanes.push(lane);
  fileLane(state, lane);
}

export function addCampaign(state: State, row: SnapshotCampaign): void {
  const campaign: Campaign = {
    ...notQueued(state.campaigns.size),
    ...row,
    // Of the model's own count: nothing outlives it.
    configVersion: 1,
    openFrom: msOf(row.openFrom),
    openUntil: msOf(row.openUntil),
    senders: [],
    leads: [],
    pendingCount: 0,
    activeCount: 0,
    fresh: new Map(),
    followUps: new Map(),
    pools: { email: new Map(), socialnet: new Map() },
    zones: new Map(),
    dayCounts: new Map(),
    ranOut: false,
  };
  // What was counted before the model knew the campaign; a recount adds the ledger's own.
  if (row.openDay !== null)
    campaign.dayCounts.set(row.openDay, { used: row.used, usedNew: row.usedNew });
  state.campaigns.set(campaign.id, campaign);
  fileCampaign(state, campaign);
}

/** In the place of what the campaign knows of that zone. */
export function addZone(state: State, row: SnapshotZone): void {
  const campaign = state.campaigns.get(row.campaignId);
  if (campaign === undefined) return;
  const zone = campaign.zones.get(row.zone) ?? {
    ...notQueued(0),
    campaign,
    zone: row.zone,
    openFrom: 0,
    openUntil: 0,
  };
  zone.openFrom = row.openFrom.getTime();
  zone.openUntil = row.openUntil.getTime();
  campaign.zones.set(row.zone, zone);
  enqueue(state.zones, zone, zone.openUntil);
}

/** Unknown campaigns and lanes (one without an alias) are passed over. */
export function addSender(
  state: State,
  campaignId: string,
  laneId: string,
  lastServedAt: number | null,
): void {
  const campaign = state.campaigns.get(campaignId);
  const lane = state.lanes.get(laneId);
  if (campaign === undefined || lane === undefined) return;
  // By the shorter list: a campaign may have thousands of senders.
  if (lane.senders.some((sender) => sender.campaign === campaign)) return;
  const sender = { campaign, lane, lastServedAt, followUps: followUpsOf(campaign, laneId) };
  campaign.senders.push(sender);
  lane.senders.push(sender);
}

export function addLead(state: State, row: SnapshotLead): void {
  const campaign = state.campaigns.get(row.campaignId);
  if (campaign === undefined) return;
  const lead: Lead = {
    ...notQueued(row.rowIndex),
    id: row.id,
    campaign,
    emailKey: row.emailKey,
    operator: operatorOf(state, row.emailKey),
    zone: row.zone,
    rowIndex: row.rowIndex,
    status: row.status,
    countedAs: null,
    currentStep: row.nextStep - 1,
    nextStep: row.nextStep,
    nextActionAt: msOf(row.nextActionAt),
    laneId: row.laneId,
    nextChannel: row.nextChannel,
    nextBudget: row.nextBudget,
    stopReason: null,
    lastError: null,
    hold: null,
    connectedAt: msOf(row.connectedAt),
    approved: new Map(Object.entries(row.approved ?? {}).map(([step, at]) => [Number(step), at])),
    sends: [],
    isEdge: false,
  };
  campaign.leads.push(lead);
  state.leads.set(lead.id, lead);
  state.leadsInOrder.push(lead);
  fileLead(lead);
  if (row.held) holdLead(state, lead, msOf(row.holdUntil), row.waitsFor);
}

function addSend(state: State, row: SnapshotSend): void {
  const lead = state.leads.get(row.campaignLeadId);
  const lane = state.lanes.get(row.laneId);
  if (lead === undefined || lane === undefined) return;
  const send = newSend(state, lead, row.step, lane);
  send.state = row.state;
  send.slotAt = row.slotAt.getTime();
  send.campaignDay = row.campaignDay;
  send.laneDayUntil = row.laneDayUntil.getTime();
  send.budget = row.budget;
  if (send.budget === "connection") lane.connections.push(send);
  send.isNew = row.isNew;
  send.leaseUntil = msOf(row.leaseUntil);
  send.transmittingAt = msOf(row.transmittingAt);
  send.claims = row.claims;
  send.attempts = row.attempts;
  if (row.emailKey !== null && (send.state === "transmitting" || send.state === "unknown"))
    state.mail.set(row.emailKey, [...(state.mail.get(row.emailKey) ?? []), send]);
  fileSend(state, send);
  // Its reservation is in the campaign's count already.
  if (send.counted !== null && send.campaignDay === lead.campaign.openDay) {
    send.counted.used--;
    if (send.countedNew) send.counted.usedNew--;
  }
}
