import * as z from "zod";
import {
  previewStep,
  type PreviewFor,
  sendTest,
  type StepPreview,
  TEXT_SOURCES,
} from "#src/domain/messages/preview-step.ts";
import { labelOf } from "#src/domain/campaigns/experiments/draw.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";
import { emailAddress, uuid, wholeNumber } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { addStepFaults, CampaignParams } from "./campaign-schemas.ts";
import { StepInput } from "./campaign-steps.ts";

const tag = "Campaigns";
const STEP = "/api/v1/campaigns/{campaign_id}/steps/{step}";
const params = CampaignParams.extend({
  step: wholeNumber(1, 32).openapi({ description: "Number of the step, from 1." }),
});

/** The lead that the step is written for; without either id the dataset's first lead with an address. */
const target = {
  campaign_lead_id: uuid.nullable().optional(),
  lead_id: uuid.nullable().optional().openapi({
    description: "A lead that is not in the campaign yet, before the launch.",
  }),
};

const Target = z.object(target);
const Render = z
  .object({
    ...target,
    steps: z.array(StepInput).min(1).max(10).optional().openapi({
      description:
        "Steps that are being written: shown instead of the campaign's own, and stored nowhere.",
    }),
  })
  .superRefine(({ steps = [] }, context) => addStepFaults(context, steps, null))
  .openapi("StepRenderInput");
const SendTest = z
  .object({ to_email: emailAddress, ...target })
  .openapi("StepTestInput", { example: { to_email: "me@example.com" } });

const Rendered = z
  .object({
    step: z.int(),
    channel: z.enum(["email", "socialnet"]),
    campaign_lead_id: uuid,
    variant_label: z.string().nullable().openapi({
      description:
        "With its part of the leads, `A (60 %)`, where the step is an experiment: what is in force when the step is claimed decides.",
    }),
    template_id: uuid.nullable(),
    sender_profile_id: uuid.nullable(),
    alias_id: uuid.nullable(),
    from_email: z.string().nullable(),
    to_email: z.string().nullable(),
    connected_account_id: uuid.nullable(),
    profile_url: z.string().nullable(),
    text_source: z.enum(TEXT_SOURCES).openapi({
      description:
        "Of a step with ai_personalization_enabled: `approved` or `send_time` is what would be sent, `newest_draft` is the newest that was generated and is not sent by itself. `step`: the step's own text.",
    }),
    subject: z.string().nullable(),
    html: z.string(),
    text: z.string().openapi({ description: "Empty for a step of the network that says nothing." }),
    links: z.array(z.string()).openapi({ description: "Targets of the links that are tracked." }),
  })
  .openapi("StepRendered");

const Tested = z
  .object({
    success: z.boolean(),
    to_email: z.string(),
    from_email: z.string(),
    text_source: z.enum(TEXT_SOURCES),
    subject: z.string(),
    message: z.string().openapi({ description: "The mail server's answer." }),
  })
  .openapi("StepTested");

function targetOf(body: z.output<typeof Target>): PreviewFor {
  if (body.campaign_lead_id != null) return { campaignLeadId: body.campaign_lead_id };
  return body.lead_id == null ? null : { leadId: body.lead_id };
}

function renderedBody(step: number, preview: StepPreview): z.input<typeof Rendered> {
  const { written } = preview;
  const base = {
    step,
    channel: preview.channel,
    campaign_lead_id: preview.context.lead.campaignLeadId,
    template_id: written.template?.id ?? null,
    sender_profile_id: written.profile?.id ?? null,
  };
  return preview.channel === "email"
    ? { ...base, ...letterBody(preview) }
    : { ...base, ...actionBody(preview) };
}

type Of<Kind extends StepPreview["channel"]> = Extract<StepPreview, { channel: Kind }>;

const letterBody = ({ context, written, message }: Of<"email">) => ({
  variant_label: labelOf(written.variant.label, written.drawn),
  alias_id: context.alias.id,
  from_email: context.alias.email,
  to_email: context.lead.email,
  connected_account_id: null,
  profile_url: null,
  text_source: written.source,
  subject: written.subject,
  html: message.html,
  text: message.text,
  links: message.links.map(({ url }) => url),
});

const actionBody = ({ context, written }: Of<"socialnet">) => ({
  variant_label:
    written.variantLabel === null ? null : labelOf(written.variantLabel, written.drawn),
  alias_id: null,
  from_email: null,
  to_email: null,
  connected_account_id: context.account.id,
  profile_url: context.lead.profileUrl,
  text_source: "step" as const,
  subject: null,
  html: written.text === null ? "" : textToHtml(written.text),
  text: written.text ?? "",
  links: [],
});

export const campaignPreviewRoutes: Mount[] = [
  operation({
    method: "post",
    path: `${STEP}/render`,
    id: "renderCampaignStep",
    scope: "campaigns:read",
    tag,
    summary: "Show a step as one lead will get it, to the letter",
    limit: "preview",
    claims: "effect",
    params,
    body: Render,
    response: Rendered,
    handler: async ({ deps, principal, params: { campaign_id, step }, body }) => {
      const shown = { target: targetOf(body), steps: body.steps };
      const preview = await previewStep(deps, principal, campaign_id, step, shown);
      return renderedBody(step, preview);
    },
  }),
  operation({
    method: "post",
    path: `${STEP}/send-test`,
    id: "sendCampaignStepTest",
    scope: "campaigns:send",
    tag,
    summary: "Send a step to yourself, at once; it counts nowhere",
    limit: "preview",
    params,
    body: SendTest,
    response: Tested,
    errors: [409],
    handler: async ({ deps, principal, params: { campaign_id, step }, body }) => {
      const sent = await sendTest(deps, principal, campaign_id, step, {
        to: body.to_email,
        target: targetOf(body),
      });
      return {
        success: sent.accepted,
        to_email: sent.to,
        from_email: sent.from,
        text_source: sent.source,
        subject: sent.subject,
        message: sent.reply,
      };
    },
  }),
];
