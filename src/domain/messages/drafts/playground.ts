import { commit } from "#db/base/client.ts";
import { loadStepTexts, type StepTexts } from "#db/messages/draft-inputs.ts";
import { draftTargets, makeCampaignLeadsStatements } from "#db/messages/draft-targets.ts";
import {
  insertBatchStatement,
  insertGenerationsStatement,
  type NewGeneration,
} from "#db/messages/generation-batches.ts";
import type { CampaignStatus, Step } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { chooseText } from "#src/domain/campaigns/choose-text.ts";
import { type Campaign, requireCampaign } from "#src/domain/campaigns/read.ts";
import { invalidTransition } from "#src/domain/campaigns/transitions.ts";
import { hold, throwInsufficient } from "#src/domain/billing/credits/charge.ts";
import { newOwned } from "#src/domain/owned.ts";
import { promptVersionHash, resolvePrompt } from "#src/domain/research/personalization/prompts.ts";
import { requireModel } from "#src/domain/research/personalization/require-model.ts";
import type { ChatModel } from "#src/providers/model/index.ts";
import { chargeOf } from "./charge.ts";
import { enqueueGenerations } from "./queue.ts";
import { configsOf, isStale } from "./stale.ts";

/** Where drafts are of use: its leads can still get them. */
const OPEN: readonly CampaignStatus[] = ["draft", "scheduled", "active", "paused", "failed"];

export interface GenerateOrder {
  step: number;
  leads: number;
  /** Instead of the first so many: these, as far as they can still get the step. */
  campaignLeadIds: readonly string[] | null;
  customPrompt: string | null;
}

export interface GeneratedBatch {
  campaignId: string;
  step: number;
  batchId: string;
  promptVersionHash: string;
  campaignLeadIds: string[];
}

/**
 * Makes a batch of drafts for the first leads without an approved one that would be sent: the batch, its leads, their generations and the
 * credits held for them, in one transaction. Each call makes a batch of its own, and is charged for it.
 */
export async function generateBatch(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  order: GenerateOrder,
): Promise<GeneratedBatch> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  if (!OPEN.includes(campaign.status))
    throw invalidTransition(
      campaign.status,
      `The campaign is ${campaign.status}; drafts are generated in ${OPEN.join(", ")}.`,
    );
  const step = requireAiStep(campaign, order.step);
  const model = requireModel(deps);
  const only = order.campaignLeadIds;
  const of = { workspaceId: campaign.workspaceId, campaignId, step: order.step };
  const texts = await loadStepTexts(deps.db, of);
  const targets = await draftTargets(deps.db, campaign, order.step, {
    ...{ limit: only?.length ?? order.leads, only, now: deps.clock.now() },
    stale: {
      configs: await configsOf(step, texts),
      isStale: (approved) => isStale(approved, step, texts),
    },
  });
  const promptHashOf = promptHashes(campaign, step, texts, order.customPrompt, model);
  const rows = await Promise.all(
    targets.map(async (target, leadIndex): Promise<NewGeneration> => ({
      ...target,
      id: deps.ids.uuid(),
      leadIndex,
      promptVersionHash: await promptHashOf(target.campaignLeadId),
    })),
  );
  const batch = {
    kind: "playground" as const,
    campaignId,
    step: order.step,
    datasetId: campaign.datasetId,
    customPrompt: order.customPrompt,
    senderProfileId: null,
    senderData: null,
    promptVersionHash: rows[0]?.promptVersionHash ?? (await promptHashOf(campaignId)),
    total: rows.length,
  };
  const batchId = await insertBatch(deps, principal, campaign, batch, rows);
  const campaignLeadIds = targets.map((target) => target.campaignLeadId);
  const { promptVersionHash: hash } = batch;
  return { campaignId, step: order.step, batchId, promptVersionHash: hash, campaignLeadIds };
}

/** 422 unless the campaign has that step, and a model is to write it. */
export function requireAiStep(campaign: Pick<Campaign, "steps">, number: number): Step {
  const step = requireStep(campaign, number);
  if (step.ai_personalization_enabled && step.channel === "email") return step;
  throw unprocessable(
    "PERSONALIZATION_NOT_ENABLED",
    `Step ${number} is no email with ai_personalization_enabled.`,
  );
}

export function requireStep({ steps }: Pick<Campaign, "steps">, number: number): Step {
  const step = steps[number - 1];
  if (step !== undefined) return step;
  throw unprocessable(
    "STEP_INDEX_OUT_OF_RANGE",
    `The campaign has ${steps.length} steps; there is no step ${number}.`,
  );
}

/** The hash of a lead's prompt; it depends on the sender profile of the lead's variant. */
function promptHashes(
  { systemPrompt }: Campaign,
  step: Step,
  texts: StepTexts,
  override: string | null,
  model: ChatModel,
): (campaignLeadId: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (campaignLeadId) => {
    const chosen = chooseText({ step, lead: { campaignLeadId }, ...texts });
    const sender = chosen.ok ? (chosen.profile?.fields["custom_prompt"] as string | null) : null;
    const prompt = resolvePrompt({ override, campaign: systemPrompt, sender });
    const hash = known.get(prompt.text) ?? promptVersionHash(prompt, model);
    known.set(prompt.text, hash);
    return hash;
  };
}

async function insertBatch(
  deps: Deps,
  principal: Principal,
  campaign: Campaign,
  batch: Parameters<typeof insertBatchStatement>[2],
  rows: readonly NewGeneration[],
): Promise<string> {
  const owner = newOwned(deps, principal);
  const ids = rows.map(({ id }) => id);
  const charge = chargeOf({ ...owner, kind: batch.kind }, ids);
  const leadIds = rows.map(({ leadId }) => leadId);
  const insert = insertBatchStatement(deps.db, owner, batch);
  await (rows.length === 0
    ? commit(deps.db, [insert])
    : commit(deps.db, [
        ...makeCampaignLeadsStatements(deps.db, campaign, leadIds, owner.now),
        insert,
        insertGenerationsStatement(deps.db, owner, batch, rows),
        hold(deps, charge),
      ]).catch(throwInsufficient(charge)));
  await enqueueGenerations(deps, ids);
  return owner.id;
}
