/** A setting over the order of effects. */
export interface Setting<T> {
  set(no: number, value: T): void;
  /** The value in force when the effect `no` took place. */
  at(no: number): T;
  /** All that were in force then or later. */
  since(no: number): T[];
}

/** So many changes are remembered: more than come about while a message is on its way. */
const KEPT = 50;

export function createSetting<T>(first: T): Setting<T> {
  let entries = [{ no: -Infinity, value: first }];
  const since = (no: number) =>
    entries.filter((_, index) => (entries[index + 1]?.no ?? Infinity) > no);
  return {
    set(no, value) {
      entries = [...entries.slice(1 - KEPT), { no, value }];
    },
    at: (no) => since(no)[0]!.value,
    since: (no) => since(no).map(({ value }) => value),
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
