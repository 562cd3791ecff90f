import * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import { requireBalance } from "#src/domain/billing/credits/read.ts";
import { traitsOf } from "#src/domain/research/verification/assess.ts";
import { readAddress } from "#src/domain/research/verification/prefilter/address.ts";
import {
  type Requested,
  requestVerification,
  requireVerificationJob,
  type VerificationJob,
} from "#src/domain/research/verification/request-job.ts";
import { isDelivered } from "#src/domain/research/verification/verdict.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { verdictFields } from "./verdict-fields.ts";

const Verify = z
  .object({
    email: z
      .string()
      .max(320)
      .refine((text) => readAddress(text) !== null, "is not an email address")
      .openapi({ format: "email" }),
    force: z.boolean().default(false).describe("Asks again though the answer is known."),
  })
  .openapi("EmailVerify", { example: { email: "anna@corp.zz", force: false } });

const Body = z
  .object({
    job_id: uuid.nullable().describe("Null where the answer was known."),
    email: z.string().describe("As it is compared: in lower case, its domain as A-label."),
    status: z.enum(["pending", "running", "completed", "failed"]),
    result: verdictFields.result.nullable(),
    risk_level: verdictFields.risk_level,
    valid_format: verdictFields.valid_format,
    has_mx: verdictFields.has_mx,
    is_disposable: verdictFields.is_disposable,
    is_role: verdictFields.is_role,
    is_catch_all: verdictFields.is_catch_all,
    backend: verdictFields.backend.nullable(),
    cached: z.boolean(),
    credits_consumed: z
      .int()
      .describe("Held while the job is open; 0 again when the result stays unknown."),
    credits_remaining: z.int(),
    checked_at: instant.nullable(),
    poll_url: z.string().nullable(),
    error: z.string().nullable(),
  })
  .openapi("EmailVerification");
type Body = z.input<typeof Body>;

const PATH = "/api/v1/email-finder/verify";
const tag = "Verification";
const RETRY_AFTER = { "Retry-After": "2" };

const isOpen = ({ status }: Pick<VerificationJob, "status">) =>
  status === "pending" || status === "running";

async function toBody(deps: Deps, principal: Principal, asked: Requested): Promise<Body> {
  const email = asked.kind === "known" ? asked.email : asked.job.email;
  const [traits, { available }] = await Promise.all([
    traitsOf(deps, email),
    requireBalance(deps, principal),
  ]);
  const { reason: _, ...known } =
    (asked.kind === "known" ? asked.verdict : asked.job.verdict) ?? unanswered(traits);
  return { ...progressOf(deps, asked), email, ...known, credits_remaining: available };
}

const unanswered = ({ isFormat, isRole, isDisposable }: Awaited<ReturnType<typeof traitsOf>>) => ({
  result: null,
  risk_level: null,
  reason: null,
  backend: null,
  valid_format: isFormat,
  has_mx: null,
  is_disposable: isDisposable,
  is_role: isRole,
  is_catch_all: null,
  checked_at: null,
});

function progressOf({ settings }: Deps, asked: Requested) {
  if (asked.kind === "known")
    return {
      job_id: null,
      status: "completed" as const,
      cached: true,
      credits_consumed: 0,
      poll_url: null,
      error: null,
    };
  const { id, status, verdict, error } = asked.job;
  const isSpent = verdict !== null && isDelivered(verdict);
  return {
    job_id: id,
    status,
    cached: false,
    credits_consumed: isOpen(asked.job) || isSpent ? 1 : 0,
    poll_url: `${settings.publicBaseUrl}${PATH}/${id}`,
    error,
  };
}

export const emailFinderRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "verifyEmail",
    scope: "verify:run",
    tag,
    summary: "Verify an email address",
    description:
      "What is known is answered at once and at no cost (200). Else a job finds out (202): one credit is held for it, and given back if the result stays unknown. An address that is being verified already is the same job, and costs nothing more.",
    paidPlanOnly: true,
    claims: "effect",
    body: Verify,
    response: Body,
    alsoStatus: [202],
    sends: ["Retry-After"],
    errors: [403, 409, 503],
    handler: async ({ deps, principal, body }) => {
      const asked = await requestVerification(deps, principal, body);
      const answer = await toBody(deps, principal, asked);
      return asked.kind === "known" ? answer : new Answer(202, answer, RETRY_AFTER);
    },
  }),
  operation({
    method: "get",
    path: `${PATH}/{job_id}`,
    id: "getEmailVerification",
    scope: "verify:run",
    tag,
    summary: "Get the verification of an email address",
    description: "With `Retry-After` while it is open. Kept for 30 days.",
    sends: ["Retry-After"],
    paidPlanOnly: true,
    params: z.object({ job_id: uuid }),
    response: Body,
    handler: async ({ deps, principal, params }) => {
      const job = await requireVerificationJob(deps, principal, params.job_id);
      const answer = await toBody(deps, principal, { kind: "job", job });
      return isOpen(job) ? new Answer(200, answer, RETRY_AFTER) : answer;
    },
  }),
];
