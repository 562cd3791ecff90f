import type { LaneRest } from "#db/engine/index.ts";
import { later } from "./rows.ts";
import { fileLane, type State } from "./state.ts";

/** As the SQL: open lanes rest, each until its instant. */
export function rest(state: State, lanes: LaneRest[], reason: string): void {
  for (const { laneId, until } of lanes) {
    const lane = state.lanes.get(laneId);
    if (lane === undefined || !lane.open) continue;
    lane.closedUntil = later(lane.closedUntil, until.getTime());
    if (lane.nextSlotAt !== null) lane.nextSlotAt = later(lane.nextSlotAt, until.getTime());
    if (lane.kind === "email" && lane.exists)
      Object.assign(lane, { lastError: reason, lastErrorKind: null });
    fileLane(state, lane);
  }
}
