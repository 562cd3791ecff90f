import type { LaneRest } from "#db/engine/index.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import type { Route } from "./channel.ts";
import type { Held } from "./connections.ts";
import type { Pace, PaceOf } from "./pace.ts";

/** The reason as the ledger and the sender's status show it. */
export const SHUT_OUT =
  "A server of this workspace takes long to answer, so that few messages are under way at once; each waits for its turn.";

/** Of many late senders the first waits `first` at most, and the last `last`: a server that has recovered is noticed by then. */
const LONGEST_MS = { first: 3 * MINUTE_MS, last: 5 * MINUTE_MS };

/**
 * The order in which sends get connections: by slots, then those of late servers, the sender first that has waited
 * longest since its last message.
 */
export function orderByWait<Send extends { laneId: string; route: Route }>(
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
  /** When the next run deals out the connections anew. */
  nextRun: Date;
  /** So many late senders that were shut out before these still wait. */
  before: number;
  /** The most late senders shut out at one time of this run. */
  most: number;
  /** Whether a connection is free. */
  hasRoom: boolean;
}

/**
 * Late senders that are shut out rest until it may be their turn, in the order in which they came: per run as many as
 * there are connections that late servers hold. Senders whose answers are awaited come behind them. So hundreds of late
 * senders do not head each claim, and each has its turn. A sender that is not late itself rests until the next run; or
 * not at all, if this run has no free connection, so that another run takes it.
 */
export function planRests(
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
  // Overwrites the place of a sender whose own message is awaited.
  for (const { laneId, behind } of late) add(laneId, before + lanes.indexOf(laneId), behind);
  for (const { laneId, pace } of shutOut)
    if (pace !== "late" && hasRoom) turns.set(laneId, { laneId, until: nextRun });
  return [...turns.values()];
}
