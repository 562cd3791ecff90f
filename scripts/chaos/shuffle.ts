import { createRandom } from "../../test/support/random.ts";

/** The same order for the same seed. */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
  const { below } = createRandom(seed);
  const mixed = [...all];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}
