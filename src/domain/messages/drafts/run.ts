import { commit } from "#db/base/client.ts";
import {
  countStatuses,
  getBatch,
  insertBatchStatement,
  type NewBatch,
} from "#db/messages/generation-batches.ts";
import {
  countLeads,
  listRunGenerations,
  type RunGeneration,
  type RunLead,
  runLeads,
} from "#db/messages/run-leads.ts";
import { getSenderProfile, listSenderProfiles } from "#db/senders/sender-profiles.ts";
import { GENERATION_STATUSES, type GenerationStatus } from "#db/schema/index.ts";
import type { Json } from "#db/schema/columns.ts";
import type { NewOwned } from "#db/base/owned.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import { insufficientCredits, throwInsufficient } from "#src/domain/billing/credits/charge.ts";
import { requireBalance } from "#src/domain/billing/credits/read.ts";
import { requireDataset } from "#src/domain/people/leads/datasets.ts";
import { newOwned, requireFound } from "#src/domain/owned.ts";
import { promptVersionHash, resolvePrompt } from "#src/domain/research/personalization/prompts.ts";
import { requireModel } from "#src/domain/research/personalization/require-model.ts";
import { countsOf } from "./batches.ts";
import { chargeOf } from "./charge.ts";
import { GATHERED_AT_ONCE, gatherStatements } from "./gather-run.ts";
import { enqueueRun, RUN_WORKERS } from "./queue.ts";

export type { RunGeneration };

export interface RunOrder {
  datasetId: string;
  senderProfileId?: string | undefined;
  senderData?: Readonly<Record<string, string | null | undefined>> | undefined;
  customPrompt?: string | undefined;
  /** The rows to write for, as far as they exist; all rows without. */
  rowIndexes?: readonly number[] | undefined;
}

/**
 * Begins a run: a text for each lead of a dataset. With too few credits for all leads no run begins; else the first leads
 * are gathered with their credits at once, and the queue gathers the rest before it writes.
 */
export async function beginRun(
  deps: Deps,
  principal: Principal,
  order: RunOrder,
): Promise<{ runId: string; total: number }> {
  await requireDataset(deps, principal, order.datasetId);
  const sender = await requireSender(deps, principal, order);
  const model = requireModel(deps);
  const owner = newOwned(deps, principal);
  const run = { id: owner.id, datasetId: order.datasetId };
  const first = await runLeads(
    deps.db,
    run,
    order.rowIndexes === undefined
      ? { after: -1, limit: GATHERED_AT_ONCE }
      : { rowIndexes: order.rowIndexes },
  );
  const total =
    order.rowIndexes === undefined ? await countLeads(deps.db, order.datasetId) : first.length;
  const prompt = resolvePrompt({ override: order.customPrompt, sender: sender.customPrompt });
  const batch: NewBatch = {
    kind: "run",
    campaignId: null,
    step: null,
    datasetId: order.datasetId,
    customPrompt: order.customPrompt ?? null,
    senderProfileId: sender.profileId,
    senderData: sender.data,
    promptVersionHash: await promptVersionHash(prompt, model),
    total,
  };
  await insertRun(deps, principal, owner, batch, first);
  if (total > 0) await enqueueRun(deps, owner.id, Math.min(total, RUN_WORKERS));
  return { runId: owner.id, total };
}

async function insertRun(
  deps: Deps,
  principal: Principal,
  owner: NewOwned,
  batch: NewBatch,
  first: readonly RunLead[],
): Promise<void> {
  const { total } = batch;
  if (total > (await requireBalance(deps, principal)).available) throw insufficientCredits(total);
  const ids = first.map(({ id }) => id);
  await commit(deps.db, [
    insertBatchStatement(deps.db, owner, batch),
    ...gatherStatements(deps, owner, batch, first, 0),
  ]).catch(throwInsufficient(chargeOf({ ...owner, kind: "run" }, ids)));
}

interface RunSender {
  profileId: string | null;
  data: Record<string, Json> | null;
  customPrompt: string | null;
}

/** The sender that a run writes for: a saved profile, one given in the request, or else the workspace's default. */
async function requireSender(
  { db }: Deps,
  { workspaceId }: Principal,
  { senderProfileId, senderData }: RunOrder,
): Promise<RunSender> {
  if (senderProfileId === undefined && senderData !== undefined) {
    const given = Object.entries(senderData).filter(([, value]) => value !== undefined);
    const data = Object.fromEntries(given) as Record<string, string | null>;
    return { profileId: null, data, customPrompt: data["custom_prompt"] ?? null };
  }
  const profile =
    senderProfileId === undefined
      ? (await listSenderProfiles(db, workspaceId)).find(({ isDefault }) => isDefault)
      : await getSenderProfile(db, workspaceId, senderProfileId);
  if (profile !== undefined)
    return { profileId: profile.id, data: null, customPrompt: profile.customPrompt };
  if (senderProfileId !== undefined) throw notFound("Sender profile");
  throw unprocessable(
    "VALIDATION_ERROR",
    "Give sender_profile_id or sender_data: the workspace has no default sender profile.",
  );
}

export interface RunPage {
  generations: RunGeneration[];
  total: number;
}

/** The results of a run's leads so far, from an index on; a batch of drafts is a run too. */
export async function readRun(
  deps: Deps,
  { workspaceId }: Principal,
  runId: string,
  page: { offset: number; limit: number },
): Promise<RunPage> {
  const { total } = requireFound(await getBatch(deps.db, workspaceId, runId), "Run");
  return { generations: await listRunGenerations(deps.db, runId, page), total };
}

export const RUN_STATUSES = ["pending", "running", "completed", "cancelled"] as const;

export interface RunStatus {
  status: (typeof RUN_STATUSES)[number];
  total: number;
  counts: Record<GenerationStatus, number>;
  done: boolean;
}

/** How far a run is. What is still to be gathered is pending. */
export async function runStatus(
  { db }: Deps,
  { workspaceId }: Principal,
  runId: string,
): Promise<RunStatus> {
  const { total, cancelledAt } = requireFound(await getBatch(db, workspaceId, runId), "Run");
  const counts = countsOf(await countStatuses(db, [runId]));
  const begun = GENERATION_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  if (cancelledAt === null) counts.pending += Math.max(0, total - begun);
  const done = counts.pending + counts.running === 0;
  const isUntouched = counts.pending === total && total > 0;
  const status =
    cancelledAt !== null ? "cancelled" : done ? "completed" : isUntouched ? "pending" : "running";
  return { status, total, counts, done };
}
