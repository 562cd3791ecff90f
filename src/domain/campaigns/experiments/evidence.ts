import { type Count, PRIOR } from "./best.ts";

/**
 * What was judged of the arms together, drawn by the same weights: within a block a lead's arm is pure chance, so that
 * a good day or a good list favours none. One count for each arm, in one order for all blocks.
 */
export type Block = readonly Count[];

/** Alpha: how often at most a winner, or a veto, is named where there is none. */
export const ERROR_RATE = 0.05;

const rateOf = ({ n, r }: Count): number =>
  (PRIOR.successes + r) / (PRIOR.successes + PRIOR.failures + n);

/** ln of p^r (1 - p)^(n - r). */
const lnLikelihood = ({ n, r }: Count, p: number): number =>
  (r === 0 ? 0 : r * Math.log(p)) + (n === r ? 0 : (n - r) * Math.log(1 - p));

/**
 * ln E of "arm i's rate is above arm j's", for each i and j, after these blocks in their order: the product over the
 * blocks of the likelihood by p_i and p_j, known from the blocks before, over that by their mean p_0, weighted by the
 * sizes in the block. Under any rates with i not above j its expectation never exceeds 1, whatever was decided by the
 * blocks before, so that by Ville's inequality P(E ever reaches 1/alpha) <= alpha: any look is valid, each day's too
 * (Turner, Ly and Grünwald 2024, "Generic E-variables for exact sequential k-sample tests that allow for optional
 * stopping", theorem 1; the null hypothesis is convex and its nearest point lies on the diagonal). Where the past
 * does not favour i a block bets nothing.
 */
export function lnEvidence(blocks: readonly Block[], arms: number): number[][] {
  const past = Array.from({ length: arms }, (): Count => ({ n: 0, r: 0 }));
  const evidence = past.map(() => past.map(() => 0));
  for (const block of blocks) {
    const rates = past.map(rateOf);
    for (let i = 0; i < arms; i++)
      for (let j = 0; j < arms; j++)
        if (i !== j && rates[i]! > rates[j]!)
          evidence[i]![j]! += lnFactor(block[i]!, block[j]!, rates[i]!, rates[j]!);
    for (const [i, { n, r }] of block.entries()) {
      past[i]!.n += n;
      past[i]!.r += r;
    }
  }
  return evidence;
}

function lnFactor(a: Count, b: Count, pa: number, pb: number): number {
  const p0 = (a.n * pa + b.n * pb) / (a.n + b.n);
  return (
    lnLikelihood(a, pa) + lnLikelihood(b, pb) - lnLikelihood({ n: a.n + b.n, r: a.r + b.r }, p0)
  );
}

/** The arm that is above all others among `able`: E >= K / 0.05 against each. Null while there is none. */
export function winnerOf(evidence: readonly number[][], able: readonly number[]): number | null {
  const limit = Math.log(evidence.length / ERROR_RATE);
  const rivals = (i: number) => able.filter((j) => j !== i);
  return (
    able.find((i) => rivals(i).length > 0 && rivals(i).every((j) => evidence[i]![j]! >= limit)) ??
    null
  );
}

/**
 * The arms that do harm: their rate of opt-outs and complaints is above another arm's, each of the K (K - 1) pairs
 * tested, so that of alike arms one is vetoed in 5 % at most. The one that does least is never among them.
 */
export function vetoedOf(harm: readonly number[][]): number[] {
  const k = harm.length;
  const limit = Math.log((k * (k - 1)) / ERROR_RATE);
  const arms = harm.map((_, i) => i);
  const vetoed = arms.filter((i) => arms.some((j) => j !== i && harm[i]![j]! >= limit));
  return vetoed.length < k ? vetoed : [];
}
