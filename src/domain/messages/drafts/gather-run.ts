import { commit, type Statement } from "#db/base/client.ts";
import { isInsufficient } from "#db/billing/credits.ts";
import { isFenced } from "#db/base/fence.ts";
import {
  allInsertedStatement,
  correctBatchTotal,
  type GenerationBatch,
  insertGenerationsStatement,
} from "#db/messages/generation-batches.ts";
import type { NewOwned } from "#db/base/owned.ts";
import { lastGathered, type RunLead, runLeads } from "#db/messages/run-leads.ts";
import type { Deps } from "#src/deps.ts";
import { hold } from "#src/domain/billing/credits/charge.ts";
import { MODEL_CALLS_A_DAY } from "#src/domain/research/personalization/ask-model.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { chargeOf } from "./charge.ts";

/** Leads of one transaction with their credits: the workspace's balance is locked as long. */
export const GATHERED_AT_ONCE = 2_500;
/** A text takes a call of the model at least, of so many a day; and a week, for those that it takes twice, and for others of the workspace. */
const heldMs = (total: number) => (7 + Math.ceil(total / MODEL_CALLS_A_DAY)) * DAY_MS;

type RunBatch = Pick<
  GenerationBatch,
  "kind" | "campaignId" | "step" | "datasetId" | "promptVersionHash" | "total"
>;

/** Leads of a run from this place on, and the credits that are held for them. */
export function gatherStatements(
  deps: Deps,
  owner: NewOwned,
  batch: RunBatch,
  leads: readonly RunLead[],
  from: number,
): Statement[] {
  if (leads.length === 0) return [];
  const ids = leads.map(({ id }) => id);
  return [
    insertGenerationsStatement(deps.db, owner, batch, rowsOf(batch, leads, from)),
    allInsertedStatement(deps.db, ids),
    hold(deps, chargeOf({ ...owner, kind: batch.kind }, ids), heldMs(batch.total)),
  ];
}

const rowsOf = (batch: RunBatch, leads: readonly RunLead[], from: number) =>
  leads.map((lead, index) => ({
    ...lead,
    campaignLeadId: null,
    datasetId: batch.datasetId,
    leadIndex: from + index,
    promptVersionHash: batch.promptVersionHash,
  }));

/**
 * Gathers the next leads of a run; true when there are no more. A second worker, at once or after a death, makes the
 * same rows with the same ids, and holds credits for none of them twice.
 */
export async function gatherNext(deps: Deps, batch: GenerationBatch): Promise<boolean> {
  const last = (await lastGathered(deps.db, batch.id)) ?? { leadIndex: -1, rowIndex: -1 };
  const from = last.leadIndex + 1;
  if (from >= batch.total) return true;
  const which = { after: last.rowIndex, limit: Math.min(GATHERED_AT_ONCE, batch.total - from) };
  const leads = await runLeads(deps.db, batch, which);
  const now = deps.clock.now();
  // Leads that were deleted since they were counted.
  if (leads.length === 0) await correctBatchTotal(deps.db, batch.id, from, now);
  else await keep(deps, { ...batch, now }, leads, from);
  return leads.length === 0 || from + leads.length >= batch.total;
}

const UNPAID = "The workspace had no credit left for this lead.";

/** Credits for all leads were there at the beginning; if they were spent meanwhile, these leads fail. */
async function keep(
  deps: Deps,
  batch: GenerationBatch & { now: Date },
  leads: readonly RunLead[],
  from: number,
): Promise<void> {
  try {
    const [first, ...others] = gatherStatements(deps, batch, batch, leads, from);
    await commit(deps.db, [first!, ...others]);
  } catch (error) {
    // Another worker gathered them, and some of them failed since: for lack of credits, or when they were written.
    if (isFenced(error)) return;
    if (!isInsufficient(error)) throw error;
    const rows = rowsOf(batch, leads, from);
    await insertGenerationsStatement(deps.db, batch, batch, rows, UNPAID);
  }
}
