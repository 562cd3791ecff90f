import type { Clock } from "#src/platform/index.ts";

/**
 * After one ended, the others that began with it have this long to end too: what
 * ends together is recorded together, in one statement. A slow one holds nobody
 * up for longer.
 */
const GATHER_MS = 100;

/** The places in which messages are handed over: as many at once as there are connections. */
export interface Flight<Result> {
  places: number;
  free(): number;
  /** Half of all places, rounded up. */
  half: number;
  isEmpty(): boolean;
  /** How many places these accounts' messages hold. */
  heldBy(account: string): number;
  /** Takes a place for each until it ends; they are one group. None may throw. */
  start(works: { account: string; work: () => Promise<Result> }[]): void;
  /** What ended since this was last asked. */
  landed(): Result[];
  /** Until something ends, or the instant comes; the rest of a group has a moment to end with its first. */
  wait(until: Date | null): Promise<void>;
}

/** An abort ends a wait by an error, which here is no news. */
const quietly = (wait: Promise<void>): Promise<void> => wait.catch(() => {});

export function createFlight<Result>(clock: Clock, places: number): Flight<Result> {
  const underWay = new Map<Promise<void>, { account: string; group: object }>();
  let ended: Result[] = [];
  /** Of those that ended. */
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
    places,
    free: () => places - underWay.size,
    half: Math.ceil(places / 2),
    isEmpty: () => underWay.size === 0,
    heldBy: (account) => [...underWay.values()].filter((held) => held.account === account).length,
    start(works) {
      const group = {};
      for (const { account, work } of works) {
        const flying: Promise<void> = work().then((result) => {
          underWay.delete(flying);
          ended.push(result);
          groups.add(group);
        });
        underWay.set(flying, { account, group });
      }
    },
    landed() {
      const all = ended;
      ended = [];
      groups = new Set();
      return all;
    },
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
