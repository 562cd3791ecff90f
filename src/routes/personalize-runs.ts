import * as z from "zod";
import { GENERATION_STATUSES } from "#src/domain/messages/drafts/batches.ts";
import {
  beginRun,
  readRun,
  RUN_STATUSES,
  type RunGeneration,
  runStatus,
} from "#src/domain/messages/drafts/run.ts";
import { text, uuid, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { SenderData } from "./sender-profiles.ts";

const tag = "Personalization";

const Run = z
  .object({
    dataset_id: uuid,
    sender_profile_id: uuid
      .nullable()
      .optional()
      .describe("Absent, and no sender_data either: the workspace's default profile."),
    sender_data: SenderData.nullable()
      .optional()
      .describe("Ignored where sender_profile_id is given."),
    custom_prompt: text(5000).min(100).nullable().optional(),
    row_indexes: z
      .array(z.int().min(0).max(2_147_483_647))
      .min(1)
      .max(2_500)
      .nullable()
      .optional()
      .describe("Only these rows, as far as there are such; absent: all."),
  })
  .openapi("PersonalizeRunInput", {
    example: {
      dataset_id: "01a1fc0c-6921-718e-aa4a-ab45df202f28",
      sender_data: { full_name: "Ada" },
    },
  });

const Begun = z
  .object({ run_id: uuid, total: z.int().describe("Leads that a text is written for.") })
  .openapi("PersonalizeRun");

const known = z.string().describe("'' as long as it is not known.");

const Leads = z
  .object({
    generations: z.array(
      z.object({
        generation_id: z.string(),
        lead_index: z.int().describe("Its place in the run, from 0."),
        row_index: z.int().describe("The lead's running number in its dataset."),
        lead_snapshot: z.record(z.string(), z.unknown()),
        status: z.enum(GENERATION_STATUSES),
        generated_at: known,
        subject: known,
        body: known,
        error: known,
      }),
    ),
    total_generations: z.int(),
    offset: z.int(),
    limit: z.int(),
    has_more: z.boolean(),
  })
  .openapi("GenerationRunLeads");

const Status = z
  .object({
    run_id: uuid,
    status: z.enum(RUN_STATUSES),
    total: z.int().describe("Leads that a text is written for."),
    ...Object.fromEntries(GENERATION_STATUSES.map((status) => [status, z.int()])),
    done: z.boolean().describe("Nothing of it is pending or running any more."),
  })
  .openapi("PersonalizeRunStatus");

const toLead = (generation: RunGeneration) => ({
  generation_id: generation.id,
  lead_index: generation.leadIndex,
  row_index: generation.rowIndex,
  lead_snapshot: generation.leadSnapshot ?? {},
  status: generation.status,
  generated_at: generation.status === "generated" ? generation.generatedAt!.toISOString() : "",
  subject: generation.subject ?? "",
  body: generation.body ?? "",
  error: generation.error ?? "",
});

export const personalizeRunRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/personalize",
    id: "beginPersonalizeRun",
    scope: "personalize:run",
    tag,
    summary: "Write a text for each lead of a dataset",
    description:
      "A credit for each is held, spent when its text is there, and given back otherwise. With too few credits for all of them nothing is begun.",
    claims: "effect",
    body: Run,
    status: 202,
    response: Begun,
    errors: [403, 404, 503],
    handler: async ({ deps, principal, body }) => {
      const { runId, total } = await beginRun(deps, principal, {
        datasetId: body.dataset_id,
        senderProfileId: body.sender_profile_id ?? undefined,
        senderData: body.sender_data ?? undefined,
        customPrompt: body.custom_prompt ?? undefined,
        rowIndexes: body.row_indexes ?? undefined,
      });
      return { run_id: runId, total };
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/personalize/generations/runs/{run_id}",
    id: "getRun",
    scope: "personalize:run",
    tag,
    summary: "How far a run is",
    params: z.object({ run_id: uuid }),
    response: Status,
    handler: async ({ deps, principal, params }) => {
      const { total, status, counts, done } = await runStatus(deps, principal, params.run_id);
      return { run_id: params.run_id, status, total, ...counts, done };
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/personalize/generations/runs/{run_id}/leads",
    id: "listRunLeads",
    scope: "personalize:run",
    tag,
    summary: "List what became of a run's leads so far",
    params: z.object({ run_id: uuid }),
    query: z.object({
      offset: wholeNumberOr(0, 0, 2_147_483_647),
      limit: wholeNumberOr(50, 1, 500),
    }),
    response: Leads,
    handler: async ({ deps, principal, params, query: { offset, limit } }) => {
      const page = await readRun(deps, principal, params.run_id, { offset, limit });
      return {
        generations: page.generations.map(toLead),
        total_generations: page.total,
        offset,
        limit,
        has_more: offset + page.generations.length < page.total,
      };
    },
  }),
];
