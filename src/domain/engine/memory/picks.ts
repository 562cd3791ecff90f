import { firstOfAll } from "./queue.ts";
import type { Campaign, Lane, Lead, Sender } from "./rows.ts";
import { doesFirstStep, isRunning, startsLeads } from "./state.ts";
import { areSame, firstIn, openZones } from "./zones.ts";

/** Where a lead comes from: those that wait for this sender, started ones that any of its channel may take, and new ones. */
type Source = "own" | "pool" | "new";

export interface Pick {
  lane: Lane;
  at: number;
  sender: Sender;
  source: Source;
  /** Those open at its slot. */
  zones: readonly string[];
}

export const isNew = ({ source }: Pick): boolean => source === "new";

export const compareIds = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** A campaign with a follow-up of this sender before one with a new lead, then the least recently served. */
export function choose(lane: Lane, at: number): Pick | null {
  let best: Pick | null = null;
  for (const sender of lane.senders) {
    const { campaign } = sender;
    if (!isRunning(campaign) || campaign.openFrom === null || campaign.openUntil === null) continue;
    if (at < campaign.openFrom || at >= campaign.openUntil) continue;
    if (campaign.used >= campaign.dailyLimit) continue;
    const zones = openZones(campaign, at);
    const source = sourceOf(sender, zones, at);
    if (source === null) continue;
    const pick = { lane, at, sender, source, zones };
    if (best === null || goesBefore(pick, best)) best = pick;
  }
  return best;
}

function sourceOf(
  { lane, campaign, followUps }: Sender,
  zones: readonly string[],
  at: number,
): Source | null {
  if (isDue(firstIn(followUps, zones), at)) return "own";
  if (isDue(firstIn(campaign.pools[lane.kind], zones), at)) return "pool";
  const starts = startsLeads(campaign) && doesFirstStep(campaign, lane);
  return starts && isDue(firstIn(campaign.fresh, zones), at) ? "new" : null;
}

const isDue = (lead: Lead | undefined, at: number): boolean => lead !== undefined && lead.key <= at;

function goesBefore(a: Pick, b: Pick): boolean {
  if (isNew(a) !== isNew(b)) return isNew(b);
  const left = a.sender.lastServedAt ?? -Infinity;
  const right = b.sender.lastServedAt ?? -Infinity;
  if (left !== right) return left < right;
  return a.sender.campaign.id < b.sender.campaign.id;
}

export interface Slot extends Pick {
  lead: Lead;
}

/**
 * The campaign's lanes in their order, up to its room; the n-th that wants a new lead takes the n-th, and so with
 * those that any sender of a channel may take. Of those that find other zones open than the first, none does.
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
    const lead = wish.source === "own" ? firstIn(wish.sender.followUps, wish.zones) : next(wish);
    if (lead !== undefined && lead.key <= wish.at) slots.push({ ...wish, lead });
  }
  return slots;

  function next(wish: Pick): Lead | undefined {
    const key = `${wish.source} ${wish.lane.kind}`;
    const turn = turns.get(key) ?? openTurn(campaign, wish, within);
    turns.set(key, turn);
    const lead = turn.leads[turn.place++];
    return areSame(wish.zones, turn.zones) ? lead : undefined;
  }
}

/** What the lanes that want leads from one source take in turn. */
interface Turn {
  zones: readonly string[];
  leads: Lead[];
  place: number;
}

function openTurn(campaign: Campaign, { source, lane, zones }: Pick, wishes: Pick[]): Turn {
  const alike = wishes.filter(
    (wish) => wish.source === source && wish.lane.kind === lane.kind && areSame(wish.zones, zones),
  );
  const queues = source === "new" ? campaign.fresh : campaign.pools[lane.kind];
  const { maxNewLeadsPerDay, usedNew } = campaign;
  const room =
    source === "new" && maxNewLeadsPerDay !== null ? maxNewLeadsPerDay - usedNew : Infinity;
  const ofZones = zones.map((zone) => queues.get(zone) ?? []);
  return { zones, leads: firstOfAll(ofZones, Math.min(alike.length, room)), place: 0 };
}
