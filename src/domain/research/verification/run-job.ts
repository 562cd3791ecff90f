import { commit } from "#db/base/client.ts";
import { noteVerdictsStatement } from "#db/people/lead-verdicts.ts";
import {
  beginVerificationJob,
  dropOldVerificationJobs,
  endVerificationJobStatement,
  isJobOvertaken,
  overdueVerificationJobs,
  putBackVerificationJob,
  type VerificationJob,
} from "#db/research/verification-jobs.ts";
import type { Deps } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { assess } from "./assess.ts";
import { askAgainAt, FOR_ONE } from "./retry-policy.ts";
import { chargeOf, queueJob } from "./request-job.ts";
import { isDelivered, type Verdict } from "./verdict.ts";

/** A verification's own budget, the wait for its turn and for another's probe, twice: whoever began it is dead. */
const LEASE_MS = 45_000;
/** Begun so often and never ended: something about it ends the Worker. */
const MOST_ATTEMPTS = 20;
const KEPT_MS = 30 * DAY_MS;
/** A job that is due for so long has lost its message. */
const LOST_MS = 2 * 60_000;
const REVIVED_AT_ONCE = 200;

export type JobRun = "completed" | "failed" | "put_back" | "overtaken" | "not_due" | "gone";

/** The queue's callback: asks, and keeps verdict and charge together. Safe to repeat and to interrupt anywhere. */
export async function runVerificationJob(deps: Deps, id: string): Promise<JobRun> {
  const now = deps.clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const begun = await beginVerificationJob(deps.db, id, { now, until });
  if (begun === undefined) return "gone";
  const { job } = begun;
  if (!begun.due) {
    await queueJob(deps, job);
    return "not_due";
  }
  if (job.attempts > MOST_ATTEMPTS) return fail(deps, job);
  const verdict = await assess(deps, job.email, { force: job.force });
  const againAt = askAgainAt(FOR_ONE, verdict.reason, job.attempts, deps.clock.now());
  if (againAt === null) return complete(deps, job, verdict);
  await putBackVerificationJob(deps.db, job, againAt);
  await queueJob(deps, { ...job, dueAt: againAt });
  return "put_back";
}

function complete(deps: Deps, job: VerificationJob, verdict: Verdict): Promise<JobRun> {
  const now = deps.clock.now();
  return unlessOvertaken(
    "completed",
    commit(deps.db, [
      endVerificationJobStatement(deps.db, job, { status: "completed", verdict, now }),
      noteVerdictsStatement(deps.db, job.workspaceId, [{ email: job.email, verdict }]),
      ...settle(deps, chargeOf(job), () => isDelivered(verdict)),
    ]),
  );
}

function fail(deps: Deps, job: VerificationJob): Promise<JobRun> {
  const error = "The verification did not come to an end. Nothing was charged; try again later.";
  const end = { status: "failed", error, now: deps.clock.now() } as const;
  return unlessOvertaken(
    "failed",
    commit(deps.db, [
      endVerificationJobStatement(deps.db, job, end),
      ...settle(deps, chargeOf(job), () => false),
    ]),
  );
}

async function unlessOvertaken(run: JobRun, ending: Promise<unknown>): Promise<JobRun> {
  try {
    await ending;
    return run;
  } catch (error) {
    if (isJobOvertaken(error)) return "overtaken";
    throw error;
  }
}

/** Belongs into the engine's regular full check: what the queue lost goes on, what is old enough is dropped. */
export async function reviveVerificationJobs(deps: Deps): Promise<number> {
  const now = deps.clock.now().getTime();
  const lost = await overdueVerificationJobs(deps.db, new Date(now - LOST_MS), REVIVED_AT_ONCE);
  for (const job of lost) await queueJob(deps, job);
  await dropOldVerificationJobs(deps.db, new Date(now - KEPT_MS));
  return lost.length;
}
