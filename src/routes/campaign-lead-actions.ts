import * as z from "zod";
import {
  holdLead,
  markLead,
  MARKS,
  releaseLead,
  stopLead,
} from "#src/domain/campaigns/lead-actions.ts";
import { instantWithOffset, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
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
];
