import * as z from "zod";
import {
  type ClaimedRow,
  claimVerificationRows,
  type RowEnd,
  progressOfVerification,
} from "#db/research/dataset-verification-rows.ts";
import {
  cancelDatasetVerification,
  type DatasetVerification,
  dropDatasetVerification,
  findDatasetVerification,
  stalledDatasetVerifications,
} from "#db/research/dataset-verifications.ts";
import type { Deps } from "#src/deps.ts";
import { define, newClaim, oneByOne } from "#src/domain/job.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { assess } from "./assess.ts";
import { giveBackWaiting } from "./dataset-end.ts";
import { type Asked, keepEnds } from "./dataset-keep.ts";
import {
  BATCH_ROWS,
  WORKERS,
  enqueueWorkers,
  enqueueCheck,
  VERIFY_DATASET,
} from "./dataset-queue.ts";
import { askAgainAt, FOR_MANY } from "./retry-policy.ts";
import { requireVerifier } from "./require-verifier.ts";

/** What one run may do, well within the 1,000 subrequests of an invocation: a row takes a dozen, a wait four a second. */
const RUN_ROWS = 40;
const RUN_MS = 25_000;
/** Longer than a run and its last row: a worker that claimed rows before is dead. */
const CLAIM_MS = 60_000;
/** The mail host of one domain is asked by two at a time, as its operator is by all of us. */
const WORKERS_OF_DOMAIN = 2;
const GIVEN_BACK_A_RUN = 20_000;

export type WorkerRun = "gone" | "over" | "given_back" | "worked" | "nothing_due";

/** One worker of a dataset's verification. Safe to repeat, to run beside others and to interrupt anywhere. */
export async function runDatasetWorker(deps: Deps, jobId: string): Promise<WorkerRun> {
  const job = await findDatasetVerification(deps.db, jobId);
  if (job === undefined) return "gone";
  if (job.datasetIsGone) await cancelDatasetVerification(deps.db, jobId, deps.clock.now());
  if (job.status === "running" && !job.datasetIsGone) return work(deps, job);
  if (job.status === "completed" || job.status === "pending") return "over";
  if (!(await giveBackWaiting(deps, job, GIVEN_BACK_A_RUN))) await enqueueWorkers(deps, jobId, 1);
  else if (job.datasetIsGone) await dropDatasetVerification(deps.db, jobId);
  return "given_back";
}

async function work(deps: Deps, job: DatasetVerification): Promise<WorkerRun> {
  requireVerifier(deps);
  const endsAt = deps.clock.now().getTime() + RUN_MS;
  let done = 0;
  while (done < RUN_ROWS && deps.clock.now().getTime() < endsAt) {
    const claim = newClaim(deps, CLAIM_MS);
    const rows = await claimVerificationRows(deps.db, job.id, {
      ...claim,
      rows: BATCH_ROWS,
      workers: WORKERS,
      workersOfDomain: WORKERS_OF_DOMAIN,
    });
    if (rows.length === 0) break;
    await keepEnds(deps, job, claim.token, await askAll(deps, rows, endsAt));
    done += rows.length;
  }
  await enqueueNext(deps, job.id);
  return done > 0 ? "worked" : "nothing_due";
}

/** One after the other; those that the run's time is not enough for are left to the next. */
async function askAll(deps: Deps, rows: readonly ClaimedRow[], endsAt: number): Promise<Asked[]> {
  const ends: Asked[] = [];
  for (const row of rows) {
    const now = deps.clock.now();
    const end = now.getTime() < endsAt ? await askOne(deps, row) : leftAt(row, now);
    ends.push({ ...end, email: row.email });
  }
  return ends;
}

const leftAt = ({ rowIndex, attempts }: ClaimedRow, dueAt: Date): RowEnd => ({
  rowIndex,
  state: "waiting",
  dueAt,
  keyHash: null,
  verdict: null,
  attempts,
});

async function askOne(deps: Deps, row: ClaimedRow): Promise<RowEnd> {
  const { email } = row;
  if (email === null) return { ...leftAt(row, deps.clock.now()), state: "dropped" };
  const attempts = row.attempts + 1;
  // What was put back is asked anew: what is kept of it is why.
  const verdict = await assess(deps, email, { force: row.attempts > 0, isUnhurried: true });
  const now = deps.clock.now();
  const againAt = askAgainAt(FOR_MANY, verdict.reason, attempts, now);
  if (againAt !== null) return { ...leftAt(row, againAt), attempts };
  const keyHash = await sha256Hex(email);
  return { ...leftAt(row, now), state: "done", keyHash, verdict, attempts };
}

/**
 * Queues as many workers as have rows to do, this one included, at most two at a time: their runs end together.
 * Live workers go on by themselves; one check is queued for when their claims end, because they may be dead.
 */
async function enqueueNext(deps: Deps, jobId: string): Promise<void> {
  const now = deps.clock.now();
  const sample = WORKERS * BATCH_ROWS;
  const stand = await progressOfVerification(deps.db, jobId, now, sample);
  const { due, domains, live, claimEndsAt, nextAt } = stand;
  if (nextAt === null) return;
  const useful = Math.min(WORKERS, Math.ceil(due / BATCH_ROWS), domains * WORKERS_OF_DOMAIN) - live;
  if (useful > 0) return enqueueWorkers(deps, jobId, Math.min(useful, 2));
  if (claimEndsAt === null) return enqueueWorkers(deps, jobId, 1, nextAt);
  await enqueueCheck(deps, jobId, claimEndsAt);
}

/** The rows of a dataset; lost are also preparations that died, and credits that are to be given back. */
export const verifyDataset = define(VERIFY_DATASET, {
  payload: z.object({ job_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { job_id }) => runDatasetWorker(deps, job_id),
  lost: {
    afterMs: 5 * 60_000,
    find: ({ db }, before) => stalledDatasetVerifications(db, before, 100),
    requeue: oneByOne(async (deps, { id, status }: DatasetVerification) => {
      if (status === "pending") await cancelDatasetVerification(deps.db, id, deps.clock.now());
      await enqueueWorkers(deps, id, 1);
    }),
  },
});
