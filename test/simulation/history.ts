/** A value over time, for checks that allow what was true a moment ago. */
export interface History {
  set(at: number, value: number): void;
  /** Smallest and largest value in force at any time since. */
  since(at: number): { min: number; max: number };
}

export function createHistory(first: number): History {
  let entries = [{ at: -Infinity, value: first }];
  return {
    set(at, value) {
      entries = [...entries.slice(-7), { at, value }];
    },
    since(at) {
      let min = Infinity;
      let max = -Infinity;
      for (const [index, { value }] of entries.entries()) {
        const until = entries[index + 1]?.at ?? Infinity;
        if (until < at) continue;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      return { min, max };
    },
  };
}

/** Stretches of the order of effects during which something held. */
export interface Stretches {
  open(no: number, untilMs?: number | null): void;
  close(no: number): void;
  /** Whether the effect `no`, at a worker's instant, lay in one. */
  holds(no: number, at?: number): boolean;
}

export function createStretches(): Stretches {
  const stretches: { from: number; to: number; untilMs: number }[] = [];
  return {
    open(no, untilMs = null) {
      const last = stretches.at(-1);
      if (last !== undefined && last.to === Infinity) last.to = no;
      stretches.push({ from: no, to: Infinity, untilMs: untilMs ?? Infinity });
      if (stretches.length > 50) stretches.shift();
    },
    close(no) {
      const last = stretches.at(-1);
      if (last !== undefined && last.to === Infinity) last.to = no;
    },
    holds: (no, at = -Infinity) =>
      stretches.some(({ from, to, untilMs }) => no > from && no < to && at < untilMs),
  };
}
