import type { LaneRest } from "#db/engine/index.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import type { Route } from "./channel.ts";
import type { Held } from "./connections.ts";
import type { Pace, PaceOf } from "./pace.ts";

/** In words, for the ledger and the sender's status. */
export const SHUT_OUT =
  "A server of this workspace takes long to answer, so that few messages are under way at once; each waits for its turn.";

/** Of many the first waits this long at most, and the last that long: a server that has recovered is noticed by then. */
const LONGEST_MS = { first: 3 * MINUTE_MS, last: 5 * MINUTE_MS };

/**
 * In which order places are dealt out: by slots, and then among the senders of late servers to that one first which
 * has waited for longest since its last message.
 */
export function inTurn<Send extends { laneId: string; route: Route }>(
  waiting: readonly Send[],
  paceOf: PaceOf,
  lastBegunAt: ReadonlyMap<string, number>,
): Send[] {
  const late = waiting.filter(({ route }) => paceOf(route) === "late");
  if (late.length === 0) return [...waiting];
  const since = ({ laneId }: Send) => lastBegunAt.get(laneId) ?? 0;
  const areLate = new Set(late);
  return [
    ...waiting.filter((send) => !areLate.has(send)),
    ...late.toSorted((a, b) => since(a) - since(b)),
  ];
}

interface Turns {
  now: Date;
  /** Whoever comes then has the places anew. */
  nextRun: Date;
  /** So many that were before these still wait. */
  before: number;
  /** So many were shut out in this run at one time. */
  most: number;
  /** Whether a connection is free. */
  hasRoom: boolean;
}

/**
 * Senders that are shut out by late answers look again when it may be their turn, in the order in which they came: in
 * each run as many as those answers hold places. Whose answers are awaited come behind them. So hundreds of them do not
 * stand before others in each claim, and each of them has its turn. One that is not late itself, and is shut out by
 * others, looks again with the next run; or at once, in another run, if this one has no room for anybody.
 */
export function planTurns(
  shutOut: readonly { laneId: string; pace: Pace; behind: readonly Held[] }[],
  { now, nextRun, before, most, hasRoom }: Turns,
): LaneRest[] {
  const turns = new Map<string, LaneRest>();
  const late = shutOut.filter(({ pace }) => pace === "late");
  const lanes = [...new Set(late.map(({ laneId }) => laneId))];
  const all = Math.max(most, before + lanes.length);
  const add = (laneId: string, place: number, { length: places }: readonly Held[]) => {
    const turnAt = nextRun.getTime() + Math.floor(place / places) * MINUTE_MS;
    const { first, last } = LONGEST_MS;
    const latest = now.getTime() + first + ((last - first) * place) / all;
    turns.set(laneId, { laneId, until: new Date(Math.min(turnAt, latest)) });
  };
  for (const { behind } of late) for (const { laneId } of behind) add(laneId, all, behind);
  // Also of a sender whose own message is awaited.
  for (const { laneId, behind } of late) add(laneId, before + lanes.indexOf(laneId), behind);
  for (const { laneId, pace } of shutOut)
    if (pace !== "late" && hasRoom) turns.set(laneId, { laneId, until: nextRun });
  return [...turns.values()];
}
