import { budgetsOf } from "#db/engine/budgets.ts";
import type { Budget } from "#db/schema/index.ts";
import { notBarred } from "./operator-rates.ts";
import { firstWanted, isBefore } from "./queue.ts";
import { type Campaign, earlier, type Lane, later, type Lead, type LeadQueues } from "./rows.ts";
import { openBudgets, placeOf } from "./state.ts";

/** The one zone of a campaign that goes by its own clock. */
const OWN: readonly string[] = [""];

/** The zones whose window is open at that instant; the caller checks the campaign's own interval besides. */
export function openZones({ useLeadTimezone, zones }: Campaign, at: number): readonly string[] {
  if (!useLeadTimezone) return OWN;
  return [...zones.values()]
    .filter(({ openFrom, openUntil }) => at >= openFrom && at < openUntil)
    .map(({ zone }) => zone)
    .sort();
}

export const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((zone, index) => zone === b[index]));

/** The queues' keys of these budgets and zones. */
export const placesOf = (budgets: readonly Budget[], zones: readonly string[]): readonly string[] =>
  budgets.length === 1 && budgets[0] === ""
    ? zones
    : budgets.flatMap((budget) => zones.map((zone) => placeOf(budget, zone)));

/** The first lead of a queue that is of none of these operators. Behind an edge come others than the model's. */
function firstFree(queue: Lead[] | undefined, barred: readonly string[]): Lead | undefined {
  if (queue === undefined || barred.length === 0) return queue?.[0];
  return firstNotBarred(queue, 1, barred)[0];
}

export const firstNotBarred = (queue: Lead[], count: number, barred: readonly string[]): Lead[] =>
  firstWanted(
    queue,
    count,
    (lead) => notBarred(lead, barred),
    ({ isEdge, campaign }) => {
      if (isEdge) campaign.ranOut = true;
    },
  );

/** The first lead of the queues at these keys that is of none of these operators. */
export function firstIn(
  queues: LeadQueues,
  places: readonly string[],
  barred: readonly string[],
): Lead | undefined {
  let first: Lead | undefined;
  for (const place of places) {
    const lead = firstFree(queues.get(place), barred);
    if (lead !== undefined && (first === undefined || isBefore(lead, first))) first = lead;
  }
  return first;
}

/** When the first of the leads may be served by the lane, as far as their windows and its budgets go; null without one. */
export function firstDueAt(
  queues: LeadQueues,
  campaign: Campaign,
  lane: Lane,
  barred: readonly string[],
): number | null {
  const open = openBudgets(lane);
  let dueAt: number | null = null;
  for (const budget of budgetsOf(lane.kind)) {
    const first = firstOfBudget(queues, campaign, budget, barred);
    if (first === null) continue;
    dueAt = earlier(dueAt, open.includes(budget) ? first : later(first, lane.dayUntil));
  }
  return dueAt;
}

function firstOfBudget(
  queues: LeadQueues,
  campaign: Campaign,
  budget: Budget,
  barred: readonly string[],
): number | null {
  if (!campaign.useLeadTimezone)
    return firstFree(queues.get(placeOf(budget, "")), barred)?.key ?? null;
  let dueAt: number | null = null;
  for (const { zone, openFrom } of campaign.zones.values()) {
    const lead = firstFree(queues.get(placeOf(budget, zone)), barred);
    if (lead !== undefined) dueAt = earlier(dueAt, later(lead.key, openFrom));
  }
  return dueAt;
}
