import * as z from "zod";
import { type Acted, actOnLeads, type LeadAction } from "#src/domain/campaigns/act-on-leads.ts";
import {
  holdLead,
  markLead,
  MARKS,
  releaseLead,
  stopLead,
} from "#src/domain/campaigns/lead-actions.ts";
import { instantWithOffset, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { LEAD_STATUSES } from "#src/domain/campaigns/read.ts";
import { CampaignLeadBody, leadBody } from "./campaign-leads.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaign leads";
const at = (verb: string) => `/api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}/${verb}`;
const params = CampaignParams.extend({ campaign_lead_id: uuid });
const pathOf = (given: z.output<typeof params>) => ({
  campaignId: given.campaign_id,
  id: given.campaign_lead_id,
});

const Hold = z
  .object({
    hold_until: instantWithOffset
      .nullable()
      .optional()
      .openapi({ description: "Absent: until the lead is released." }),
    hold_reason: text(500).default("held by hand"),
  })
  .openapi("CampaignLeadHold", {
    example: { hold_until: "2030-01-07T09:00:00Z", hold_reason: "Asked to be called in January" },
  });

const MarkBody = z
  .object({ as: z.enum(MARKS) })
  .openapi("CampaignLeadMark", { example: { as: "replied" } });

const ids = z
  .array(uuid)
  .min(1)
  .max(500)
  .refine((given) => new Set(given).size === given.length, "Each lead once.")
  .openapi({ uniqueItems: true });
const Action = z
  .discriminatedUnion("action", [
    z
      .object({ ...Hold.shape, action: z.literal("hold"), campaign_lead_ids: ids })
      .openapi("LeadsHold"),
    z.object({ action: z.literal("release"), campaign_lead_ids: ids }).openapi("LeadsRelease"),
    z.object({ action: z.literal("stop"), campaign_lead_ids: ids }).openapi("LeadsStop"),
    z
      .object({ ...MarkBody.shape, action: z.literal("mark"), campaign_lead_ids: ids })
      .openapi("LeadsMark"),
  ])
  .openapi("LeadsAction", {
    example: { action: "stop", campaign_lead_ids: ["01a1fc0c-6921-718e-aa4a-ab45df202f29"] },
  });

const ActedBody = z
  .object({
    succeeded: z.int().describe("Leads that are as asked now, those that were before too."),
    failed: z.int(),
    results: z
      .array(
        z.object({
          campaign_lead_id: uuid,
          status: z
            .enum(LEAD_STATUSES)
            .nullable()
            .describe("Of the lead now; null where it failed."),
          code: z
            .string()
            .nullable()
            .describe("Why it failed: as the action on this lead alone says."),
          message: z.string().nullable(),
        }),
      )
      .describe("In the order of the request."),
  })
  .openapi("LeadsActedOn");

function actionOf(body: z.output<typeof Action>): LeadAction {
  if (body.action !== "hold") return body;
  return { action: "hold", until: body.hold_until ?? null, reason: body.hold_reason };
}

const resultOf = (acted: Acted) => ({
  campaign_lead_id: acted.id,
  status: "lead" in acted ? acted.lead.status : null,
  code: "fault" in acted ? acted.fault.code : null,
  message: "fault" in acted ? acted.fault.message : null,
});

/** An action on a lead without a body. */
const verb = (name: string, id: string, summary: string, act: typeof stopLead): Mount =>
  operation({
    method: "post",
    path: at(name),
    id,
    scope: "campaigns:write",
    tag,
    summary,
    claims: "effect",
    params,
    response: CampaignLeadBody,
    errors: [409],
    handler: async ({ deps, principal, params: given }) =>
      leadBody(principal, await act(deps, principal, pathOf(given))),
  });

export const campaignLeadActionRoutes: Mount[] = [
  operation({
    method: "post",
    path: at("hold"),
    id: "holdCampaignLead",
    scope: "campaigns:write",
    tag,
    summary: "Send nothing to a lead for now",
    claims: "effect",
    params,
    body: Hold,
    response: CampaignLeadBody,
    errors: [409],
    handler: async ({ deps, principal, params: given, body }) => {
      const hold = { until: body.hold_until ?? null, reason: body.hold_reason };
      return leadBody(principal, await holdLead(deps, principal, pathOf(given), hold));
    },
  }),
  verb("release", "releaseCampaignLead", "End the hold of a lead", releaseLead),
  verb("stop", "stopCampaignLead", "End a lead in this campaign", stopLead),
  operation({
    method: "post",
    path: at("mark"),
    id: "markCampaignLead",
    scope: "campaigns:write",
    tag,
    summary: "Mark a lead as replied, as not replied after all, or let an ended one go on",
    description:
      "`resumed` is possible from replied, stopped, failed and skipped. No step that went out, or may have, is sent again.",
    claims: "effect",
    params,
    body: MarkBody,
    response: CampaignLeadBody,
    errors: [409],
    handler: async ({ deps, principal, params: given, body }) =>
      leadBody(principal, await markLead(deps, principal, pathOf(given), body.as)),
  }),
  operation({
    method: "post",
    path: "/api/v1/campaigns/{campaign_id}/lead-actions",
    id: "actOnCampaignLeads",
    scope: "campaigns:write",
    tag,
    summary: "Hold, release, stop or mark up to 500 leads of a campaign",
    description:
      "Each lead by itself, as the action on one does: what is not possible for one is told in its result, and holds up no other.",
    claims: "start",
    params: CampaignParams,
    body: Action,
    response: ActedBody,
    handler: async ({ deps, principal, params: { campaign_id: id }, body }) => {
      const acted = await actOnLeads(deps, principal, id, body.campaign_lead_ids, actionOf(body));
      const failed = acted.filter((each) => "fault" in each).length;
      return { succeeded: acted.length - failed, failed, results: acted.map(resultOf) };
    },
  }),
];
