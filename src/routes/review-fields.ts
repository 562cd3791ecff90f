import * as z from "zod";
import { instant, uuid } from "#src/http/fields.ts";

/** Numbers of a step, as playground and reviews take them; whether the campaign has it, is its own question. */
export const stepIndex = z
  .int()
  .min(1)
  .max(32)
  .openapi({ description: "Number of the step, from 1." });

export const ApprovedEntry = z
  .object({
    subject: z.string(),
    body: z.string(),
    prompt_snapshot: z.string(),
    prompt_version_hash: z.string(),
    lead_identity_fingerprint: z.string(),
    step_index: z.int(),
    variant_label: z.string().nullable(),
    step_config_fingerprint: z.string(),
    approved_at: instant,
    approved_by: uuid,
    research_cache_fingerprint: z.string().nullable(),
    sender_profile_id: uuid.nullable(),
    template_id: uuid.nullable(),
    model: z.string(),
    generation_latency_ms: z.int(),
  })
  .openapi("ApprovedEmailEntry");
