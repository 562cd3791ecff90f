import type { LaneDay } from "#db/engine/index.ts";
import { quotaOf } from "#src/domain/senders/domain-quota.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { Domain } from "./rows.ts";
import type { State } from "./state.ts";

const KEPT_MS = 4 * DAY_MS;

export function quotasOfDay({ shares }: Domain, dayFrom: number): Map<string, number> {
  const known = shares.get(dayFrom);
  if (known !== undefined) return known;
  const made = new Map<string, number>();
  shares.set(dayFrom, made);
  return made;
}

/**
 * As the SQL: the caps that the limits of their domains leave to lanes whose day
 * begins, or that have used some of it. Answers the lanes whose domain has a limit.
 */
export function allotQuotas(
  state: State,
  lanes: (Pick<LaneDay, "id" | "dayFrom" | "dayCap"> & { used?: number })[],
): Map<string, number> {
  const caps = new Map<string, number>();
  const inOrder = lanes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // First each lane that is dealt to again gives back all but what it has used, so that the pool is exact.
  for (const { id, dayFrom, used = 0 } of inOrder) dayQuotasOf(state, id, dayFrom)?.set(id, used);
  for (const { id, dayFrom, dayCap, used = 0 } of inOrder) {
    const domain = domainOf(state, id);
    const shares = dayQuotasOf(state, id, dayFrom);
    if (domain === undefined || shares === undefined) continue;
    const want = Math.min(dayCap, evenQuota(domain, id, dayFrom));
    const pool = domain.dailyLimit - [...shares.values()].reduce((sum, dealt) => sum + dealt, 0);
    const dealt = used + Math.max(0, Math.min(want - used, pool));
    shares.set(id, dealt);
    caps.set(id, pool < 0 ? 0 : Math.min(want, dealt));
  }
  return caps;
}

export function forgetQuotas(state: State, now: number, lanes: LaneDay[]): void {
  for (const { id } of lanes)
    for (const dayFrom of domainOf(state, id)?.shares.keys() ?? [])
      if (dayFrom < now - KEPT_MS) domainOf(state, id)!.shares.delete(dayFrom);
}

const domainOf = (state: State, laneId: string): Domain | undefined =>
  state.domains.get(state.lanes.get(laneId)?.limitedDomainId ?? "");

const dayQuotasOf = (state: State, laneId: string, dayFrom: Date) => {
  const domain = domainOf(state, laneId);
  return domain && quotasOfDay(domain, dayFrom.getTime());
};

function evenQuota(domain: Domain, laneId: string, dayFrom: Date): number {
  const own = domain.lanes.filter((lane) => lane.exists && (lane.open || lane.id === laneId));
  const ids = [...own.map(({ id }) => id), ...domain.otherLaneIds];
  const place = ids.filter((id) => id < laneId).length;
  return quotaOf({ limit: domain.dailyLimit, senders: ids.length, place }, dayFrom);
}
