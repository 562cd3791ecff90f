import type { Clock } from "#src/platform/index.ts";
import type { Route } from "./channel.ts";
import { isLate, lateFrom } from "./pace.ts";

/**
 * After one send ended, those that began with it have this long to end too: what
 * ends together is recorded together, in one statement. A slow send delays the
 * record of the rest by no more.
 */
const GATHER_MS = 100;

/** What a connection carries: the send's lane and route. */
interface Transmission {
  laneId: string;
  route: Route;
}

/** A place that a message holds. */
export interface Held extends Transmission {
  begunAt: Date;
  isLate: boolean;
}

/** The places in which messages are handed over: as many at once as there are connections. */
export interface Connections<Result> {
  free(): number;
  isEmpty(): boolean;
  held(): Held[];
  /** When the next of them will be late; null if none. */
  nextLateAt(): Date | null;
  /** Takes a place for each until it ends; they are one group. None may throw. */
  start(works: (Transmission & { work: () => Promise<Result> })[]): void;
  /** What ended since this was last asked. */
  completed(): Result[];
  /** Whether anything did. */
  hasCompleted(): boolean;
  /** Until something ends, or the instant comes; the rest of a group has a moment to end with its first. */
  wait(until: Date | null): Promise<void>;
}

/** An abort rejects a wait, which is expected here. */
const quietly = (wait: Promise<void>): Promise<void> => wait.catch(() => {});

export function createConnections<Result>(clock: Clock, places: number): Connections<Result> {
  const underWay = new Map<Promise<void>, Transmission & { begunAt: Date; group: object }>();
  let ended: Result[] = [];
  /** The groups of the sends that ended. */
  let groups = new Set<object>();

  /** Resolves with the first of them, or at the instant. */
  async function either(work: Promise<unknown>, until: Date | null): Promise<void> {
    if (until === null) return void (await work);
    const other = new AbortController();
    await Promise.race([
      work.finally(() => other.abort(null)),
      quietly(clock.sleepUntil(until, other.signal)),
    ]);
  }

  return {
    free: () => places - underWay.size,
    isEmpty: () => underWay.size === 0,
    held() {
      const now = clock.now();
      return [...underWay.values()].map(({ laneId, route, begunAt }) => ({
        laneId,
        route,
        begunAt,
        isLate: isLate(begunAt, now),
      }));
    },
    nextLateAt() {
      const now = clock.now();
      const ahead = [...underWay.values()].filter(({ begunAt }) => !isLate(begunAt, now));
      const instants = ahead.map(({ begunAt }) => lateFrom(begunAt).getTime());
      return instants.length === 0 ? null : new Date(Math.min(...instants));
    },
    start(works) {
      const group = {};
      const begunAt = clock.now();
      for (const { work, ...traveller } of works) {
        const flying: Promise<void> = work().then((result) => {
          underWay.delete(flying);
          ended.push(result);
          groups.add(group);
        });
        underWay.set(flying, { ...traveller, begunAt, group });
      }
    },
    completed() {
      const all = ended;
      ended = [];
      groups = new Set();
      return all;
    },
    hasCompleted: () => ended.length > 0,
    async wait(until) {
      if (underWay.size === 0) {
        if (until !== null) await clock.sleepUntil(until);
        return;
      }
      await either(Promise.race(underWay.keys()), until);
      const others = [...underWay]
        .filter(([, { group }]) => groups.has(group))
        .map(([flying]) => flying);
      if (others.length === 0) return;
      const patience = clock.now().getTime() + GATHER_MS;
      await either(Promise.all(others), new Date(Math.min(patience, until?.getTime() ?? patience)));
    },
  };
}
