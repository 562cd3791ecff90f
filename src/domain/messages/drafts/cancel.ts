import { commit } from "#db/base/client.ts";
import { markBatchCancelled } from "#db/messages/generation-batches.ts";
import { cancelGenerationsStatement, pendingOf } from "#db/messages/generations.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { type BatchProgress, progressOf, requirePlaygroundBatch } from "./batches.ts";
import { chargeOf } from "./charge.ts";

/** More than a batch has. */
const AT_ONCE = 500;

/**
 * Ends a batch's pending generations and gives back their credits. Those being written are kept, and paid for, when they
 * are done. Safe to repeat. A worker that claims one after the mark sees the mark and writes nothing: so all that are
 * pending then can be given back.
 */
export async function cancelBatch(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  batchId: string,
): Promise<BatchProgress> {
  const { batch } = await requirePlaygroundBatch(deps, principal, campaignId, batchId);
  const now = deps.clock.now();
  await markBatchCancelled(deps.db, batchId, now);
  const ids = await pendingOf(deps.db, batchId, AT_ONCE);
  if (ids.length > 0)
    await commit(deps.db, [
      cancelGenerationsStatement(deps.db, ids, now),
      ...settle(deps, chargeOf(batch, ids), () => false),
    ]);
  const { batch: cancelled } = await requirePlaygroundBatch(deps, principal, campaignId, batchId);
  return progressOf(deps, cancelled);
}
