import * as z from "zod";
import { VERIFY_EMAIL } from "#src/domain/research/verification/request-job.ts";
import { runVerificationJob } from "#src/domain/research/verification/run-job.ts";
import { callback } from "#src/http/callback.ts";

export const verifyEmail = callback({
  name: VERIFY_EMAIL,
  payload: z.object({ job_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { job_id }) => runVerificationJob(deps, job_id),
});
