import type { Expectation } from "../stack/farm/table.ts";
import type { Judged, Verify } from "./score.ts";

export interface RunOptions {
  /** Providers at a time; within one, an address comes after the other. */
  lanes: number;
  /** Of the order; the same one gives the same order. */
  seed: number;
}

/**
 * Asks for every address. The order is shuffled, because one answer may teach a verifier something about the next
 * address of the same domain, rightly or wrongly.
 */
export async function judgeAll(
  expectations: readonly Expectation[],
  verify: Verify,
  { lanes, seed }: RunOptions,
): Promise<Judged[]> {
  const groups = [
    ...Map.groupBy(shuffle(expectations, seed), ({ provider }) => provider).values(),
  ].toSorted((a, b) => b.length - a.length);
  const judged: Judged[] = [];
  const lane = async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift())
      for (const each of group) judged.push({ ...each, answer: await verify(each.address) });
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return judged;
}

/** Fisher and Yates, over a linear congruential generator (Numerical Recipes' constants). */
function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const shuffled = [...items];
  let state = seed >>> 0;
  for (let left = shuffled.length - 1; left > 0; left--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = state % (left + 1);
    [shuffled[left], shuffled[at]] = [shuffled[at]!, shuffled[left]!];
  }
  return shuffled;
}

/** Times a verifier by real time, which a moved clock does not change. */
export async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}
