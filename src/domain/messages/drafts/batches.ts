import {
  countStatuses,
  type GenerationBatch,
  getBatch,
  listBatches,
  type LeadStatus,
  type StatusCount,
  statusesOf,
} from "#db/messages/generation-batches.ts";
import { GENERATION_STATUSES, type GenerationStatus } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import { type Campaign, requireCampaign } from "#src/domain/campaigns/read.ts";

export { GENERATION_STATUSES, type GenerationStatus };

export type PlaygroundBatch = GenerationBatch & { campaignId: string; step: number };

export interface BatchProgress {
  batch: PlaygroundBatch;
  counts: Record<GenerationStatus, number>;
  done: boolean;
  updatedAt: Date;
}

const isPlayground = (batch: GenerationBatch): batch is PlaygroundBatch =>
  batch.campaignId !== null && batch.step !== null;

/** The campaign first: a caller that does not own it learns nothing of its batches. */
export async function requirePlaygroundBatch(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  batchId: string,
): Promise<{ campaign: Campaign; batch: PlaygroundBatch }> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  const batch = await getBatch(deps.db, principal.workspaceId, batchId);
  if (batch === undefined || !isPlayground(batch) || batch.campaignId !== campaignId)
    throw notFound("Batch");
  return { campaign, batch };
}

export async function progressOf(deps: Deps, batch: PlaygroundBatch): Promise<BatchProgress> {
  return toProgress(batch, await countStatuses(deps.db, [batch.id]));
}

/** How far a batch is, and each of its leads. */
export async function readStatus(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  batchId: string,
): Promise<{ progress: BatchProgress; leads: LeadStatus[] }> {
  const { batch } = await requirePlaygroundBatch(deps, principal, campaignId, batchId);
  const [progress, leads] = await Promise.all([
    progressOf(deps, batch),
    statusesOf(deps.db, batchId),
  ]);
  return { progress, leads };
}

/** One more than the page holds, newest first. */
export async function findBatches(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  page: { before: string | null; limit: number },
): Promise<BatchProgress[]> {
  await requireCampaign(deps, principal, campaignId);
  const batches = (await listBatches(deps.db, campaignId, page)).filter(isPlayground);
  const counts = await countStatuses(
    deps.db,
    batches.map(({ id }) => id),
  );
  const ofBatch = Map.groupBy(counts, ({ batchId }) => batchId);
  return batches.map((batch) => toProgress(batch, ofBatch.get(batch.id) ?? []));
}

/** How many texts of a batch stand where. */
export const countsOf = (rows: readonly StatusCount[]) =>
  Object.fromEntries(
    GENERATION_STATUSES.map((status) => [
      status,
      rows.find((row) => row.status === status)?.count ?? 0,
    ]),
  ) as Record<GenerationStatus, number>;

function toProgress(batch: PlaygroundBatch, rows: readonly StatusCount[]): BatchProgress {
  const counts = countsOf(rows);
  const moved = [batch.updatedAt, ...rows.map(({ updatedAt }) => updatedAt)];
  return {
    batch,
    counts,
    done: counts.pending + counts.running === 0,
    updatedAt: new Date(Math.max(...moved.map((at) => at.getTime()))),
  };
}
