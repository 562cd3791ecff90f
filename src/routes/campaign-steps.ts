import * as z from "zod";
import { ACTION_TYPES, EXPERIMENT_METRICS } from "#src/domain/campaigns/read.ts";
import { text, uuid } from "#src/http/fields.ts";
import type { Variants } from "#src/http/openapi/variants.ts";

const CHANNELS = ["email", "socialnet"] as const;
const VARIANT_TYPES = ["TEMPLATE", "INLINE"] as const;

export const Variant = z
  .object({
    label: text(50).nullable().optional(),
    weight: z.int().min(0).max(100).nullable().optional(),
    type: z.enum(VARIANT_TYPES).default("TEMPLATE"),
    template_id: uuid.nullable().optional(),
    sender_profile_id: uuid.nullable().optional(),
    subject: z.literal("").or(text(998)).nullable().optional(),
    body: text(50_000).nullable().optional(),
  })
  .openapi("StepVariantInput", {
    description:
      "TEMPLATE needs template_id, INLINE a body. Labels default to A, B, C, weights to equal parts.",
    "x-variants": {
      // Not oneOf, which wants the type to be told in both.
      anyOf: [
        { name: "TemplateVariantInput", needs: ["template_id"], fixed: { type: "TEMPLATE" } },
        { name: "InlineVariantInput", needs: ["body"], fixed: { type: "INLINE" } },
      ],
    } satisfies Variants,
  });

const Experiment = z
  .object({
    metric: z.enum(EXPERIMENT_METRICS).default("reply"),
    horizon_days: z.int().min(1).max(14).default(5),
    floor: z.number().min(0.02).max(0.2).default(0.05),
  })
  .openapi("StepExperimentInput", {
    description:
      "The weights of the step's variants follow what comes back, once a day: each send is judged `horizon_days` after its acceptance, and each variant keeps `floor` of the leads. Replies that opt out are none.",
  });

/** A step as asked for. What depends on the campaign's type is judged with the campaign. */
export const StepInput = z
  .object({
    step: z.int().openapi({ minimum: 1, maximum: 10, description: "1 to n, in order." }),
    delay_days: z.int().min(0).max(365).default(0),
    channel: z.enum(CHANNELS).nullable().optional(),
    action_type: z.enum(ACTION_TYPES).nullable().optional(),
    ai_personalization_enabled: z.boolean().default(false),
    track_opens: z.boolean().default(true),
    track_clicks: z.boolean().default(false),
    variants: z.array(Variant).max(10).nullable().optional(),
    message_template: text(8_000).nullable().optional(),
    note_optional: z.boolean().nullable().optional().openapi({
      description:
        "Of a connection request: where the network takes no more notes from the account, it goes out without its note instead of waiting.",
    }),
    experiment: Experiment.nullable().optional(),
  })
  .openapi("StepConfigInput");

/** A step as stored: every default filled in. */
export const Step = z
  .object({
    step: z.int(),
    delay_days: z.int(),
    channel: z.enum(CHANNELS),
    action_type: z.enum(ACTION_TYPES),
    ai_personalization_enabled: z.boolean(),
    track_opens: z.boolean(),
    track_clicks: z.boolean(),
    variants: z.array(
      z
        .object({
          label: z.string(),
          weight: z.int(),
          type: z.enum(VARIANT_TYPES),
          template_id: uuid.optional(),
          sender_profile_id: uuid.optional(),
          subject: z.string().optional(),
          body: z.string().optional(),
        })
        .openapi("StepVariant"),
    ),
    message_template: z.string().optional(),
    note_optional: z.boolean().optional(),
    experiment: z
      .object({ metric: z.enum(EXPERIMENT_METRICS), horizon_days: z.int(), floor: z.number() })
      .optional(),
  })
  .openapi("StepConfig");
