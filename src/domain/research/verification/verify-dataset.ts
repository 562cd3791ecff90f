import { commit, UNIQUE_VIOLATION, violates } from "#db/base/client.ts";
import { isFenced } from "#db/base/fence.ts";
import {
  beginDatasetVerification,
  cancelDatasetVerification,
  type DatasetVerification,
  lastDatasetVerification,
  openDatasetVerification,
  stillPreparedStatement,
  touchDatasetVerificationStatement,
} from "#db/research/dataset-verifications.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";
import {
  hold,
  insufficientCredits,
  throwInsufficient,
} from "#src/domain/billing/credits/charge.ts";
import { CREDIT_COSTS } from "#src/domain/billing/credits/packs.ts";
import { requireBalance } from "#src/domain/billing/credits/read.ts";
import { requireDataset } from "#src/domain/people/leads/datasets.ts";
import { newOwned } from "#src/domain/owned.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { giveBackWaiting, giveUp } from "./dataset-end.ts";
import { BATCH_ROWS, chargeOfRows, WORKERS, enqueueWorkers } from "./dataset-queue.ts";
import { gatherRows } from "./dataset-rows.ts";

/** Rows of one transaction that holds their credits: the workspace's balance is locked as long. */
const HELD_AT_ONCE = 5_000;
/** Rows that a cancellation gives back while its caller waits; the queue has the rest. */
const GIVEN_BACK_AT_ONCE = 10_000;
/** 100,000 addresses of one operator are 28 hours at one a second. */
const HELD_MS = 7 * DAY_MS;

/**
 * Verifies every address of a dataset: those that are known at once, the others by the queue, each with its credit
 * held before any is asked about. With too few credits for all of them nothing is begun.
 */
export async function verifyDataset(
  deps: Deps,
  principal: Principal,
  datasetId: string,
): Promise<DatasetVerification> {
  await requireDataset(deps, principal, datasetId);
  const owner = newOwned(deps, principal);
  const job = { id: owner.id, workspaceId: owner.workspaceId, datasetId };
  await beginDatasetVerification(deps.db, owner, datasetId).catch((error: unknown) => {
    throw violates(error, UNIQUE_VIOLATION, "dataset_verifications_live") ? inProgress() : error;
  });
  try {
    const waiting = await gatherRows(deps, job);
    await holdAll(deps, principal, job, waiting);
    const now = deps.clock.now();
    const waits = waiting.length > 0;
    const opened = await openDatasetVerification(deps.db, job, { waits, now });
    if (opened === undefined) throw inProgress();
    if (waits)
      await enqueueWorkers(deps, job.id, Math.min(WORKERS, Math.ceil(waiting.length / BATCH_ROWS)));
    return opened;
  } catch (error) {
    await giveUp(deps, job);
    throw error;
  }
}

const inProgress = () =>
  conflict(
    "VERIFICATION_IN_PROGRESS",
    "The dataset is being verified; wait until that is done, or cancel it.",
  );

interface Job {
  id: string;
  workspaceId: string;
}

/** Too few are found out before any is held; where others spend at the same time, by the hold itself. */
async function holdAll(
  deps: Deps,
  principal: Principal,
  job: Job,
  rows: readonly number[],
): Promise<void> {
  const all = chargeOfRows(job, rows);
  const needed = rows.length * CREDIT_COSTS[all.refType];
  if (needed > (await requireBalance(deps, principal)).available) throw insufficientCredits(needed);
  for (let from = 0; from < rows.length; from += HELD_AT_ONCE) {
    const refIds = all.refIds.slice(from, from + HELD_AT_ONCE);
    await commit(deps.db, [
      touchDatasetVerificationStatement(deps.db, job.id, deps.clock.now()),
      stillPreparedStatement(deps.db, job.id),
      hold(deps, { ...all, refIds }, HELD_MS),
    ]).catch((error: unknown) => {
      if (isFenced(error)) throw inProgress();
      return throwInsufficient(all)(error);
    });
  }
}

/** The dataset's last verification, or the one under way. */
export async function requireDatasetVerification(
  deps: Deps,
  principal: Principal,
  datasetId: string,
): Promise<DatasetVerification> {
  await requireDataset(deps, principal, datasetId);
  const found = await lastDatasetVerification(deps.db, principal.workspaceId, datasetId);
  if (found === undefined) throw notFound("Verification");
  return found;
}

/** Begins no row any more, and gives back the credits of those that were not asked about. Safe to repeat. */
export async function cancelDataset(
  deps: Deps,
  principal: Principal,
  datasetId: string,
): Promise<void> {
  const job = await requireDatasetVerification(deps, principal, datasetId);
  if (job.status === "completed")
    throw conflict("INVALID_STATE_TRANSITION", "The verification is completed.");
  await cancelDatasetVerification(deps.db, job.id, deps.clock.now());
  if (!(await giveBackWaiting(deps, job, GIVEN_BACK_AT_ONCE)))
    await enqueueWorkers(deps, job.id, 1);
}
