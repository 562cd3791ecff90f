/** What of an arm is known: how many of its sends were judged, and how many of them succeeded. */
export interface Count {
  n: number;
  r: number;
}

/**
 * The prior of a rate, Beta(1, 25): a mean of 3.8 %, worth 26 sends. It says what cold outreach is like without
 * holding an arm back that is better.
 */
export const PRIOR = { successes: 1, failures: 25 };

/**
 * Midpoints of the grid on which rates are compared: theta = sin(phi)^2 with phi equally spaced, because there the
 * deviation of an arm's posterior is 1 / (2 sqrt(n)) whatever its rate (Bartlett 1936). P(best) is off by less than
 * 1e-6 at 1,000 sends an arm, 3e-4 at 100,000 and 3e-3 at a million, where the deviation is but a step.
 */
const POINTS = 4096;
const LN_SIN = new Float64Array(POINTS);
const LN_COS = new Float64Array(POINTS);
for (let k = 0; k < POINTS; k++) {
  const phi = ((k + 0.5) * Math.PI) / (2 * POINTS);
  LN_SIN[k] = Math.log(Math.sin(phi));
  LN_COS[k] = Math.log(Math.cos(phi));
}

/** Below the peak by this much in logarithm a point weighs nothing in 64 bits. */
const NOTHING = -45;

interface Posterior {
  shares: Float64Array;
  /** Outside of these points nothing is left. */
  from: number;
  to: number;
}

/** The posterior Beta(1 + r, 25 + n - r) as shares of the grid's points; of its density dtheta = 2 sin cos dphi. */
function posterior({ n, r }: Count): Posterior {
  const a = 2 * (PRIOR.successes + r) - 1;
  const b = 2 * (PRIOR.failures + n - r) - 1;
  const shares = new Float64Array(POINTS);
  const lnAt = (k: number) => a * LN_SIN[k]! + b * LN_COS[k]!;
  const mode = Math.floor((Math.atan(Math.sqrt(a / b)) * 2 * POINTS) / Math.PI);
  const peak = lnAt(mode);
  let sum = 0;
  const fill = (start: number, way: 1 | -1): number => {
    let k = start;
    for (; k >= 0 && k < POINTS; k += way) {
      const ln = lnAt(k) - peak;
      if (ln < NOTHING) break;
      sum += shares[k] = Math.exp(ln);
    }
    return k - way;
  };
  // It has one peak: from there each way until nothing is left.
  const from = fill(mode, -1);
  const to = fill(mode + 1, 1);
  for (let k = from; k <= to; k++) shares[k]! /= sum;
  return { shares, from, to };
}

/**
 * The probability of each arm that its rate is the highest, by the posteriors, on a fixed grid: no chance in it, so
 * that the same counts give the same weights. Thompson sampling by its expectation (Scott 2010, "A modern Bayesian
 * look at the multi-armed bandit", section 3).
 */
export function probabilitiesBest(arms: readonly Count[]): number[] {
  const posteriors = arms.map(posterior);
  const best = arms.map(() => 0);
  const sums = arms.map(() => 0);
  const to = Math.max(...posteriors.map((each) => each.to));
  for (let k = Math.min(...posteriors.map(({ from }) => from)); k <= to; k++) {
    const below = posteriors.map(({ shares }, j) => sums[j]! + belowMidpoint(shares, k));
    for (let i = 0; i < arms.length; i++) {
      let all = posteriors[i]!.shares[k]!;
      for (let j = 0; all > 0 && j < arms.length; j++) if (j !== i) all *= below[j]!;
      best[i]! += all;
    }
    for (const [i, { shares }] of posteriors.entries()) sums[i]! += shares[k]!;
  }
  const sum = best.reduce((all, each) => all + each, 0);
  return best.map((each) => each / sum);
}

/** Of a point's share what lies below its midpoint: half of it, less what the slope moves, by the neighbours. */
const belowMidpoint = (shares: Float64Array, k: number): number =>
  shares[k]! / 2 - ((shares[k + 1] ?? 0) - (shares[k - 1] ?? 0)) / 16;

/** w = floor + (1 - K floor) P: every arm keeps a part, by which a wrong turn is found out. */
export const weightsOf = (probabilities: readonly number[], floor: number): number[] =>
  probabilities.map((p) => floor + (1 - probabilities.length * floor) * p);
