import type { Draw, DrawnArm } from "#db/engine/index.ts";
import type { Variant } from "#db/schema/index.ts";
import { variantIndex } from "#src/domain/engine/chance.ts";

export interface DrawnVariant {
  index: number;
  /** Null for a step that is not tried out. */
  drawn: (DrawnArm & { share: number }) | null;
}

/**
 * Of which weights a lead's variant is drawn: those of the version in force, if it knows each arm of the step as it is,
 * else the configured ones, so that a text that was edited gets what its writer gave it until it is judged.
 */
export function weightsInForce(
  variants: readonly Pick<Variant, "weight">[],
  draw: Draw | null,
): { version: number; weights: number[] } {
  const configured = variants.map(({ weight }) => weight);
  const known = draw?.weights ?? null;
  if (draw === null || known === null) return { version: 0, weights: configured };
  const weights = draw.arms.map((arm, i) => (configured[i] === 0 ? 0 : known[arm]));
  const isKnown = (all: (number | undefined)[]): all is number[] => !all.includes(undefined);
  return isKnown(weights) && weights.some((weight) => weight > 0)
    ? { version: draw.version, weights }
    : { version: 0, weights: configured };
}

/** A lead's variant of a step: a pure function of lead, step and the weights in force. */
export function drawVariant(
  campaignLeadId: string,
  step: number,
  variants: readonly Pick<Variant, "weight">[],
  draw: Draw | null,
): DrawnVariant {
  const { version, weights } = weightsInForce(variants, draw);
  const index = variantIndex(campaignLeadId, step, weights);
  const arm = draw?.arms[index];
  if (arm === undefined) return { index, drawn: null };
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { index, drawn: { arm, version, share: weights[index]! / total } };
}

/** As a preview names a variant that another day may draw anew: "A (60 %)". */
export const labelOf = (label: string, drawn: DrawnVariant["drawn"]): string =>
  drawn === null ? label : `${label} (${Math.round(100 * drawn.share)} %)`;
