import { isBefore } from "./queue.ts";
import { type Campaign, earlier, later, type Lead, type LeadQueues } from "./rows.ts";

/** Of all leads of a campaign that goes by its own clocks. */
const OWN: readonly string[] = [""];

/** The zones whose leads may be served at that instant; the campaign's own piece is looked at besides. */
export function openZones({ useLeadTimezone, zones }: Campaign, at: number): readonly string[] {
  if (!useLeadTimezone) return OWN;
  return [...zones.values()]
    .filter(({ openFrom, openUntil }) => at >= openFrom && at < openUntil)
    .map(({ zone }) => zone)
    .sort();
}

export const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((zone, index) => zone === b[index]));

/** The first lead of those zones. */
export function firstIn(queues: LeadQueues, zones: readonly string[]): Lead | undefined {
  let first: Lead | undefined;
  for (const zone of zones) {
    const lead = queues.get(zone)?.[0];
    if (lead !== undefined && (first === undefined || isBefore(lead, first))) first = lead;
  }
  return first;
}

/** When the first of the leads may be served, as far as their windows go; null without one. */
export function firstDueAt(queues: LeadQueues, campaign: Campaign): number | null {
  if (!campaign.useLeadTimezone) return queues.get("")?.[0]?.key ?? null;
  let dueAt: number | null = null;
  for (const { zone, openFrom } of campaign.zones.values()) {
    const lead = queues.get(zone)?.[0];
    if (lead !== undefined) dueAt = earlier(dueAt, later(lead.key, openFrom));
  }
  return dueAt;
}
