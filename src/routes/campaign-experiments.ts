import * as z from "zod";
import {
  EXPERIMENT_REASONS,
  type ExperimentShown,
  freeze,
  readExperiments,
  reset,
} from "#src/domain/campaigns/experiments/read.ts";
import { evidenceNeeded } from "#src/domain/campaigns/experiments/weigh.ts";
import { EXPERIMENT_METRICS } from "#src/domain/campaigns/read.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { instant, wholeNumber } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaigns";
const PATH = "/api/v1/campaigns/{campaign_id}/experiments";
const StepParams = CampaignParams.extend({
  step: wholeNumber(1, 32).openapi({ description: "Number of the step, from 1." }),
});

const share = z.number();
const Variant = z.object({
  label: z.string(),
  weight: share.openapi({ description: "Its part of the leads that are claimed now, 0 to 1." }),
  matured: z.int().openapi({ description: "Sends that were judged." }),
  successes: z.int(),
  opt_outs: z.int().openapi({ description: "Opt-outs and complaints." }),
  probability_best: share,
  e_value: z.number().openapi({
    description:
      "Of its being better than every other: the least of its e-values. Named at `e_value_needed`.",
  }),
  vetoed: z.boolean().openapi({ description: "More of its recipients opt out or complain." }),
});

const Version = z.object({
  version: z.int(),
  at: instant,
  reason: z.enum(EXPERIMENT_REASONS),
  weights: z
    .array(z.object({ label: z.string(), weight: share }))
    .nullable()
    .openapi({
      description: "Null: as the step is configured.",
    }),
  evidence: z.array(
    z.object({
      label: z.string(),
      matured: z.int(),
      successes: z.int(),
      opt_outs: z.int(),
      probability_best: share,
      vetoed: z.boolean(),
    }),
  ),
});

const StepExperiment = z
  .object({
    step: z.int(),
    metric: z.enum(EXPERIMENT_METRICS),
    horizon_days: z.int(),
    floor: z.number(),
    status: z.enum(["collecting", "shifting", "winner"]),
    winner_label: z.string().nullable().openapi({ example: "B" }),
    frozen_at: instant.nullable(),
    weighed_on: z
      .string()
      .nullable()
      .openapi({ description: "A date of the campaign's zone.", example: "2026-01-12" }),
    e_value_needed: z.number(),
    variants: z.array(Variant),
    history: z.array(Version).openapi({ description: "The last 50 changes, newest first." }),
  })
  .openapi("StepExperiment");

const Experiments = z.object({ steps: z.array(StepExperiment) }).openapi("CampaignExperiments");

/** JSON has no infinity. */
const eValue = (ln: number): number => Math.exp(Math.min(ln, 700));

function bodyOf({
  of,
  weighed,
  inForce,
  history,
}: ExperimentShown): z.input<typeof StepExperiment> {
  const { arms, ln_e } = weighed.evidence;
  const winner = arms.find(({ arm }) => arm === weighed.winner);
  return {
    step: of.step,
    ...of.config.experiment!,
    status: weighed.status,
    winner_label: winner?.label ?? null,
    frozen_at: of.frozenAt?.toISOString() ?? null,
    weighed_on: of.weighedOn,
    e_value_needed: evidenceNeeded(arms.length),
    variants: arms.map(
      ({ arm, label, matured, successes, harmed, probability_best, vetoed }, i) => ({
        label,
        weight: inForce[of.arms.indexOf(arm)]!,
        matured,
        successes,
        opt_outs: harmed,
        probability_best,
        e_value: eValue(Math.min(...ln_e[i]!.filter((_, j) => j !== i))),
        vetoed,
      }),
    ),
    history: history.map(({ version, at, reason, weights, evidence }) => ({
      version,
      at: at.toISOString(),
      reason,
      weights:
        weights === null
          ? null
          : evidence.arms.map(({ arm, label }) => ({ label, weight: weights[arm] ?? 0 })),
      evidence: evidence.arms.map(({ arm: _arm, weight: _weight, harmed, ...rest }) => ({
        ...rest,
        opt_outs: harmed,
      })),
    })),
  };
}

const verb = (
  name: "freeze" | "reset",
  id: string,
  summary: string,
  act: (deps: Deps, principal: Principal, id: string, step: number) => Promise<ExperimentShown>,
): Mount =>
  operation({
    method: "post",
    path: `${PATH}/{step}/${name}`,
    id,
    scope: "campaigns:write",
    tag,
    summary,
    claims: "effect",
    params: StepParams,
    response: StepExperiment,
    errors: [409],
    handler: async ({ deps, principal, params: { campaign_id, step } }) =>
      bodyOf(await act(deps, principal, campaign_id, step)),
  });

export const campaignExperimentRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "getCampaignExperiments",
    scope: "campaigns:read",
    tag,
    summary:
      "See what a campaign's experiments show, and each change of their weights with its evidence",
    params: CampaignParams,
    response: Experiments,
    handler: async ({ deps, principal, params }) => ({
      steps: (await readExperiments(deps, principal, params.campaign_id)).map(bodyOf),
    }),
  }),
  verb(
    "freeze",
    "freezeCampaignExperiment",
    "Let the weights of a step's variants stay as they are",
    freeze,
  ),
  verb(
    "reset",
    "resetCampaignExperiment",
    "Begin a step's experiment anew, as if nothing had been sent",
    reset,
  ),
];
