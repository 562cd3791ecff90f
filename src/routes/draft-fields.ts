import * as z from "zod";
import { GENERATION_STATUSES } from "#src/domain/messages/drafts/batches.ts";
import type { ShownDraft } from "#src/domain/messages/drafts/drafts.ts";
import { instant, uuid } from "#src/http/fields.ts";

const Claim = z.object({
  start: z.int(),
  end: z.int(),
  kind: z.enum(["number", "name", "quote"]),
  source_index: z
    .int()
    .nullable()
    .describe("Index into `research_sources` of what holds it; null where nothing does."),
});

const Source = z.object({
  name: z.string().describe("lead_data, sender, template, prompt; website, search, profile."),
  status: z.enum(["ok", "empty", "failed", "skipped"]),
  summary: z.string(),
  meta: z.record(z.string(), z.unknown()),
  from_cache: z.boolean(),
});

const Commonality = z.object({
  text: z.string(),
  confidence_score: z.number(),
  rarity_score: z.number(),
  relevance_score: z.number(),
  supporting_evidence: z.array(z.string()),
});

const hash = z.string().describe("'' while there is no text.");

export const Draft = z
  .object({
    generation_id: uuid,
    campaign_lead_id: uuid,
    lead_id: uuid,
    row_index: z.int(),
    status: z.enum(GENERATION_STATUSES),
    subject: z.string().nullable(),
    body: z.string().nullable(),
    error: z
      .string()
      .nullable()
      .describe(
        "Of a text that is there: why it is held, which is sent only after it was approved by itself.",
      ),
    variant_label: z.string().nullable(),
    template_id: uuid.nullable(),
    sender_profile_id: uuid.nullable(),
    model: z.string().nullable(),
    generation_latency_ms: z.int().nullable(),
    prompt_version_hash: z.string(),
    lead_identity_fingerprint: hash,
    step_config_fingerprint: hash,
    research_cache_fingerprint: z.string().nullable(),
    draft_hash: hash,
    commonality: Commonality.nullable(),
    research_sources: z
      .array(Source)
      .describe("Everything the draft was written from, and research that said nothing."),
    approved: z.boolean().describe("The lead's step has an approved text, this one or another."),
    approved_at: instant.nullable(),
    stale: z.boolean().describe("Lead or step changed since: it would not be sent."),
    goes_out_at: instant
      .nullable()
      .describe("When the lead's action is due, if this step is its next; senders permitting."),
    claims: z.array(Claim).describe("Spans of `body` (UTF-16) with a number, name or quotation."),
    lead_snapshot: z.record(z.string(), z.unknown()),
    generated_at: instant.nullable(),
  })
  .openapi("PlaygroundDraft");
type Draft = z.input<typeof Draft>;

/** JSON that the service stores in the form in which it answers it. */
const stored = <T>(value: unknown): T => value as T;

export const draftBody = (draft: ShownDraft): Draft => ({
  generation_id: draft.id,
  campaign_lead_id: draft.campaignLeadId,
  lead_id: draft.leadId,
  row_index: draft.rowIndex,
  status: draft.status,
  subject: draft.subject,
  body: draft.body,
  error: draft.status === "generated" ? draft.heldReason : draft.error,
  variant_label: draft.variantLabel,
  template_id: draft.templateId,
  sender_profile_id: draft.senderProfileId,
  model: draft.model,
  generation_latency_ms: draft.latencyMs,
  prompt_version_hash: draft.promptVersionHash,
  lead_identity_fingerprint: draft.leadIdentityFingerprint ?? "",
  step_config_fingerprint: draft.stepConfigFingerprint ?? "",
  research_cache_fingerprint: draft.researchFingerprint,
  draft_hash: draft.draftHash ?? "",
  commonality: stored(draft.commonality),
  research_sources: stored(draft.sources ?? []),
  approved: draft.entry !== null,
  approved_at: draft.entry?.approved_at ?? null,
  stale: draft.isStale,
  goes_out_at: draft.goesOutAt?.toISOString() ?? null,
  claims: stored(draft.claims ?? []),
  lead_snapshot: draft.leadSnapshot ?? {},
  generated_at: draft.status === "generated" ? draft.generatedAt!.toISOString() : null,
});
