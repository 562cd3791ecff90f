import * as z from "zod";
import {
  type BatchProgress,
  findBatches,
  GENERATION_STATUSES,
  readStatus,
} from "#src/domain/messages/drafts/batches.ts";
import { cancelBatch } from "#src/domain/messages/drafts/cancel.ts";
import { readDrafts } from "#src/domain/messages/drafts/drafts.ts";
import { generateBatch } from "#src/domain/messages/drafts/playground.ts";
import { instant, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";
import { jsonListReply } from "#src/http/stream-reply.ts";
import { CampaignParams } from "./campaign-schemas.ts";
import { Draft, draftBody } from "./draft-fields.ts";
import { stepIndex } from "./review-fields.ts";

const tag = "Playground";
const PATH = "/api/v1/campaigns/{campaign_id}/playground";
const BatchQuery = z.object({ batch_id: uuid });

const Generate = z
  .object({
    step_index: stepIndex,
    n_leads: z.int().min(1).max(200).default(50),
    campaign_lead_ids: z
      .array(uuid)
      .min(1)
      .max(200)
      .optional()
      .describe(
        "Instead of the first `n_leads`: these, as far as they can still get the step and have no approved text for it that would be sent.",
      ),
    custom_prompt: z
      .literal("")
      .or(text(32_000))
      .nullable()
      .optional()
      .describe("Absent: the campaign's system_prompt, the sender's custom prompt, the default."),
  })
  .openapi("PlaygroundGenerate", { example: { step_index: 1, n_leads: 5 } });

const head = {
  campaign_id: uuid,
  batch_id: uuid,
  step_index: z.int(),
  prompt_version_hash: z.string(),
};

const Generated = z
  .object({ ...head, enqueued_lead_ids: z.array(uuid), total: z.int() })
  .openapi("PlaygroundBatch");

const counts = {
  total: z.int(),
  pending: z.int(),
  running: z.int(),
  generated: z.int(),
  failed: z.int(),
  skipped: z.int(),
  cancelled: z.int(),
  done: z.boolean(),
};

const Status = z
  .object({
    ...head,
    ...counts,
    leads: z.array(
      z.object({
        campaign_lead_id: uuid,
        status: z.enum(GENERATION_STATUSES),
        error: z.string().nullable(),
      }),
    ),
    updated_at: instant,
  })
  .openapi("PlaygroundStatus");

const Batch = z
  .object({
    ...head,
    custom_prompt: z.string().nullable(),
    ...counts,
    cancelled_at: instant.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("PlaygroundBatchProgress");

const Drafts = z
  .object({ ...head, total: z.int(), done: z.boolean(), drafts: z.array(Draft) })
  .openapi("PlaygroundDrafts");

const headOf = ({ batch }: BatchProgress) => ({
  campaign_id: batch.campaignId,
  batch_id: batch.id,
  step_index: batch.step,
  prompt_version_hash: batch.promptVersionHash,
});

const countsOf = ({ batch, counts: of, done }: BatchProgress) => ({
  total: batch.total,
  ...of,
  done,
});

const batchBody = (progress: BatchProgress): z.input<typeof Batch> => ({
  ...headOf(progress),
  custom_prompt: progress.batch.customPrompt,
  ...countsOf(progress),
  cancelled_at: progress.batch.cancelledAt?.toISOString() ?? null,
  created_at: progress.batch.createdAt.toISOString(),
  updated_at: progress.updatedAt.toISOString(),
});

export const campaignPlaygroundRoutes: Mount[] = [
  operation({
    method: "post",
    path: `${PATH}/generate`,
    id: "generatePlaygroundDrafts",
    scope: "personalize:run",
    tag,
    summary: "Generate drafts of a step for the first leads that have none approved",
    description:
      "A new batch each time, with a credit held for each lead: spent when its draft is there, given back when there will be none. Poll the status, then fetch the drafts once.",
    limit: "generate",
    claims: "effect",
    params: CampaignParams,
    body: Generate,
    status: 202,
    response: Generated,
    errors: [403, 409, 503],
    handler: async ({ deps, principal, params, body }) => {
      const order = {
        step: body.step_index,
        leads: body.n_leads,
        campaignLeadIds: body.campaign_lead_ids ?? null,
        customPrompt: body.custom_prompt || null,
      };
      const batch = await generateBatch(deps, principal, params.campaign_id, order);
      return {
        campaign_id: batch.campaignId,
        step_index: batch.step,
        batch_id: batch.batchId,
        enqueued_lead_ids: batch.campaignLeadIds,
        prompt_version_hash: batch.promptVersionHash,
        total: batch.campaignLeadIds.length,
      };
    },
  }),
  operation({
    method: "get",
    path: `${PATH}/status`,
    id: "getPlaygroundStatus",
    scope: "campaigns:read",
    tag,
    summary: "Get how far a batch of drafts is",
    description: "To be polled, with `Retry-After` until it is done.",
    sends: ["Retry-After"],
    params: CampaignParams,
    query: BatchQuery,
    response: Status,
    handler: async ({ deps, principal, params, query }) => {
      const status = await readStatus(deps, principal, params.campaign_id, query.batch_id);
      const body = {
        ...headOf(status.progress),
        ...countsOf(status.progress),
        leads: status.leads.map(({ campaignLeadId, status: of, error }) => ({
          campaign_lead_id: campaignLeadId,
          status: of,
          error,
        })),
        updated_at: status.progress.updatedAt.toISOString(),
      };
      return body.done ? body : new Answer(200, body, { "Retry-After": "2" });
    },
  }),
  operation({
    method: "get",
    path: `${PATH}/drafts`,
    id: "getPlaygroundDrafts",
    scope: "campaigns:read",
    tag,
    summary: "Get every draft of a batch, in full",
    description: "Streamed; megabytes for large batches. To be fetched once, when it is done.",
    params: CampaignParams,
    query: BatchQuery,
    response: Drafts,
    handler: async ({ deps, principal, params, query }) => {
      const batch = await readDrafts(deps, principal, params.campaign_id, query.batch_id);
      const { total } = batch.progress.batch;
      const top = { ...headOf(batch.progress), total, done: batch.progress.done };
      return jsonListReply(top, "drafts", batch.pages, draftBody);
    },
  }),
  operation({
    method: "get",
    path: `${PATH}/batches`,
    id: "listPlaygroundBatches",
    scope: "campaigns:read",
    tag,
    summary: "List a campaign's batches of drafts, newest first",
    params: CampaignParams,
    query: IdCursorQuery,
    response: pageOf(Batch),
    handler: async ({ deps, principal, params, query: { cursor, limit } }) => {
      const page = { before: cursor ?? null, limit };
      const found = await findBatches(deps, principal, params.campaign_id, page);
      return toPage(found, limit, ({ batch }) => batch.id, batchBody);
    },
  }),
  operation({
    method: "post",
    path: `${PATH}/batches/{batch_id}/cancel`,
    id: "cancelPlaygroundBatch",
    scope: "personalize:run",
    tag,
    summary: "Cancel what of a batch is not begun, and give its credits back",
    description: "What is being written is kept when it is done, and paid for.",
    claims: "effect",
    params: CampaignParams.extend({ batch_id: uuid }),
    response: Batch,
    handler: async ({ deps, principal, params: { campaign_id, batch_id } }) =>
      batchBody(await cancelBatch(deps, principal, campaign_id, batch_id)),
  }),
];
