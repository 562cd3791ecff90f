import * as z from "zod";
import {
  reportOf,
  type VerificationReport,
  type VerifiedLead,
} from "#src/domain/research/verification/dataset-report.ts";
import {
  cancelDataset,
  requireDatasetVerification,
  verifyDataset,
} from "#src/domain/research/verification/verify-dataset.ts";
import { Deleted, done, uuid, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { CursorQuery, toPage } from "#src/http/pagination.ts";
import { verdictFields } from "./verdict-fields.ts";

const Result = z.object({
  row_index: z.int(),
  lead_id: uuid,
  email: z.string(),
  result: verdictFields.result,
  risk_level: verdictFields.risk_level,
  is_disposable: verdictFields.is_disposable,
  is_role: verdictFields.is_role,
  is_catch_all: verdictFields.is_catch_all,
  cached: z.boolean().describe("It was known when the verification began, and cost nothing."),
  checked_at: verdictFields.checked_at.nullable(),
});

const Body = z
  .object({
    dataset_id: uuid,
    job_id: uuid,
    status: z
      .enum(["pending", "running", "completed", "failed", "cancelled"])
      .describe("No verification fails as a whole today: a row that cannot be decided is unknown."),
    total: z.int().describe("Leads with an address."),
    processed: z.int(),
    credits_consumed: z
      .int()
      .describe("Spent, and while it is running also what is held for the addresses to come."),
    summary: z.object({ safe: z.int(), risky: z.int(), invalid: z.int(), unknown: z.int() }),
    results: z.array(Result).describe("Of what is processed, in row order."),
    next_cursor: z.string().nullable(),
  })
  .openapi("DatasetVerification");
type Body = z.input<typeof Body>;

const PATH = "/api/v1/email-verification/dataset/{dataset_id}";
const tag = "Verification";
const params = z.object({ dataset_id: uuid });
const PAGE = { default: 100, max: 500 };
const RETRY_AFTER = { "Retry-After": "5" };

const PageQuery = z.object({
  cursor: CursorQuery.shape.cursor.refine(
    (cursor) => cursor === undefined || /^\d{1,9}$/.test(cursor),
    "Not a cursor that this list gave out.",
  ),
  limit: wholeNumberOr(PAGE.default, 1, PAGE.max),
});

const toResult = ({ rowIndex, leadId, email, cached, verdict }: VerifiedLead) => ({
  row_index: rowIndex,
  lead_id: leadId,
  email,
  result: verdict.result,
  risk_level: verdict.risk_level,
  is_disposable: verdict.is_disposable,
  is_role: verdict.is_role,
  is_catch_all: verdict.is_catch_all,
  cached,
  checked_at: verdict.checked_at,
});

function toBody({ job, results, ...report }: VerificationReport, limit: number): Body {
  const page = toPage(results, limit, ({ rowIndex }) => String(rowIndex), toResult);
  return {
    dataset_id: job.datasetId,
    job_id: job.id,
    status: job.status,
    total: report.total,
    processed: report.processed,
    credits_consumed: report.creditsConsumed,
    summary: report.summary,
    results: page.items,
    next_cursor: page.next_cursor,
  };
}

const isOpen = ({ status }: Body) => status === "pending" || status === "running";

export const datasetVerificationRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "verifyDataset",
    scope: "verify:run",
    tag,
    summary: "Verify every address of a dataset",
    description:
      "What is known is there at once and free; a credit is held for each of the rest, and given back for those that stay unknown. 200 when all is known, else 202: poll the same path with GET. With too few credits for all of them nothing is begun.",
    paidPlanOnly: true,
    claims: "effect",
    params,
    response: Body,
    alsoStatus: [202],
    sends: ["Retry-After"],
    errors: [403, 409, 503],
    handler: async ({ deps, principal, params }) => {
      const job = await verifyDataset(deps, principal, params.dataset_id);
      const page = { after: -1, limit: PAGE.default };
      const body = toBody(await reportOf(deps, job, page), PAGE.default);
      return isOpen(body) ? new Answer(202, body, RETRY_AFTER) : body;
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "getDatasetVerification",
    scope: "leads:read",
    tag,
    summary: "Get a dataset's last verification, or the one under way",
    paidPlanOnly: true,
    params,
    query: PageQuery,
    response: Body,
    sends: ["Retry-After"],
    handler: async ({ deps, principal, params, query: { cursor, limit } }) => {
      const job = await requireDatasetVerification(deps, principal, params.dataset_id);
      const after = cursor === undefined ? -1 : Number(cursor);
      const body = toBody(await reportOf(deps, job, { after, limit }), limit);
      return isOpen(body) ? new Answer(200, body, RETRY_AFTER) : body;
    },
  }),
  operation({
    method: "delete",
    path: PATH,
    id: "cancelDatasetVerification",
    scope: "verify:run",
    tag,
    summary: "Cancel the verification of a dataset, and give back what it holds",
    paidPlanOnly: true,
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) =>
      done(cancelDataset(deps, principal, params.dataset_id)),
  }),
];
