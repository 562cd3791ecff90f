import { commit, UNIQUE_VIOLATION, violates } from "#db/base/client.ts";
import {
  findOpenVerificationJob,
  getVerificationJob,
  insertVerificationJobStatement,
  type VerificationJob,
} from "#db/research/verification-jobs.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, unprocessable } from "#src/errors.ts";
import { hold, throwInsufficient } from "#src/domain/billing/credits/charge.ts";
import { wakeUp } from "#src/domain/job.ts";
import { newOwned, requires } from "#src/domain/owned.ts";
import { knownVerdict } from "./assess.ts";
import { requireVerifier } from "./require-verifier.ts";
import { readTarget } from "./target.ts";
import type { Verdict } from "./verdict.ts";

export type { VerificationJob };

export const VERIFY_EMAIL = "verify-email";

export type Requested =
  | { kind: "known"; email: string; verdict: Verdict }
  | { kind: "job"; job: VerificationJob };

/** Of two requests at once for one address one makes the job; it may have ended when the other looks for it. */
const TRIES = 5;

/**
 * The stored verdict on an address, or the job that verifies it, with its one credit held. A second request of the
 * workspace for an address that is being verified, with force or without, gets that job.
 */
export async function requestVerification(
  deps: Deps,
  principal: Principal,
  { email: text, force }: { email: string; force: boolean },
): Promise<Requested> {
  const target = readTarget(text);
  if (target === null) throw unprocessable("VALIDATION_ERROR", "That is not an email address.");
  const email = target.key;
  for (let tries = 0; tries < TRIES; tries++) {
    const open = await findOpenVerificationJob(deps.db, principal.workspaceId, email);
    if (open !== undefined) return { kind: "job", job: open };
    const verdict = force ? null : await knownVerdict(deps, email);
    if (verdict !== null) return { kind: "known", email, verdict };
    const job = await beginJob(deps, principal, { email, force });
    if (job !== null) return { kind: "job", job };
  }
  throw conflict("VERIFICATION_IN_PROGRESS", "The address is being verified; ask again.");
}

/** Null when another request was first. */
async function beginJob(
  deps: Deps,
  principal: Principal,
  order: { email: string; force: boolean },
): Promise<VerificationJob | null> {
  requireVerifier(deps);
  const owner = newOwned(deps, principal);
  const charge = chargeOf(owner);
  try {
    const [[job]] = await commit(deps.db, [
      insertVerificationJobStatement(deps.db, owner, order),
      hold(deps, charge),
    ]);
    await enqueueVerification(deps, job!);
    return job!;
  } catch (error) {
    if (violates(error, UNIQUE_VIOLATION, "verification_jobs_open")) return null;
    return throwInsufficient(charge)(error);
  }
}

export const chargeOf = ({ id, workspaceId }: { id: string; workspaceId: string }) => ({
  workspaceId,
  refType: "email_verification" as const,
  refIds: [id],
});

export function enqueueVerification(
  deps: Deps,
  { id, attempts, dueAt }: Pick<VerificationJob, "id" | "attempts" | "dueAt">,
): Promise<void> {
  const now = deps.clock.now();
  return wakeUp(deps, {
    callback: VERIFY_EMAIL,
    payload: { job_id: id, version: 1 },
    deduplicationId: `verify-${id}-${attempts}-${now.getTime()}`,
    ...(dueAt > now ? { notBefore: dueAt } : {}),
  });
}

export const requireVerificationJob = requires("Verification job", getVerificationJob);
