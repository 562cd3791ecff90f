import { findBatch } from "#db/messages/generation-batches.ts";
import { claimNextGeneration, progressOfBatch } from "#db/messages/generations.ts";
import type { Deps } from "#src/deps.ts";
import { newClaim } from "#src/domain/job.ts";
import { requireModel } from "#src/domain/research/personalization/require-model.ts";
import { gatherNext } from "./gather-run.ts";
import { enqueueRun, RUN_WORKERS } from "./queue.ts";
import { LEASE_MS, writeGeneration } from "./write-generation.ts";

/** Chunks of leads gathered by one invocation: each is a few statements, and a large one takes half a second. */
const GATHERS_A_RUN = 10;

export type WorkerRun = "gone" | "gathered" | "worked" | "waits" | "over";

/** Gathers a run's leads, and then writes one text and asks for its successor. */
export async function runWorker(deps: Deps, runId: string): Promise<WorkerRun> {
  requireModel(deps);
  const batch = await findBatch(deps.db, runId);
  if (batch === undefined) return "gone";
  for (let gathers = 0; !(await gatherNext(deps, batch));) {
    if (++gathers < GATHERS_A_RUN) continue;
    await enqueueRun(deps, runId, 1);
    return "gathered";
  }
  return work(deps, runId);
}

async function work(deps: Deps, runId: string): Promise<WorkerRun> {
  const claim = newClaim(deps, LEASE_MS);
  const generation = await claimNextGeneration(deps.db, runId, claim, RUN_WORKERS);
  if (generation === undefined) return waitForNext(deps, runId);
  const run = await writeGeneration(deps, generation, claim.token);
  // A model that is away is away for the next lead, too.
  await enqueueRun(deps, runId, 1, run.outcome === "put_back" ? run.dueAt : undefined);
  return "worked";
}

/** A worker that holds a generation of the run goes on with the rest; where none does, this worker comes again when the next is due. */
async function waitForNext(deps: Deps, runId: string): Promise<WorkerRun> {
  const { live, nextDueAt } = await progressOfBatch(deps.db, runId, deps.clock.now());
  if (nextDueAt === null || live > 0) return "over";
  await enqueueRun(deps, runId, 1, nextDueAt);
  return "waits";
}
