import { commit } from "#db/base/client.ts";
import {
  dropVerificationRowsStatement,
  waitingRows,
} from "#db/research/dataset-verification-rows.ts";
import {
  cancelDatasetVerification,
  dropDatasetVerification,
  touchDatasetVerificationStatement,
} from "#db/research/dataset-verifications.ts";
import type { Deps } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { chargeOfRows } from "./dataset-queue.ts";

const GIVEN_BACK_AT_ONCE = 2_000;

interface Job {
  id: string;
  workspaceId: string;
}

/**
 * Gives back the credits of rows that were not verified, some at a time: if a worker dies between two chunks, the next
 * one goes on there. False when `atMost` chunks were not enough.
 */
export async function giveBackWaiting(deps: Deps, job: Job, atMost: number): Promise<boolean> {
  for (let given = 0; given < atMost;) {
    const rows = await waitingRows(deps.db, job.id, GIVEN_BACK_AT_ONCE);
    if (rows.length === 0) return true;
    await commit(deps.db, [
      touchDatasetVerificationStatement(deps.db, job.id, deps.clock.now()),
      dropVerificationRowsStatement(deps.db, job.id, rows),
      ...settle(deps, chargeOfRows(job, rows), () => false),
    ]);
    given += rows.length;
  }
  return false;
}

/** Leaves nothing of a verification that could not be begun. */
export async function giveUp(deps: Deps, job: Job): Promise<void> {
  await cancelDatasetVerification(deps.db, job.id, deps.clock.now());
  await giveBackWaiting(deps, job, Infinity);
  await dropDatasetVerification(deps.db, job.id);
}
