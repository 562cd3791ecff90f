/** Counters in memory, of which those that are not used any more are forgotten. */
export interface RecentCounts {
  /** Adds one, and answers the new count. */
  add(key: string): number;
  of(key: string): number;
  /** To at least so many, as another counter of the same says. */
  raise(key: string, count: number): void;
}

/** Holds at most so many counters: one is dropped when at least half as many others were used since. */
export function createRecentCounts(most: number): RecentCounts {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  const of = (key: string): number => newer.get(key) ?? older.get(key) ?? 0;
  function set(key: string, count: number): number {
    newer.set(key, count);
    if (newer.size >= most / 2) {
      older = newer;
      newer = new Map();
    }
    return count;
  }
  return {
    of,
    add: (key) => set(key, of(key) + 1),
    raise(key, count) {
      if (count > of(key)) set(key, count);
    },
  };
}
