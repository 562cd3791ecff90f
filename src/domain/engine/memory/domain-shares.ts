import type { RolledLane } from "#db/engine.ts";
import { shareOf } from "#src/domain/senders/domain-share.ts";
import type { Domain } from "./rows.ts";
import type { State } from "./state.ts";

const KEPT_MS = 4 * 86_400_000;

export function sharesOfDay({ shares }: Domain, dayFrom: number): Map<string, number> {
  const known = shares.get(dayFrom);
  if (known !== undefined) return known;
  const made = new Map<string, number>();
  shares.set(dayFrom, made);
  return made;
}

/**
 * As the SQL: what the limits of their domains leave of the caps of lanes whose day
 * begins. Answers those that have such a limit.
 */
export function dealShares(state: State, lanes: RolledLane[]): Map<string, number> {
  const caps = new Map<string, number>();
  const inOrder = lanes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // First out of the way of each other: whoever is dealt to again gives back what it had.
  for (const { id, dayFrom } of inOrder) daySharesOf(state, id, dayFrom)?.delete(id);
  for (const { id, dayFrom, dayCap } of inOrder) {
    const domain = domainOf(state, id);
    const shares = daySharesOf(state, id, dayFrom);
    if (domain === undefined || shares === undefined) continue;
    const want = Math.min(dayCap, evenShare(domain, id, dayFrom));
    const pool = domain.dailyLimit - [...shares.values()].reduce((sum, dealt) => sum + dealt, 0);
    const dealt = Math.max(0, Math.min(want, pool));
    shares.set(id, dealt);
    caps.set(id, dealt);
  }
  return caps;
}

export function forgetShares(state: State, now: number, lanes: RolledLane[]): void {
  for (const { id } of lanes)
    for (const dayFrom of domainOf(state, id)?.shares.keys() ?? [])
      if (dayFrom < now - KEPT_MS) domainOf(state, id)!.shares.delete(dayFrom);
}

const domainOf = (state: State, laneId: string): Domain | undefined =>
  state.domains.get(state.lanes.get(laneId)?.limitedDomainId ?? "");

const daySharesOf = (state: State, laneId: string, dayFrom: Date) => {
  const domain = domainOf(state, laneId);
  return domain && sharesOfDay(domain, dayFrom.getTime());
};

function evenShare(domain: Domain, laneId: string, dayFrom: Date): number {
  const own = domain.lanes.filter((lane) => lane.exists && (lane.open || lane.id === laneId));
  const ids = [...own.map(({ id }) => id), ...domain.otherLaneIds];
  const place = ids.filter((id) => id < laneId).length;
  return shareOf({ limit: domain.dailyLimit, senders: ids.length, place }, dayFrom);
}
