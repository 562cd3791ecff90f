import { type Experiment, findExperiments } from "#db/campaigns/experiments.ts";
import {
  type ExperimentVersion,
  findVersions,
  freezeExperiment,
  type NewVersion,
  resetExperiment,
} from "#db/campaigns/experiment-versions.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";
import { requireCampaign } from "../read.ts";
import { type Weighed, weigh } from "./weigh.ts";
import { weightsInForce } from "./draw.ts";

export { EXPERIMENT_REASONS } from "#db/schema/index.ts";

/** So many changes of weights are shown. */
const HISTORY = 50;

export interface ExperimentShown {
  of: Experiment;
  weighed: Weighed;
  /** In force now, of the variants in their order; they add up to 1. */
  inForce: number[];
  history: ExperimentVersion[];
}

/** The experiments of a campaign's steps, as far as they were judged. */
export async function readExperiments(
  deps: Deps,
  principal: Principal,
  campaignId: string,
): Promise<ExperimentShown[]> {
  await requireCampaign(deps, principal, campaignId);
  const [experiments, versions] = await Promise.all([
    findExperiments(deps.db, campaignId),
    findVersions(deps.db, campaignId, HISTORY),
  ]);
  return experiments.map((of) => {
    const { weights } = weightsInForce(of.config.variants, of);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return {
      of,
      weighed: weigh(of),
      inForce: weights.map((weight) => weight / total),
      history: versions.filter(({ step }) => step === of.step),
    };
  });
}

/** Its weights stay as they are; what is judged is still counted. Again it changes nothing. */
export const freeze = (deps: Deps, principal: Principal, campaignId: string, step: number) =>
  act(deps, principal, { campaignId, step }, (shown, now) =>
    shown.of.frozenAt === null
      ? freezeExperiment(deps.db, shown.of, versionOf(shown, "frozen"), now)
      : Promise.resolve(true),
  );

/** It begins anew: nothing is judged, the weights are as configured, no variant is vetoed or named. */
export const reset = (deps: Deps, principal: Principal, campaignId: string, step: number) =>
  act(deps, principal, { campaignId, step }, (shown, now) =>
    resetExperiment(deps.db, shown.of, versionOf(shown, "reset"), now),
  );

const versionOf = ({ of, weighed }: ExperimentShown, reason: "frozen" | "reset"): NewVersion => ({
  weights: reason === "frozen" ? of.weights : null,
  evidence: weighed.evidence,
  reason,
  winnerLabel: null,
});

/** The daily look may come between reading and writing; it comes once a day. */
const TRIES = 3;

async function act(
  deps: Deps,
  principal: Principal,
  { campaignId, step }: { campaignId: string; step: number },
  write: (shown: ExperimentShown, now: Date) => Promise<boolean>,
): Promise<ExperimentShown> {
  for (let left = TRIES; left > 0; left--) {
    const shown = await requireExperiment(deps, principal, campaignId, step);
    if (await write(shown, deps.clock.now()))
      return requireExperiment(deps, principal, campaignId, step);
  }
  throw conflict("CAMPAIGN_CHANGED", "The experiment changed meanwhile; read it and try again.");
}

async function requireExperiment(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  step: number,
): Promise<ExperimentShown> {
  const all = await readExperiments(deps, principal, campaignId);
  const shown = all.find(({ of }) => of.step === step);
  if (shown === undefined) throw notFound("Experiment");
  return shown;
}
