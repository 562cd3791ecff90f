import type { Breaking } from "./breaking.ts";
import type { Reached } from "./map.ts";
import type { Tiers } from "./reach.ts";

/** Of more files than this, none is likely to be the one that notices. */
export const MOST_FILES = 6;

/** The files to try, those first that are likeliest and cheapest to notice: quick, about little, and of the same name. */
export function orderedFiles({ file }: Pick<Breaking, "file">, tiers: Tiers): Reached[] {
  return tiers.flatMap((tier) =>
    tier
      .map((test) => ({ test, score: scoreOf(file, test) }))
      .toSorted((a, b) => a.score - b.score)
      .map(({ test }) => test),
  );
}

function scoreOf(file: string, { test, ms, reached }: Reached): number {
  const own = lengthOf(reached[file] ?? []);
  const all = Object.values(reached).reduce((sum, ranges) => sum + lengthOf(ranges), 0);
  const share = (own + 1) / (all + 1);
  const common = [...wordsOf(test)].filter((word) => wordsOf(file).has(word)).length;
  return Math.log(ms + 500) - Math.log(share) - 2 * common;
}

const lengthOf = (ranges: readonly (readonly [number, number])[]) =>
  ranges.reduce((sum, [start, end]) => sum + end - start, 0);

const COMMON = new Set(["src", "domain", "db", "test", "unit", "integration", "ts"]);

function wordsOf(file: string): Set<string> {
  const words = file.split(/[^a-z0-9]+/i).map((word) => word.replace(/s$/, ""));
  return new Set(words.filter((word) => word.length > 1 && !COMMON.has(word)));
}
