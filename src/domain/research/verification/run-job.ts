import * as z from "zod";
import { commit, type Statement } from "#db/base/client.ts";
import { isFenced } from "#db/base/fence.ts";
import {
  claimJob,
  endJobStatement,
  overdueJobs,
  putBackJob,
  stillMineStatement,
} from "#db/base/job-queue.ts";
import { noteVerdictsStatement } from "#db/people/lead-verdicts.ts";
import { VERIFICATION_JOBS, type VerificationJob } from "#db/research/verification-jobs.ts";
import type { Deps } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { define, newClaim, oneByOne } from "#src/domain/job.ts";
import { assess } from "./assess.ts";
import { askAgainAt, FOR_ONE } from "./retry-policy.ts";
import { chargeOf, enqueueVerification, VERIFY_EMAIL } from "./request-job.ts";
import { isDelivered, type Verdict } from "./verdict.ts";

/** Twice a verification's budget, its wait for its turn and for another job's probe: a worker that began before is dead. */
const LEASE_MS = 45_000;
/** Begun so often and never ended: it kills its worker. */
const MOST_ATTEMPTS = 20;

export type JobRun = "completed" | "failed" | "put_back" | "overtaken" | "not_due" | "gone";

/** Safe to repeat and to interrupt anywhere: verdict and charge are kept together. */
export async function runVerificationJob(deps: Deps, id: string): Promise<JobRun> {
  const claim = newClaim(deps, LEASE_MS);
  const claimed = await claimJob(deps.db, VERIFICATION_JOBS, id, claim);
  if (claimed.kind === "over") return "gone";
  const { job } = claimed;
  if (claimed.kind === "waits") {
    await enqueueVerification(deps, job);
    return "not_due";
  }
  if (job.attempts > MOST_ATTEMPTS) return fail(deps, job);
  const verdict = await assess(deps, job.email, { force: job.force });
  const dueAt = askAgainAt(FOR_ONE, verdict.reason, job.attempts, deps.clock.now());
  if (dueAt === null) return complete(deps, job, verdict);
  await putBackJob(deps.db, VERIFICATION_JOBS, claimantOf(job), { status: "pending", dueAt });
  await enqueueVerification(deps, { ...job, dueAt });
  return "put_back";
}

const claimantOf = ({ id, claimToken }: VerificationJob) => ({ id, token: claimToken! });

const complete = (deps: Deps, job: VerificationJob, verdict: Verdict): Promise<JobRun> =>
  end(deps, job, { status: "completed", verdict }, isDelivered(verdict), [
    noteVerdictsStatement(deps.db, job.workspaceId, [{ email: job.email, verdict }]),
  ]);

const fail = (deps: Deps, job: VerificationJob): Promise<JobRun> =>
  end(
    deps,
    job,
    {
      status: "failed",
      error: "The verification did not come to an end. Nothing was charged; try again later.",
    },
    false,
  );

type JobEnd = { status: "completed"; verdict: Verdict } | { status: "failed"; error: string };

async function end(
  deps: Deps,
  job: VerificationJob,
  set: JobEnd,
  isSpent: boolean,
  effects: Statement[] = [],
): Promise<JobRun> {
  const { db, clock } = deps;
  const who = claimantOf(job);
  try {
    await commit(db, [
      stillMineStatement(db, VERIFICATION_JOBS, who),
      endJobStatement(db, VERIFICATION_JOBS, who, { ...set, updatedAt: clock.now() }),
      ...effects,
      ...settle(deps, chargeOf(job), () => isSpent),
    ]);
    return set.status;
  } catch (error) {
    if (isFenced(error)) return "overtaken";
    throw error;
  }
}

/** One address that was asked about. */
export const verifyEmail = define(VERIFY_EMAIL, {
  payload: z.object({ job_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { job_id }) => runVerificationJob(deps, job_id),
  lost: {
    afterMs: 2 * 60_000,
    find: ({ db }, before) => overdueJobs(db, VERIFICATION_JOBS, before, 200),
    requeue: oneByOne(enqueueVerification),
  },
});
