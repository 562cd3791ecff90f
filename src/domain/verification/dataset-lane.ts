import { commit } from "#db/client.ts";
import {
  type ClaimedRow,
  claimVerificationRows,
  endVerificationRowsStatement,
  type RowEnd,
  standOfVerification,
} from "#db/dataset-verification-rows.ts";
import {
  cancelDatasetVerification,
  completeDatasetVerificationStatement,
  type DatasetVerification,
  dropDatasetVerification,
  findDatasetVerification,
  stalledDatasetVerifications,
  touchDatasetVerificationStatement,
} from "#db/dataset-verifications.ts";
import { noteVerdictsStatement } from "#db/lead-verdicts.ts";
import type { Deps } from "#src/deps.ts";
import { settle } from "#src/domain/credits/charge.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { assess } from "./assess.ts";
import { giveBackWaiting } from "./dataset-end.ts";
import { BATCH_ROWS, chargeOfRows, LANES, queueLanes } from "./dataset-queue.ts";
import { askAgainAt, FOR_MANY } from "./put-back.ts";
import { requireVerifier } from "./require-verifier.ts";
import { isDelivered } from "./verdict.ts";

/** What one run may do, well within the 1,000 subrequests of an invocation: a row takes a dozen, a wait four a second. */
const RUN_ROWS = 40;
const RUN_MS = 25_000;
/** Longer than a run and its last row: whoever claimed rows before is dead. */
const CLAIM_MS = 60_000;
/** The mail host of one domain is asked by two at a time, as its operator is by all of us. */
const LANES_OF_DOMAIN = 2;
const GIVEN_BACK_A_RUN = 20_000;
const STALLED_MS = 5 * 60_000;
const REVIVED_AT_ONCE = 100;

export type LaneRun = "gone" | "over" | "given_back" | "worked" | "nothing_due";

/** The queue's callback: one lane of a dataset's verification. Safe to repeat, to run beside others and to interrupt anywhere. */
export async function runDatasetLane(deps: Deps, jobId: string): Promise<LaneRun> {
  const job = await findDatasetVerification(deps.db, jobId);
  if (job === undefined) return "gone";
  if (job.datasetIsGone) await cancelDatasetVerification(deps.db, jobId, deps.clock.now());
  if (job.status === "running" && !job.datasetIsGone) return work(deps, job);
  if (job.status === "completed" || job.status === "pending") return "over";
  if (!(await giveBackWaiting(deps, job, GIVEN_BACK_A_RUN))) await queueLanes(deps, jobId, 1);
  else if (job.datasetIsGone) await dropDatasetVerification(deps.db, jobId);
  return "given_back";
}

async function work(deps: Deps, job: DatasetVerification): Promise<LaneRun> {
  requireVerifier(deps);
  const endsAt = deps.clock.now().getTime() + RUN_MS;
  let done = 0;
  while (done < RUN_ROWS && deps.clock.now().getTime() < endsAt) {
    const token = deps.ids.uuid();
    const rows = await claim(deps, job.id, token);
    if (rows.length === 0) break;
    await keepEnds(deps, job, token, rows, await askAll(deps, rows, endsAt));
    done += rows.length;
  }
  await queueNext(deps, job.id);
  return done > 0 ? "worked" : "nothing_due";
}

function claim({ db, clock }: Deps, jobId: string, token: string): Promise<ClaimedRow[]> {
  const now = clock.now();
  return claimVerificationRows(db, jobId, {
    token,
    now,
    until: new Date(now.getTime() + CLAIM_MS),
    rows: BATCH_ROWS,
    workers: LANES,
    workersOfDomain: LANES_OF_DOMAIN,
  });
}

/** One after the other; those that the run's time is not enough for are left to the next. */
async function askAll(deps: Deps, rows: readonly ClaimedRow[], endsAt: number): Promise<RowEnd[]> {
  const ends: RowEnd[] = [];
  for (const row of rows) {
    const now = deps.clock.now();
    ends.push(now.getTime() < endsAt ? await askOne(deps, row) : leftAt(row, now));
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
  const verdict = await assess(deps, email, { force: row.attempts > 0, mayAskAgain: false });
  const now = deps.clock.now();
  const againAt = askAgainAt(FOR_MANY, verdict.reason, attempts, now);
  if (againAt !== null) return { ...leftAt(row, againAt), attempts };
  const keyHash = await sha256Hex(email);
  return { ...leftAt(row, now), state: "done", keyHash, verdict, attempts };
}

/** Verdicts, charges and what the leads show of them, in one transaction. */
async function keepEnds(
  deps: Deps,
  job: DatasetVerification,
  token: string,
  rows: readonly ClaimedRow[],
  ends: readonly RowEnd[],
): Promise<void> {
  const now = deps.clock.now();
  const over = ends.filter(({ state }) => state !== "waiting").map(({ rowIndex }) => rowIndex);
  const found = ends.flatMap(({ verdict }, index) =>
    verdict === null ? [] : [{ email: rows[index]!.email!, verdict }],
  );
  const delivered = ends.filter(({ verdict }) => verdict !== null && isDelivered(verdict));
  const spent = new Set(
    chargeOfRows(
      job,
      delivered.map(({ rowIndex }) => rowIndex),
    ).refIds,
  );
  await commit(deps.db, [
    touchDatasetVerificationStatement(deps.db, job.id, now),
    endVerificationRowsStatement(deps.db, job.id, token, ends),
    completeDatasetVerificationStatement(deps.db, job.id, now),
    noteVerdictsStatement(deps.db, job.workspaceId, found),
    ...settle(deps, chargeOfRows(job, over), (refId) => spent.has(refId)),
  ]);
}

/** Asks for as many lanes as have something to do, itself included, at most two at a time: their runs end together. */
async function queueNext(deps: Deps, jobId: string): Promise<void> {
  const now = deps.clock.now();
  const sample = LANES * BATCH_ROWS;
  const { due, domains, live, nextAt } = await standOfVerification(deps.db, jobId, now, sample);
  if (nextAt === null) return;
  const useful = Math.min(LANES, Math.ceil(due / BATCH_ROWS), domains * LANES_OF_DOMAIN) - live;
  if (useful > 0) return queueLanes(deps, jobId, Math.min(useful, 2));
  // Where others are at work, they go on.
  if (live === 0) await queueLanes(deps, jobId, 1, nextAt);
}

/** Belongs into the engine's regular full check: lanes that were lost, preparations that died, credits to be given back. */
export async function reviveDatasetVerifications(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const before = new Date(now.getTime() - STALLED_MS);
  const stalled = await stalledDatasetVerifications(deps.db, before, REVIVED_AT_ONCE);
  for (const { id, status } of stalled) {
    if (status === "pending") await cancelDatasetVerification(deps.db, id, now);
    await queueLanes(deps, id, 1);
  }
  return stalled.length;
}
