import { commit, type Statement } from "#db/client.ts";
import { isFenced } from "#db/fence.ts";
import { markBatchCancelled } from "#db/generation-batches.ts";
import { cancelGenerationsStatement, pendingOf, stillPendingStatement } from "#db/generations.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { settle } from "#src/domain/credits/charge.ts";
import { type BatchProgress, progressOf, requirePlaygroundBatch } from "./batches.ts";
import { chargeOf } from "./charge.ts";

/** More than a batch has. */
const AT_ONCE = 500;
/** Of pending ones that workers begin meanwhile; after the mark nobody begins any, and what is left the queue ends. */
const TRIES = 5;

/**
 * Begins nothing of a batch any more, and gives back the credits of what was not begun. What is being written is kept, and
 * paid for, when it is done. Safe to repeat.
 */
export async function cancelBatch(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  batchId: string,
): Promise<BatchProgress> {
  const { batch } = await requirePlaygroundBatch(deps, principal, campaignId, batchId);
  await markBatchCancelled(deps.db, batchId, deps.clock.now());
  for (let tries = 0; tries < TRIES && !(await cancelPending(deps, batch)); tries++);
  return progressOf(
    deps,
    (await requirePlaygroundBatch(deps, principal, campaignId, batchId)).batch,
  );
}

/** False when somebody began one of them meanwhile. */
async function cancelPending(
  deps: Deps,
  batch: { id: string; workspaceId: string; kind: "playground" | "run" | "send_time" },
): Promise<boolean> {
  const ids = await pendingOf(deps.db, batch.id, AT_ONCE);
  if (ids.length === 0) return true;
  try {
    await commit(deps.db, [
      stillPendingStatement(deps.db, ids),
      cancelGenerationsStatement(deps.db, ids, deps.clock.now()),
      ...settle(deps, chargeOf(batch, ids), () => false),
    ] as [Statement, ...Statement[]]);
    return true;
  } catch (error) {
    if (isFenced(error)) return false;
    throw error;
  }
}
