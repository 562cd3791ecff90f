import { overdueOf, stalledBatches } from "#db/messages/generation-batches.ts";
import { overdueSendTimeGenerations } from "#db/messages/generations.ts";
import type { Deps } from "#src/deps.ts";
import { queueGenerations } from "./queue.ts";
import { reviveRun } from "./run-lane.ts";

/** Due for so long: the message was lost, or its worker, or the queue is as long; then one more does no harm. */
const LOST_MS = 5 * 60_000;
const BATCHES_AT_ONCE = 100;
const TEXTS_AT_ONCE = 200;

/** Belongs into the engine's regular full check: sends messages again that the queue seems to have lost. */
export async function reviveGenerations(deps: Deps): Promise<number> {
  if (deps.model === null) return 0;
  const before = new Date(deps.clock.now().getTime() - LOST_MS);
  const batches = await stalledBatches(deps.db, before, BATCHES_AT_ONCE);
  for (const { id, kind } of batches) {
    if (kind === "run") await reviveRun(deps, id);
    else await queueGenerations(deps, await overdueOf(deps.db, id, before, TEXTS_AT_ONCE));
  }
  const alone = await overdueSendTimeGenerations(deps.db, before, TEXTS_AT_ONCE);
  if (alone.length > 0) await queueGenerations(deps, alone);
  return batches.length + alone.length;
}
