import type { Campaign } from "#db/campaigns/campaigns.ts";
import { type EngineSnapshot, loadSnapshot } from "#db/engine/snapshot.ts";
import { countOpenLeads } from "#db/engine/snapshot-leads.ts";
import type { FirstLeads } from "#db/engine/snapshot-places.ts";
import { closedNotes } from "#db/network/notes.ts";
import type { LaneKind } from "#db/schema/index.ts";
import { isDraftedStep } from "#db/engine/draft-hold.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { type PlannedSend, runAhead } from "#src/domain/engine/run-ahead.ts";
import { knownZone, localDate } from "#src/platform/time-zone.ts";
import { createModel, type Model } from "#src/domain/engine/memory/index.ts";
import { requireCampaign } from "#src/domain/campaigns/read.ts";
import { stepDueAt } from "#src/domain/engine/window.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { setRunning, waitForNotes, writeInTime } from "./assumptions.ts";
import { basisOf, type ForecastBasis } from "./basis.ts";

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
export const LEADS_PER_CAMPAIGN = 20_000;
export const MAX_SENDS = 50_000;

export interface Depth extends FirstLeads {
  /** Goes further than the one before only where campaigns share their senders. */
  amongSeveral?: boolean;
}

export interface Look {
  days: number;
  /** Made for each run: asked after each tick, true when the caller knows enough. */
  enough?: (model: Model) => (sends: PlannedSend[]) => boolean;
  /** How far into the leads, the nearest first; where none goes far enough, all are loaded. */
  depths: readonly Depth[];
  /** Of a campaign that runs: it is as it will be behind a change, with which its senders look anew. */
  isChanged?: boolean;
}

/**
 * What the engine will send for a campaign and when, to the second, if no user
 * changes anything and every message is accepted: the engine's own tick, run
 * ahead over a model of the campaign and of all that shares its senders.
 */
export async function forecastCampaign(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  days: number,
): Promise<Forecast> {
  return forecastOf(deps, await requireCampaign(deps, principal, campaignId), days);
}

/** A campaign as it would be, stored or not. */
export interface AsIf {
  campaign: Campaign;
  /** Whether it runs, and would be changed. */
  isChanged: boolean;
  /** Whether its leads would go by other clocks: the queues that there are go by those of now. */
  isRezoned: boolean;
}

/** The forecast of a campaign as it would be. */
export const forecastAsIf = (
  deps: Deps,
  { campaign, isChanged, isRezoned }: AsIf,
  days: number,
): Promise<Forecast> => {
  const look = { days, isChanged, depths: isRezoned ? [] : depthsOf(days) };
  return lookAhead(deps, campaign, look, (db, order) => loadSnapshot(db, { ...order, campaign }));
};

const forecastOf = (deps: Deps, campaign: Campaign, days: number) =>
  lookAhead(deps, campaign, { days, depths: depthsOf(days) });

function depthsOf(days: number): Depth[] {
  const within = { newLeads: LEADS_PER_CAMPAIGN, followUps: LEADS_PER_CAMPAIGN, days: days + 1 };
  return [
    { ...within, inEqualParts: true },
    { ...within, amongSeveral: true },
  ];
}

/**
 * The forecast as far as `enough` asks. The model first has the first leads of each queue alone; a run that comes to
 * the last of these is thrown away for one with more, so that what is answered is what all leads would give.
 */
export async function lookAhead(
  { db, clock, settings }: Pick<Deps, "db" | "clock" | "settings">,
  campaign: Campaign,
  { days, enough, depths, isChanged = false }: Look,
  load = loadSnapshot,
): Promise<Forecast> {
  const now = clock.now();
  const until = new Date(now.getTime() + days * DAY_MS);
  const basis = basisOf(campaign, now);
  const empty = { campaign, generatedAt: now, until, basis, days: [], sends: [], finishesAt: null };
  if (basis === "ended") return empty;
  const { id: campaignId, workspaceId } = campaign;
  const start =
    basis === "launched_at_start_date" && campaign.startDate !== null ? campaign.startDate : now;
  const isNew = basis === "launched_now" || basis === "launched_at_start_date";
  const notLaunchedDueAt = isNew
    ? stepDueAt(start, campaign.steps[0]?.delay_days ?? 0, campaign.timezone)
    : null;
  const begins = basis !== "running" || isChanged;
  const notes = await closedNotes(db, workspaceId, now);
  let isAlone = false;
  for (const first of [...(mayLookAtFirst(campaign, begins, notes) ? depths : []), null]) {
    if (isAlone && first?.amongSeveral === true) continue;
    const order = { workspaceId, campaignId, notLaunchedDueAt, now, first };
    const snapshot = await load(db, { ...order, leadsPerCampaign: LEADS_PER_CAMPAIGN });
    isAlone = snapshot.campaigns.length === 1;
    if (begins) setRunning(snapshot, campaign, start);
    const model = modelOf(snapshot, notes);
    const isEnough = enough?.(model) ?? (() => false);
    const planned = await runAhead(model, start > now ? start : now, {
      until,
      periodSeconds: settings.tick.periodSeconds,
      maxSends: MAX_SENDS,
      isEnough: (sends) => ranOut(model) || isEnough(sends),
    });
    if (ranOut(model)) continue;
    const sends = sendsOf(snapshot, planned, campaignId);
    const isCut = snapshot.cutCampaigns.length > 0 || planned.length >= MAX_SENDS;
    const finished = !isCut && enough === undefined && isFinished(model, campaign, sends);
    if (finished && first !== null && !(await isWhole(snapshot))) continue;
    return {
      ...empty,
      days: countDays(sends, campaign.timezone),
      sends,
      finishesAt: finished ? (sends.at(-1)?.at ?? null) : null,
    };
  }
  throw new Error("A model of all leads came to an edge");

  /** Whether no lead of the campaign is left out: held ones are, and those that no sender may take. */
  async function isWhole({ leads, edges }: EngineSnapshot): Promise<boolean> {
    const own = new Set(leads.filter((lead) => lead.campaignId === campaignId).map(({ id }) => id));
    if (edges.some((id) => own.has(id))) return false;
    return isNew || own.size === (await countOpenLeads(db, campaignId));
  }
}

/** What the engine would find, by what every forecast assumes. */
export function modelOf(snapshot: EngineSnapshot, notes: ReadonlyMap<string, Date>): Model {
  writeInTime(snapshot);
  waitForNotes(snapshot, notes);
  return createModel(snapshot);
}

export const ranOut = ({ state }: Model): boolean =>
  [...state.campaigns.values()].some((campaign) => campaign.ranOut);

/** Not where the forecast itself moves leads from queue to queue, so that the first of them are others. */
function mayLookAtFirst(
  { useLeadTimezone, unreviewedLaunchPolicy, steps }: Campaign,
  begins: boolean,
  notes: ReadonlyMap<string, Date>,
): boolean {
  if (notes.size > 0) return false;
  if (!begins) return true;
  return !useLeadTimezone && !(unreviewedLaunchPolicy === "hold" && isDraftedStep(steps[0]));
}

function sendsOf(
  { lanes, leads }: EngineSnapshot,
  planned: PlannedSend[],
  campaignId: string,
): ForecastSend[] {
  const kinds = new Map(lanes.map(({ id, kind }) => [id, kind]));
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  return planned
    .filter((send) => send.campaignId === campaignId)
    .map((send) => {
      const { leadId, emailKey, rowIndex } = byId.get(send.campaignLeadId)!;
      return { ...send, kind: kinds.get(send.laneId)!, leadId, email: emailKey, rowIndex };
    });
}

/** Whether every lead of the campaign that was not held got through all its steps, or was ended by its suppression. */
function isFinished({ state }: Model, campaign: Campaign, sends: ForecastSend[]): boolean {
  const last = new Set(
    sends.filter(({ step }) => step === campaign.steps.length).map((send) => send.campaignLeadId),
  );
  return state.leadsInOrder.every(
    (lead) =>
      lead.campaign.id !== campaign.id || last.has(lead.id) || lead.stopReason === "suppressed",
  );
}

export function countDays(sends: readonly PlannedSend[], timezone: string): ForecastDay[] {
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
