import * as z from "zod";
import { approveBatch, NOT_APPROVED } from "#src/domain/messages/drafts/approve-batch.ts";
import {
  approve,
  resetReview,
  type Review,
  unapprove,
} from "#src/domain/messages/drafts/approve.ts";
import { instant, line, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";
import { ApprovedEntry, stepIndex } from "./review-fields.ts";

const tag = "Playground";
const at = (verb: string) => `/api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/${verb}`;
const params = CampaignParams.extend({ campaign_lead_id: uuid });
const pathOf = (given: z.output<typeof params>) => ({
  campaignId: given.campaign_id,
  campaignLeadId: given.campaign_lead_id,
});

const Approve = z
  .object({
    step_index: stepIndex,
    batch_id: uuid.optional().describe("Absent: the newest draft of the step, of any batch."),
    subject: z
      .literal("")
      .or(line(998))
      .optional()
      .describe("In the place of the draft's; empty where the step continues a thread."),
    body: text(50_000).optional().describe("In the place of the draft's; HTML if it has a tag."),
    expected_draft_hash: z
      .string()
      .max(200)
      .optional()
      .describe("`draft_hash` of the draft that was looked at: another is 409 DRAFT_CHANGED."),
    replaces_approved_at: instant
      .nullable()
      .optional()
      .describe(
        "`approved_at` of the text that may be replaced, null where none may be there; else 409 APPROVED_MEANWHILE.",
      ),
  })
  .openapi("DraftApproval", { example: { step_index: 1 } });

const Unapprove = z
  .object({ step_index: stepIndex })
  .openapi("DraftUnapproval", { example: { step_index: 1 } });

const Reset = z
  .object({
    step_index: stepIndex.nullable().optional().describe("Absent: every step not sent yet."),
  })
  .openapi("ReviewReset", { example: { step_index: 1 } });

const Body = z
  .object({
    campaign_id: uuid,
    campaign_lead_id: uuid,
    updated_at: instant,
    step_index: z.int().nullable(),
    approved_steps: z.array(z.int()).describe("All steps still approved."),
    approved_entry: ApprovedEntry.nullable().describe(
      "Just approved, or just removed; null where there was nothing to remove, or all was.",
    ),
  })
  .openapi("DraftReview");

const toBody = (review: Review): z.input<typeof Body> => ({
  campaign_id: review.campaignId,
  campaign_lead_id: review.campaignLeadId,
  updated_at: review.updatedAt.toISOString(),
  step_index: review.step,
  approved_steps: review.approvedSteps,
  approved_entry: review.entry,
});

const BulkApproval = z
  .object({
    batch_id: uuid,
    campaign_lead_ids: z
      .array(uuid)
      .max(200)
      .optional()
      .describe("Absent: every draft of the batch that is written."),
  })
  .openapi("DraftBulkApproval");

const BulkApproved = z
  .object({
    approved: z.int(),
    skipped: z.array(z.object({ campaign_lead_id: uuid, code: z.enum(NOT_APPROVED) })),
  })
  .openapi("DraftBulkApproved");

export const campaignReviewRoutes: Mount[] = [
  operation({
    method: "post",
    path: at("approve"),
    id: "approveDraft",
    scope: "campaigns:write",
    tag,
    summary: "Approve the text of a lead's step, as it is or edited",
    description:
      "What is approved is sent byte for byte, as long as lead and step stay what the draft was written for; a draft that is stale already is 409 DRAFT_CHANGED. Ends the lead's wait for a review of that step.",
    envelope: "legacy",
    claims: "effect",
    params,
    body: Approve,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params: given, body }) => {
      const { step_index: step, batch_id: batchId, expected_draft_hash, ...rest } = body;
      const { replaces_approved_at: replacesApprovedAt, ...edited } = rest;
      const expected = { expectedDraftHash: expected_draft_hash, replacesApprovedAt };
      const order = { ...edited, ...expected, step, batchId };
      return toBody(await approve(deps, principal, pathOf(given), order));
    },
  }),
  operation({
    method: "post",
    path: at("unapprove"),
    id: "unapproveDraft",
    scope: "campaigns:write",
    tag,
    summary: "Take the approval of a lead's step back",
    envelope: "legacy",
    claims: "effect",
    params,
    body: Unapprove,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params: given, body }) =>
      toBody(await unapprove(deps, principal, pathOf(given), body.step_index)),
  }),
  operation({
    method: "post",
    path: at("reset"),
    id: "resetDraftReview",
    scope: "campaigns:write",
    tag,
    summary: "Take back a lead's approvals, of one step or of all that were not sent",
    description: "Unlike an unapproval it does not count as a review of the campaign.",
    envelope: "legacy",
    claims: "effect",
    params,
    body: Reset,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params: given, body }) =>
      toBody(await resetReview(deps, principal, pathOf(given), body.step_index ?? null)),
  }),
  operation({
    method: "post",
    path: "/api/v1/campaigns/{campaign_id}/playground/approve",
    id: "approvePlaygroundBatch",
    scope: "campaigns:write",
    tag,
    summary: "Approve drafts of a batch as they are",
    description:
      "Where a person approved words of their own, those stay, and so does what somebody approves at the same moment: APPROVED_MEANWHILE. What was approved as it was written is replaced.",
    claims: "effect",
    params: CampaignParams,
    body: BulkApproval,
    response: BulkApproved,
    handler: async ({ deps, principal, params: given, body }) => {
      const order = { batchId: body.batch_id, campaignLeadIds: body.campaign_lead_ids };
      const { approved, skipped } = await approveBatch(deps, principal, given.campaign_id, order);
      return {
        approved,
        skipped: skipped.map(({ campaignLeadId, code }) => ({
          campaign_lead_id: campaignLeadId,
          code,
        })),
      };
    },
  }),
];
