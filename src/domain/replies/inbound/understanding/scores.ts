import type { Features } from "./features.ts";
import { rowOf, type Weights } from "./weights.ts";

/** So that a long sentence does not outweigh a short one: its features share this. */
const NORM = 5;
export const shareOf = (features: number): number => NORM / Math.sqrt(features + 8);

function weightOf({ places, values }: Weights, features: readonly string[], column: number) {
  let sum = 0;
  for (const feature of features) {
    const place = places.get(rowOf(feature));
    if (place !== undefined) sum += values[place + column]!;
  }
  return sum * shareOf(features.length);
}

/** Of the sentences the one that asks most counts, softly, and the whole reply besides. */
export function wishScore(weights: Weights, features: Features, column: number): number {
  const parts = features.sentences.map((each) => weightOf(weights, each, column));
  const most = Math.max(...parts, -30);
  const total = parts.reduce((sum, part) => sum + Math.exp(part - most), 0) || 1;
  return most + Math.log(total) + weightOf(weights, features.whole, column);
}

/** All sentences count, and the whole reply besides. */
export function intentScores(weights: Weights, features: Features): number[] {
  return Array.from({ length: weights.columns }, (_, column) =>
    features.sentences.reduce(
      (sum, each) => sum + weightOf(weights, each, column),
      weightOf(weights, features.whole, column),
    ),
  );
}

/** The features that weigh most for a column, as they are named in `features.ts`. */
export function weighedMost(
  { places, values }: Weights,
  { sentences, whole }: Features,
  column: number,
  wanted = 8,
): [feature: string, weight: number][] {
  return [...sentences, whole]
    .flatMap((features) =>
      features.map((feature): [string, number] => {
        const place = places.get(rowOf(feature));
        const weight = place === undefined ? 0 : values[place + column]!;
        return [feature, weight * shareOf(features.length)];
      }),
    )
    .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .slice(0, wanted);
}
