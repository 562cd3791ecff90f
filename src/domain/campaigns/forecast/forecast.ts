import type { Campaign } from "#db/campaigns/campaigns.ts";
import { type EngineSnapshot, loadSnapshot } from "#db/engine/snapshot.ts";
import { closedNotes } from "#db/network/notes.ts";
import { type LaneKind, NOTES_HOLD } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { gapSeconds } from "#src/domain/engine/chance.ts";
import { type PlannedSend, runAhead } from "#src/domain/engine/run-ahead.ts";
import { knownZone, localDate } from "#src/platform/time-zone.ts";
import { createModel } from "#src/domain/engine/memory/index.ts";
import { isNoted } from "#src/domain/campaigns/network-text.ts";
import { requireCampaign } from "#src/domain/campaigns/read.ts";
import { stepDueAt } from "#src/domain/engine/window.ts";
import { ownInterval } from "#src/domain/engine/window-columns.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** The assumptions of a forecast about a campaign that does not run yet. */
export const FORECAST_BASES = [
  "running",
  "resumed_now",
  "launched_now",
  "launched_at_start_date",
  "ended",
] as const;
export type ForecastBasis = (typeof FORECAST_BASES)[number];

export interface ForecastSend extends PlannedSend {
  kind: LaneKind;
  leadId: string;
  /** Null where it has none. */
  email: string | null;
  rowIndex: number;
}

export interface ForecastDay {
  date: string;
  sends: number;
  newLeads: number;
  followUps: number;
}

export interface Forecast {
  campaign: Campaign;
  generatedAt: Date;
  until: Date;
  basis: ForecastBasis;
  days: ForecastDay[];
  sends: ForecastSend[];
  /** The last message of the campaign, if it lies within the forecast. */
  finishesAt: Date | null;
}

/** Bounds of the work that one forecast may make. */
const LEADS_PER_CAMPAIGN = 20_000;
const MAX_SENDS = 50_000;

/**
 * What the engine will send for a campaign and when, to the second, if no user
 * changes anything and every message is accepted: the engine's own tick, run
 * ahead over a model of the campaign and of all that shares its senders.
 */
export async function forecastCampaign(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  { days, isEnough }: { days: number; isEnough?: (sends: PlannedSend[]) => boolean },
): Promise<Forecast> {
  const now = deps.clock.now();
  const campaign = await requireCampaign(deps, principal, campaignId);
  const until = new Date(now.getTime() + days * DAY_MS);
  const basis = basisOf(campaign, now);
  const empty = { campaign, generatedAt: now, until, basis, days: [], sends: [], finishesAt: null };
  if (basis === "ended") return empty;
  const start =
    basis === "launched_at_start_date" && campaign.startDate !== null ? campaign.startDate : now;
  const isNew = basis === "launched_now" || basis === "launched_at_start_date";
  const snapshot = await loadSnapshot(deps.db, {
    workspaceId: principal.workspaceId,
    campaignId,
    notLaunchedDueAt: isNew
      ? stepDueAt(start, campaign.steps[0]?.delay_days ?? 0, campaign.timezone)
      : null,
    now,
    leadsPerCampaign: LEADS_PER_CAMPAIGN,
  });
  if (basis !== "running") setRunning(snapshot, campaign, start);
  writeInTime(snapshot);
  waitForNotes(snapshot, await closedNotes(deps.db, principal.workspaceId, now));
  const planned = await runAhead(createModel(snapshot), start > now ? start : now, {
    until,
    periodSeconds: deps.settings.tick.periodSeconds,
    maxSends: MAX_SENDS,
    ...(isEnough === undefined ? {} : { isEnough }),
  });
  const kinds = new Map(snapshot.lanes.map(({ id, kind }) => [id, kind]));
  const leads = new Map(snapshot.leads.map((lead) => [lead.id, lead]));
  const sends = planned
    .filter((send) => send.campaignId === campaignId)
    .map((send) => {
      const { leadId, emailKey, rowIndex } = leads.get(send.campaignLeadId)!;
      return { ...send, kind: kinds.get(send.laneId)!, leadId, email: emailKey, rowIndex };
    });
  const isCut = snapshot.cutCampaigns.length > 0 || planned.length >= MAX_SENDS;
  const finished =
    !isCut && isEnough === undefined && isFinished(snapshot, campaign, sends, campaignId);
  return {
    ...empty,
    days: countDays(sends, campaign.timezone),
    sends,
    finishesAt: finished ? (sends.at(-1)?.at ?? null) : null,
  };
}

function basisOf(campaign: Campaign, now: Date): ForecastBasis {
  switch (campaign.status) {
    case "active":
    case "draining":
      return "running";
    case "paused":
      return campaign.launchedAt === null ? "launched_now" : "resumed_now";
    case "scheduled":
      return "launched_at_start_date";
    case "draft":
    case "failed":
    case "launching":
      return campaign.launchType === "scheduled" &&
        campaign.startDate !== null &&
        campaign.startDate > now
        ? "launched_at_start_date"
        : "launched_now";
    case "completed":
      return "ended";
  }
}

/** Does to the model what a launch or a resume does: a current interval of window, and senders that look at once. */
function setRunning(snapshot: EngineSnapshot, campaign: Campaign, start: Date): void {
  const row = snapshot.campaigns.find(({ id }) => id === campaign.id)!;
  const interval = ownInterval(campaign, start);
  row.status = campaign.pausedFrom === "draining" ? "draining" : "active";
  const sameDay = interval !== null && interval.day === row.openDay;
  row.openFrom = interval?.openFrom ?? null;
  row.openUntil = interval?.openUntil ?? null;
  row.openDay = interval?.day ?? null;
  if (!sameDay) Object.assign(row, { used: 0, usedNew: 0 });
  if (campaign.useLeadTimezone) openZones(snapshot, campaign.id, start);
  for (const lane of snapshot.lanes) {
    if (!snapshot.senders.some((own) => own.campaignId === campaign.id && own.laneId === lane.id))
      continue;
    const interval = Math.max(campaign.minIntervalSeconds, lane.minIntervalSeconds ?? 0);
    const gapOver =
      lane.lastSlotAt === null
        ? 0
        : lane.lastSlotAt.getTime() + gapSeconds(interval, lane.id, lane.slotNo) * 1000;
    const earliest = Math.max(start.getTime(), gapOver, lane.closedUntil?.getTime() ?? 0);
    lane.nextSlotAt = new Date(Math.min(lane.nextSlotAt?.getTime() ?? Infinity, earliest));
  }
}

/** A text that the prefetch writes is there for its slot; one that a user has to approve is not. */
function writeInTime({ campaigns, leads }: EngineSnapshot): void {
  for (const campaign of campaigns)
    if (campaign.unreviewedLaunchPolicy !== "hold")
      campaign.steps = campaign.steps.map((step) => ({
        ...step,
        ai_personalization_enabled: false,
      }));
  for (const lead of leads)
    if (lead.waitsFor === "awaiting_draft") Object.assign(lead, { held: false, waitsFor: null });
}

/** A note goes out once the network takes notes of its account again; the claim finds that lead by lead. */
function waitForNotes(
  { campaigns, senders, leads }: EngineSnapshot,
  closed: ReadonlyMap<string, Date>,
): void {
  const untilOf = new Map(
    senders.flatMap(({ campaignId, laneId }) => {
      const until = closed.get(laneId);
      return until === undefined ? [] : [[campaignId, until] as const];
    }),
  );
  const steps = new Map(campaigns.map((campaign) => [campaign.id, campaign.steps]));
  for (const lead of leads) {
    const holdUntil = untilOf.get(lead.campaignId);
    const step = steps.get(lead.campaignId)?.[lead.nextStep - 1];
    if (holdUntil === undefined || step === undefined || lead.held) continue;
    if (isNoted(step) && step.note_optional !== true)
      Object.assign(lead, { held: true, waitsFor: NOTES_HOLD, holdUntil });
  }
}

/** Every zone of its leads, to be read anew by the first tick. */
function openZones(snapshot: EngineSnapshot, campaignId: string, start: Date): void {
  const own = snapshot.leads.filter((lead) => lead.campaignId === campaignId);
  const names = new Set(own.map(({ zone }) => zone));
  const read = { campaignId, openFrom: start, openUntil: start };
  snapshot.zones = [
    ...snapshot.zones.filter((zone) => zone.campaignId !== campaignId),
    ...[...names].map((zone) => ({ ...read, zone })),
  ];
}

/** Whether every lead of the campaign that was not held got through all its steps. */
function isFinished(
  snapshot: EngineSnapshot,
  campaign: Campaign,
  sends: ForecastSend[],
  campaignId: string,
): boolean {
  const last = new Set(
    sends.filter(({ step }) => step === campaign.steps.length).map((send) => send.campaignLeadId),
  );
  const suppressed = new Set(snapshot.suppressed);
  return snapshot.leads.every(
    (lead) =>
      lead.campaignId !== campaignId || last.has(lead.id) || suppressed.has(lead.emailKey ?? ""),
  );
}

function countDays(sends: ForecastSend[], timezone: string): ForecastDay[] {
  const days = new Map<string, ForecastDay>();
  for (const { at, step } of sends) {
    const date = localDate(at, knownZone(timezone));
    const day = days.get(date) ?? { date, sends: 0, newLeads: 0, followUps: 0 };
    day.sends += 1;
    if (step === 1) day.newLeads += 1;
    else day.followUps += 1;
    days.set(date, day);
  }
  return [...days.values()];
}
