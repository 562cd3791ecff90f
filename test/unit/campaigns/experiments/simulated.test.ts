import { describe, expect, it } from "vitest";
import {
  type Count,
  probabilitiesBest,
  weightsOf,
} from "#src/domain/campaigns/experiments/best.ts";
import { type Block, lnEvidence, winnerOf } from "#src/domain/campaigns/experiments/evidence.ts";
import { inFull } from "../../../support/full.ts";
import { createRandom } from "../../../support/random.ts";

const HORIZON = 5;
const DAYS = 50;

/** One campaign over its leads: what it lost beside the best arm, and which arm was named on any day. */
function runOf(rates: readonly number[], leads: number, seed: number) {
  const random = createRandom(seed);
  const arms = rates.map((_, i) => i);
  const most = Math.max(...rates);
  const sent: Count[][] = [];
  const blocks: Block[] = [];
  let totals = rates.map(() => ({ n: 0, r: 0 }));
  let weights = rates.map(() => 1 / rates.length);
  let lost = 0;
  let named: number | null = null;
  for (let day = 0; day < DAYS + HORIZON; day++) {
    const judged = sent[day - HORIZON];
    if (judged !== undefined) {
      blocks.push(judged);
      totals = totals.map(({ n, r }, i) => ({ n: n + judged[i]!.n, r: r + judged[i]!.r }));
      if (totals.every(({ n }) => n >= 50)) weights = weightsOf(probabilitiesBest(totals), 0.05);
      named ??= winnerOf(lnEvidence(blocks, rates.length), arms);
    }
    if (day >= DAYS) continue;
    const counts = rates.map(() => ({ n: 0, r: 0 }));
    for (let lead = 0; lead < leads / DAYS; lead++) {
      let point = random.next();
      const drawn = arms.find((i) => (point -= weights[i]!) < 0) ?? arms.length - 1;
      counts[drawn]!.n++;
      if (random.chance(rates[drawn]!)) counts[drawn]!.r++;
      lost += most - rates[drawn]!;
    }
    sent.push(counts);
  }
  return { named, lost };
}

function tableOf(rates: readonly number[], leads: number, runs: number) {
  const most = Math.max(...rates);
  const of = Array.from({ length: runs }, (_, seed) => runOf(rates, leads, 7919 * (seed + 1)));
  const share = (which: (named: number) => boolean) =>
    of.filter(({ named }) => named !== null && which(named)).length / runs;
  const lost = of.reduce((sum, run) => sum + run.lost, 0) / runs;
  const even = rates.reduce((sum, rate) => sum + ((most - rate) * leads) / rates.length, 0);
  return {
    right: share((named) => rates[named] === most),
    wrong: share((named) => rates[named]! < most),
    regret: lost / even,
  };
}

const RUNS = inFull(400, 100);

describe("simulated campaigns", () => {
  it(`of arms that are alike one is named in 5 % of ${RUNS} runs at most, looked at every day`, () => {
    expect(tableOf([0.04, 0.04], 5000, RUNS).right).toBeLessThanOrEqual(0.05);
  });

  it.each([
    [[0.02, 0.04], 5000],
    [[0.03, 0.04], 5000],
    [[0.02, 0.02, 0.02, 0.05], 5000],
  ])("%j lose at most 0.8 of what an even split loses, and name no worse arm", (rates, leads) => {
    const { regret, wrong } = tableOf(rates, leads, inFull(400, 40));
    expect(regret).toBeLessThanOrEqual(0.8);
    expect(wrong).toBeLessThanOrEqual(0.05);
  });

  it("2 against 4 % is named in 80 % of the runs of 20,000 leads", () => {
    const { right, wrong } = tableOf([0.02, 0.04], 20_000, inFull(400, 60));
    expect(right).toBeGreaterThanOrEqual(0.8);
    expect(wrong).toBeLessThanOrEqual(0.05);
  });
});
