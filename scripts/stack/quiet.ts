/**
 * Lets a moving clock pass over periodic runs that would find nothing. A run of a schedule may answer when it next has
 * something to do; until then its further runs are left out, unless something else happens first. In real time every
 * run is made.
 */
export interface Quiet {
  /** Changes with whatever happens; a promise made before counts no more. */
  version(): number;
  /** The source has nothing to do before `untilMs`, as of that version. */
  promise(source: string, untilMs: number, asOf: number): void;
  /** Until when runs of that source find nothing; 0 if that is not known, or the clock is not being moved. */
  until(source: string): number;
  /** Until when no source that promised anything finds something; 0 if none did. */
  untilAll(): number;
  /** Something happened, or a move begins or ends. */
  end(): void;
  onEnd(listener: () => void): void;
}

export function createQuiet(isMoving: () => boolean): Quiet {
  const promises = new Map<string, number>();
  const listeners: (() => void)[] = [];
  let version = 0;
  return {
    version: () => version,
    promise(source, untilMs, asOf) {
      if (asOf === version) promises.set(source, untilMs);
    },
    until: (source) => (isMoving() ? (promises.get(source) ?? 0) : 0),
    untilAll: () => (isMoving() && promises.size > 0 ? Math.min(...promises.values()) : 0),
    end() {
      version += 1;
      promises.clear();
      for (const listener of listeners) listener();
    },
    onEnd: (listener) => void listeners.push(listener),
  };
}
