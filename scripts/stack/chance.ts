export interface Chance {
  /** 0 to 1, never 1. */
  next(): number;
  pick<Item>(items: readonly Item[]): Item;
  happens(share: number): boolean;
}

/** The same seed gives the same numbers on every machine (mulberry32, Tommy Ettinger, CC0). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: (items) => items[Math.floor(next() * items.length)]!,
    happens: (share) => next() < share,
  };
}
