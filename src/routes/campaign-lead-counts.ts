import * as z from "zod";
import { countLeads, type LeadCounts } from "#src/domain/campaigns/lead-counts.ts";
import { LEAD_STATUSES } from "#src/domain/campaigns/read.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const byStatus = Object.fromEntries(LEAD_STATUSES.map((status) => [status, z.int()])) as Record<
  (typeof LEAD_STATUSES)[number],
  z.ZodInt
>;

export const LeadCountsBody = z
  .object({
    total: z.int(),
    held: z.int().openapi({ description: "Of these, in whatever status." }),
    by_status: z.object(byStatus),
  })
  .openapi("CampaignLeadCounts");

export const leadCountsBody = (counts: LeadCounts): z.input<typeof LeadCountsBody> => ({
  total: counts.total,
  held: counts.held,
  by_status: counts.byStatus,
});

export const campaignLeadCountRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/lead-counts",
    id: "countCampaignLeads",
    scope: "campaigns:read",
    tag: "Campaign leads",
    summary: "Count the leads of a campaign by where they stand",
    params: CampaignParams,
    response: LeadCountsBody,
    handler: async ({ deps, principal, params }) =>
      leadCountsBody(await countLeads(deps, principal, params.campaign_id)),
  }),
];
