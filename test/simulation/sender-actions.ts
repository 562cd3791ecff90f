import { allotQuotas } from "#src/domain/engine/memory/domain-quotas.ts";
import { earlier, type Lane, later } from "#src/domain/engine/memory/rows.ts";
import { fileLane, gapOver, type State } from "#src/domain/engine/memory/state.ts";
import { dayCap } from "#src/domain/senders/ramp.ts";
import type { Actions, Workspace } from "./actions.ts";

export function senderActions({ state }: Workspace): Pick<Actions, "changeSender"> {
  return {
    changeSender(id, at, { status, ...size }) {
      const lane = state.lanes.get(id)!;
      if (status !== undefined) lane.aliasStatus = status;
      if (status === "active") lane.lastError = null;
      Object.assign(lane, size);
      lane.dayCap = dayCap(lane, at, state.timezone);
      if (status === "active") openLane(state, lane, at);
      else if (status === "paused") closeLane(state, lane, at);
      else wakeLane(state, lane, at);
      redeal(state, [lane], at);
      return true;
    },
  };
}

/** A sender without an interval of its own keeps the shortest that a campaign may have. */
const ownGapOver = (lane: Lane) => gapOver(lane, lane.minIntervalSeconds ?? 60);

/** With a clean slate: what failed before is forgiven, and a rest is over. */
export function openLane(state: State, lane: Lane, at: Date): void {
  lane.open = true;
  lane.closedSince = null;
  lane.closedUntil = null;
  lane.failures = 0;
  wakeLane(state, lane, at);
}

export function closeLane(state: State, lane: Lane, at: Date): void {
  lane.open = false;
  lane.closedSince ??= at.getTime();
  lane.nextSlotAt = null;
  fileLane(state, lane);
}

/** Looks for whatever work it has, after its rest and its gap. */
export function wakeLane(state: State, lane: Lane, at: Date): void {
  if (!lane.open) return;
  const wakeAt = later(later(at.getTime(), lane.closedUntil), ownGapOver(lane));
  lane.nextSlotAt = earlier(lane.nextSlotAt, wakeAt);
  fileLane(state, lane);
}

/** Deals anew to lanes whose day has begun, from the caps that they have now. */
export function redeal(state: State, lanes: Iterable<Lane>, at: Date): void {
  const asked = [...lanes]
    .filter(({ dayUntil }) => dayUntil !== null && dayUntil > at.getTime())
    .map(({ id, dayFrom, dayCap, used }) => ({ id, dayFrom: new Date(dayFrom!), dayCap, used }));
  for (const [id, cap] of allotQuotas(state, asked)) state.lanes.get(id)!.dayCap = cap;
}
