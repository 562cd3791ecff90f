import * as z from "zod";
import type { Preview, PreviewAsked } from "#src/domain/research/personalization/preview.ts";
import { previewDraft } from "#src/domain/research/personalization/preview.ts";
import {
  SOURCE_NAMES,
  SOURCE_STATUSES,
  ZERO_RESEARCH_REASONS,
} from "#src/domain/research/personalization/research/report.ts";
import { text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import type { Variants } from "#src/http/openapi/variants.ts";
import { SenderData } from "./sender-profiles.ts";

/** The largest number of a row. */
const MAX_ROW = 2_147_483_647;

const anyObject = z.record(z.string(), z.unknown());

const PreviewInput = z
  .object({
    lead_data: anyObject.openapi({
      description:
        "What is known of the lead, under any names; those of an import are understood (`first_name`, `company`, `role`, `website`, `linkedin_url`, ...). Nested values count as `outer.inner`.",
    }),
    sender_profile_id: uuid.nullish(),
    sender_data: anyObject.nullish().openapi({
      description:
        "The fields of a sender profile, in its place; ignored where `sender_profile_id` is given.",
    }),
    custom_prompt: text(5000).min(100).nullish(),
    research_context: z
      .string()
      .max(20_000)
      .nullish()
      .openapi({ description: "Your own research: nothing is looked up then. Blank is none." }),
    dataset_id: uuid.nullish().openapi({ description: "Whose row keeps the research." }),
    row_index: z.int().min(0).max(MAX_ROW).nullish(),
    force_refresh_research: z
      .boolean()
      .default(false)
      .openapi({ description: "Looks everything up anew, and keeps it." }),
  })
  .superRefine((body, context) => {
    const issue = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: "custom", message, path });
    if (body.dataset_id != null && body.row_index == null)
      issue("Belongs to dataset_id.", "row_index");
    if (body.sender_profile_id != null) return;
    if (body.sender_data == null)
      return issue("Give sender_profile_id or sender_data.", "sender_data");
    const { error } = SenderData.safeParse(body.sender_data);
    for (const { message, path } of error?.issues ?? [])
      issue(
        message,
        "sender_data",
        ...path.map((part) => (typeof part === "number" ? part : String(part))),
      );
  })
  .openapi("PersonalizePreviewInput", {
    "x-variants": {
      anyOf: [
        { name: "PersonalizePreviewBySenderProfile", needs: ["sender_profile_id"] },
        { name: "PersonalizePreviewBySenderData", needs: ["sender_data"] },
      ],
    } satisfies Variants,
    example: {
      lead_data: {
        first_name: "Ada",
        last_name: "Lovelace",
        company: "Analytical Engines",
        role: "Chief of Research",
        website: "https://analytical-engines.zz",
      },
      sender_data: {
        full_name: "Max Overture",
        company: "Overture Demo",
        value_proposition: "Sending that explains itself",
      },
    },
  });

const score = z.number().min(0).max(1);

const PreviewBody = z
  .object({
    subject: z.string(),
    email_body: z.string(),
    commonality: z.object({
      text: z.string(),
      confidence_score: score,
      rarity_score: score,
      relevance_score: score,
      supporting_evidence: z.array(z.string()),
    }),
    prompt_source: z.enum(["default", "sender_profile_custom", "custom_override"]),
    model_used: z.string(),
    latency_ms: z.int().openapi({ description: "Of all of it, research included." }),
    research_sources: z.array(
      z.object({
        name: z.enum(SOURCE_NAMES),
        status: z.enum(SOURCE_STATUSES),
        summary: z.string().default(""),
        meta: anyObject.openapi({ description: "Pages, queries, and why there is nothing." }),
        from_cache: z.boolean().default(false),
      }),
    ),
    research_chars: z.int().default(0),
    research_latency_ms: z.int().default(0),
    research_from_cache: z.boolean().default(false).openapi({ description: "All of it." }),
    research_cached_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When the oldest that came from the cache was looked up." }),
    research_meta: z.object({
      zero_research_reason: z
        .enum(ZERO_RESEARCH_REASONS)
        .optional()
        .openapi({ description: "Only where there is too little research to be of use." }),
    }),
  })
  .openapi("PersonalizePreview");

export const personalizePreviewRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/personalize/preview",
    id: "previewPersonalization",
    scope: "personalize:run",
    tag: "Personalization",
    summary: "Write one email for one lead, while you wait",
    description:
      "Looks the lead's company up (its website, search engines), and writes a text from that, the lead's data and the sender's profile, by `custom_prompt`, else the profile's own prompt, else the default. " +
      "Nothing is sent or kept. 1 credit when delivered. 502 `PERSONALIZATION_UPSTREAM_ERROR` when no text passed its checks, 504 after 25 s; neither is charged.",
    limit: "preview",
    claims: "start",
    body: PreviewInput,
    response: PreviewBody,
    errors: [403, 404, 502, 503, 504],
    handler: async ({ deps, principal, body }) =>
      toBody(await previewDraft(deps, principal, toAsked(body))),
  }),
];

const toAsked = (body: z.output<typeof PreviewInput>): PreviewAsked => ({
  leadData: body.lead_data,
  senderProfileId: body.sender_profile_id ?? null,
  senderData: body.sender_data ?? null,
  customPrompt: body.custom_prompt ?? null,
  researchContext: body.research_context?.trim() ? body.research_context : null,
  row: body.dataset_id == null ? null : { datasetId: body.dataset_id, rowIndex: body.row_index! },
  forceResearch: body.force_refresh_research,
});

function toBody({ draft, prompt, research, latencyMs }: Preview): z.input<typeof PreviewBody> {
  const { zeroReason } = research;
  return {
    subject: draft.subject,
    email_body: draft.body,
    commonality: draft.commonality,
    prompt_source: promptSource(prompt.source),
    model_used: draft.model,
    latency_ms: Math.round(latencyMs),
    research_sources: research.sources,
    research_chars: research.text.length,
    research_latency_ms: Math.round(research.latencyMs),
    research_from_cache: research.fromCache,
    research_cached_at: research.cachedAt?.toISOString() ?? null,
    research_meta: zeroReason === null ? {} : { zero_research_reason: zeroReason },
  };
}

/** A preview belongs to no campaign. */
const promptSource = (source: Preview["prompt"]["source"]) =>
  source === "campaign_system_prompt" ? "default" : source;
