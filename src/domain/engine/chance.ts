/**
 * All chance in the engine is a hash of ids, so that previews do not move and
 * simulations replay. `jitterOf` has a twin in SQL, `lane_jitter` in
 * db/migrations, which a test holds equal.
 */

const MULTIPLIER = 1_540_483_477;

/** Mixes a 32-bit seed and a number to a fraction in [0, 1). */
function mix(seed: number, number: number): number {
  let hash = (seed ^ Math.imul(number >>> 0, MULTIPLIER)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), MULTIPLIER) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** The last 32 bits of a UUID: random in version 4 and 7. */
function seedOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-8), 16);
}

/** A fraction in [0, 1), the same for the same id and number, by which work is spread. */
export const fractionOf = (uuid: string, number: number): number => mix(seedOf(uuid), number);

/** The share by which a lane's gap is lengthened after its `slotNo`-th action: [0, 0.3). */
export function jitterOf(laneId: string, slotNo: number): number {
  return mix(seedOf(laneId), slotNo) * 0.3;
}

/**
 * Seconds between a lane's `slotNo`-th action and the next: the interval,
 * lengthened by its jitter and at least by one second. Twin of laneGap in
 * db/engine/lanes.ts.
 */
export function gapSeconds(intervalSeconds: number, laneId: string, slotNo: number): number {
  return intervalSeconds + Math.max(1, intervalSeconds * jitterOf(laneId, slotNo));
}

/** Index of the variant of a step for a lead, by weight; deterministic. All weights 0 never gets here. */
export function variantIndex(
  campaignLeadId: string,
  step: number,
  weights: readonly number[],
): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let point = mix(seedOf(campaignLeadId), step) * total;
  for (const [index, weight] of weights.entries()) {
    if (point < weight) return index;
    point -= weight;
  }
  return weights.findLastIndex((weight) => weight > 0);
}
