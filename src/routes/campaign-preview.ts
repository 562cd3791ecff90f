import { z } from "@hono/zod-openapi";
import {
  previewStep,
  type PreviewFor,
  sendTest,
  TEXT_SOURCES,
} from "#src/domain/messages/preview-step.ts";
import { emailAddress, uuid, wholeNumber } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaigns";
const STEP = "/api/v1/campaigns/{campaign_id}/steps/{step}";
const params = CampaignParams.extend({
  step: wholeNumber(1, 32).openapi({ description: "Number of the step, from 1." }),
});

/** Whom the step is written for; without either the dataset's first lead with an address. */
const target = {
  campaign_lead_id: uuid.nullable().optional(),
  lead_id: uuid.nullable().optional().openapi({
    description: "A lead that is not in the campaign yet, before the launch.",
  }),
};

const Render = z.object(target).openapi("StepRenderInput");
const SendTest = z
  .object({ to_email: emailAddress, ...target })
  .openapi("StepTestInput", { example: { to_email: "me@example.com" } });

const Rendered = z
  .object({
    step: z.int(),
    campaign_lead_id: uuid,
    variant_label: z.string(),
    template_id: uuid.nullable(),
    sender_profile_id: uuid.nullable(),
    alias_id: uuid,
    from_email: z.string(),
    to_email: z.string(),
    text_source: z.enum(TEXT_SOURCES).openapi({
      description:
        "Of a step with ai_personalization_enabled: `approved` or `send_time` is what would be sent, `newest_draft` is the newest that was generated and is not sent by itself. `step`: the step's own text.",
    }),
    subject: z.string(),
    html: z.string(),
    text: z.string(),
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

function targetOf(body: z.output<typeof Render>): PreviewFor {
  if (body.campaign_lead_id != null) return { campaignLeadId: body.campaign_lead_id };
  return body.lead_id == null ? null : { leadId: body.lead_id };
}

export const campaignPreviewRoutes: Mount[] = [
  operation({
    method: "post",
    path: `${STEP}/render`,
    id: "renderCampaignStep",
    tag,
    summary: "Show a step as one lead will get it, to the letter",
    limit: "preview",
    params,
    body: Render,
    response: Rendered,
    handler: async ({ deps, principal, params: { campaign_id, step }, body }) => {
      const preview = await previewStep(deps, principal, campaign_id, step, targetOf(body));
      const { context, written, message } = preview;
      return {
        step,
        campaign_lead_id: context.lead.campaignLeadId,
        variant_label: written.variant.label,
        template_id: written.template?.id ?? null,
        sender_profile_id: written.profile?.id ?? null,
        alias_id: context.alias.id,
        from_email: context.alias.email,
        to_email: context.lead.email,
        text_source: written.source,
        subject: written.subject,
        html: message.html,
        text: message.text,
        links: message.links.map(({ url }) => url),
      };
    },
  }),
  operation({
    method: "post",
    path: `${STEP}/send-test`,
    id: "sendCampaignStepTest",
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
