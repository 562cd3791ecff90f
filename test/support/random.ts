import { createChance } from "../../scripts/stack/chance.ts";

/** Chance that replays: the same seed gives the same draws. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  uuid(): string;
}

export function createRandom(seed: number): Random {
  const { next } = createChance(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const hex = (digits: number) => {
    let text = "";
    while (text.length < digits) text += below(16).toString(16);
    return text;
  };
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)]!,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
