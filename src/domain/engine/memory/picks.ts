import type { Budget } from "#db/schema/index.ts";
import { barredAt } from "./operator-rates.ts";
import { firstOfAll } from "./queue.ts";
import type { Campaign, Lane, Lead, Sender } from "./rows.ts";
import {
  doesFirstStep,
  firstBudgetOf,
  isRunning,
  openBudgets,
  startsLeads,
  type State,
} from "./state.ts";
import { areSame, firstIn, firstNotBarred, openZones, placesOf } from "./zones.ts";

/** A lead's source: started ones of this sender, started ones that any sender of the channel may take, and new ones. */
type Source = "own" | "pool" | "new";

export interface Pick {
  lane: Lane;
  at: number;
  sender: Sender;
  source: Source;
  /** The zones open at its slot. */
  zones: readonly string[];
  /** The budgets that are not used up on its day. */
  budgets: readonly Budget[];
  /** The operators to which its domain may not write now. */
  barred: readonly string[];
}

export const isNew = ({ source }: Pick): boolean => source === "new";

export const compareIds = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The lane's campaigns with due work, in the order of its service: those with a follow-up of this sender before those with a new lead, then the least recently served. */
export function turnsOf(state: State, lane: Lane, at: number): Pick[] {
  const budgets = openBudgets(lane);
  const barred = barredAt(state, lane, at);
  const turns: Pick[] = [];
  for (const sender of lane.senders) {
    const { campaign } = sender;
    if (!isRunning(campaign) || campaign.openFrom === null || campaign.openUntil === null) continue;
    if (at < campaign.openFrom || at >= campaign.openUntil) continue;
    if (campaign.used >= campaign.dailyLimit) continue;
    const zones = openZones(campaign, at);
    const source = sourceOf(sender, { zones, budgets, barred, at });
    if (source !== null) turns.push({ lane, at, sender, source, zones, budgets, barred });
  }
  return turns.length < 2 ? turns : turns.sort(inService);
}

function sourceOf(
  { lane, campaign, followUps }: Sender,
  { zones, budgets, barred, at }: Omit<Pick, "lane" | "sender" | "source">,
): Source | null {
  const places = placesOf(budgets, zones);
  if (isDue(firstIn(followUps, places, barred), at)) return "own";
  if (isDue(firstIn(campaign.pools[lane.kind], places, barred), at)) return "pool";
  const starts = startsLeads(campaign) && doesFirstStep(campaign, lane);
  if (!starts || !budgets.includes(firstBudgetOf(campaign))) return null;
  const fresh = firstIn(campaign.fresh, freshPlaces(campaign, zones), barred);
  return isDue(fresh, at) ? "new" : null;
}

const freshPlaces = (campaign: Campaign, zones: readonly string[]) =>
  placesOf([firstBudgetOf(campaign)], zones);

const isDue = (lead: Lead | undefined, at: number): boolean => lead !== undefined && lead.key <= at;

function inService(a: Pick, b: Pick): number {
  if (isNew(a) !== isNew(b)) return isNew(a) ? 1 : -1;
  const left = a.sender.lastServedAt ?? -Infinity;
  const right = b.sender.lastServedAt ?? -Infinity;
  if (left !== right) return left < right ? -1 : 1;
  return compareIds(a.sender.campaign.id, b.sender.campaign.id);
}

/**
 * Which of the lanes' turns are looked into, one for each lane at most; of a further look (`depth` above 1) no more of a
 * campaign than it may have work for: its day's room, and how many new leads are due.
 */
export function deal(turns: Pick[], depth: number): Pick[] {
  const dealt = new Map<Lane, Pick>();
  const given = new Map<Campaign, number>();
  for (const turn of turns) {
    const { campaign } = turn.sender;
    const before = given.get(campaign) ?? 0;
    if (dealt.has(turn.lane) || before >= roomOf(turn, depth)) continue;
    dealt.set(turn.lane, turn);
    given.set(campaign, before + 1);
  }
  return [...dealt.values()];
}

function roomOf(turn: Pick, depth: number): number {
  if (depth === 1) return Infinity;
  const { campaign } = turn.sender;
  const room = campaign.dailyLimit - campaign.used;
  if (!isNew(turn)) return room;
  const newRoom = (campaign.maxNewLeadsPerDay ?? Infinity) - campaign.usedNew;
  const waiting = freshPlaces(campaign, turn.zones).map((place) => campaign.fresh.get(place) ?? []);
  const due = firstLeads(waiting, depth, turn.barred).filter((lead) => isDue(lead, turn.at));
  return Math.min(room, newRoom, due.length);
}

export interface Slot extends Pick {
  lead: Lead;
}

/**
 * The campaign's lanes in their order, up to its room; the n-th that wants a new lead takes the n-th, and so with leads
 * that any sender of a channel may take. Lanes that find other zones or budgets open, or other operators barred, than the first take none.
 */
export function giveLeads(campaign: Campaign, wishes: Pick[]): Slot[] {
  wishes.sort(
    (a, b) =>
      Number(isNew(a)) - Number(isNew(b)) || a.at - b.at || compareIds(a.lane.id, b.lane.id),
  );
  const within = wishes.slice(0, campaign.dailyLimit - campaign.used);
  const turns = new Map<string, Turn>();
  const slots: Slot[] = [];
  for (const wish of within) {
    const { source, sender, budgets, zones, barred } = wish;
    const lead =
      source === "own" ? firstIn(sender.followUps, placesOf(budgets, zones), barred) : next(wish);
    if (lead !== undefined && lead.key <= wish.at) slots.push({ ...wish, lead });
  }
  return slots;

  function next(wish: Pick): Lead | undefined {
    const key = `${wish.source} ${wish.lane.kind}`;
    const turn = turns.get(key) ?? openTurn(campaign, wish, within);
    turns.set(key, turn);
    const lead = turn.leads[turn.place++];
    return seeTheSame(wish, turn.first) ? lead : undefined;
  }
}

/** What the lanes that want leads from one source take in turn. */
interface Turn {
  first: Pick;
  leads: Lead[];
  place: number;
}

/** New leads are of one budget, which is open to all of them. */
const seeTheSame = (a: Pick, b: Pick): boolean =>
  areSame(a.zones, b.zones) &&
  areSame(a.barred, b.barred) &&
  (a.source !== "pool" || areSame(a.budgets, b.budgets));

function openTurn(campaign: Campaign, first: Pick, wishes: Pick[]): Turn {
  const { source, lane, zones, budgets, barred } = first;
  const alike = wishes.filter(
    (wish) => wish.source === source && wish.lane.kind === lane.kind && seeTheSame(wish, first),
  );
  const queues = source === "new" ? campaign.fresh : campaign.pools[lane.kind];
  const { maxNewLeadsPerDay, usedNew } = campaign;
  const room =
    source === "new" && maxNewLeadsPerDay !== null ? maxNewLeadsPerDay - usedNew : Infinity;
  const places = source === "new" ? freshPlaces(campaign, zones) : placesOf(budgets, zones);
  const waiting = places.map((place) => queues.get(place) ?? []);
  return { first, leads: firstLeads(waiting, Math.min(alike.length, room), barred), place: 0 };
}

/** As `firstOfAll`; behind an edge come others than the model's. */
function firstLeads(waiting: Lead[][], count: number, barred: readonly string[]): Lead[] {
  const leads =
    barred.length === 0
      ? firstOfAll(waiting, count)
      : firstOfAll(waiting, count, (queue, most) => firstNotBarred(queue, most, barred));
  for (const { isEdge, campaign } of leads) if (isEdge) campaign.ranOut = true;
  return leads;
}
