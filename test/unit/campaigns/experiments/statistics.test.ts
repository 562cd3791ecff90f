import { describe, expect, it } from "vitest";
import { probabilitiesBest, weightsOf } from "#src/domain/campaigns/experiments/best.ts";
import { lnEvidence, vetoedOf, winnerOf } from "#src/domain/campaigns/experiments/evidence.ts";
import reference from "./reference.json" with { type: "json" };

const counts = (arms: number[][]) => arms.map(([n, r]) => ({ n: n!, r: r! }));

describe("beside scipy (reference.py)", () => {
  it.each(reference.best)("P(best) of $arms, as near as its grid says", ({ arms, best }) => {
    const own = probabilitiesBest(counts(arms));
    const most = Math.max(...arms.map(([n]) => n!));
    const tolerance = Math.max(1e-6, most * 3e-9);
    for (const [i, p] of best.entries()) expect(Math.abs(own[i]! - p)).toBeLessThan(tolerance);
    expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });

  it.each(reference.evidence)("ln E of a chain to 1e-9", ({ blocks, ln }) => {
    const own = lnEvidence(blocks.map(counts), ln.length);
    for (const [i, row] of ln.entries())
      for (const [j, e] of row.entries()) expect(own[i]![j]).toBeCloseTo(e, 9);
  });
});

describe("weights", () => {
  it("keep the floor of every arm, and add up to 1", () => {
    const weights = weightsOf([0.999, 0.001, 0], 0.05);
    expect(weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
    expect(Math.min(...weights)).toBeCloseTo(0.05, 12);
  });

  it("arms that are alike have the same part, whatever their order", () => {
    const [a, b, c] = probabilitiesBest(
      counts([
        [100, 4],
        [200, 9],
        [100, 4],
      ]),
    );
    expect(a).toBe(c);
    expect(
      probabilitiesBest(
        counts([
          [200, 9],
          [100, 4],
          [100, 4],
        ]),
      )[0],
    ).toBeCloseTo(b!, 12);
  });
});

describe("evidence", () => {
  it("a first block bets nothing: there is no past to know the rates from", () => {
    expect(
      lnEvidence(
        [
          counts([
            [500, 0],
            [500, 60],
          ]),
        ],
        2,
      ),
    ).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("does not exceed 1 in expectation, exactly, whatever the true rates are that do not favour the arm", () => {
    const past = counts([
      [40, 4],
      [40, 1],
    ]);
    for (const [pi, pj] of [
      [0.1, 0.1],
      [0.03, 0.08],
      [0.5, 0.5],
      [0.02, 0.9],
    ] as const) {
      let expectation = 0;
      for (let ri = 0; ri <= 6; ri++)
        for (let rj = 0; rj <= 9; rj++) {
          const block = [
            { n: 6, r: ri },
            { n: 9, r: rj },
          ];
          const e = Math.exp(lnEvidence([past, block], 2)[0]![1]!);
          expectation += e * binomial(6, ri, pi) * binomial(9, rj, pj);
        }
      expect(expectation).toBeLessThanOrEqual(1 + 1e-12);
    }
  });

  it("a winner beats each of the others; a vetoed arm is no rival", () => {
    const e = [
      [0, 9, 3],
      [0, 0, 0],
      [0, 0, 0],
    ];
    expect(winnerOf(e, [0, 1, 2])).toBeNull();
    expect(winnerOf(e, [0, 1])).toBe(0);
    expect(winnerOf(e, [0])).toBeNull();
  });

  it("a veto needs ln(K (K - 1) / 0.05) against one arm, and never takes all of them", () => {
    const limit = Math.log(120);
    expect(
      vetoedOf([
        [0, 0, 0],
        [limit - 0.01, 0, 0],
        [0, limit + 0.01, 0],
      ]),
    ).toEqual([2]);
    expect(
      vetoedOf([
        [0, 9],
        [9, 0],
      ]),
    ).toEqual([]);
  });
});

function binomial(n: number, r: number, p: number): number {
  let ways = 1;
  for (let k = 1; k <= r; k++) ways = (ways * (n - k + 1)) / k;
  return ways * p ** r * (1 - p) ** (n - r);
}
