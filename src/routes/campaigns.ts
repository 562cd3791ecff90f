import * as z from "zod";
import { patchCampaign, removeCampaign } from "#src/domain/campaigns/change.ts";
import { createCampaign } from "#src/domain/campaigns/create.ts";
import { CAMPAIGN_STATUSES, findCampaigns, requireCampaign } from "#src/domain/campaigns/read.ts";
import { camelKeys } from "#src/http/case.ts";
import { Deleted, done, text, wholeNumberOr } from "#src/http/fields.ts";
import { Answer, type Mount, operation } from "#src/http/operation.ts";
import {
  CampaignBody,
  campaignBody,
  CampaignChange,
  CampaignCreate,
  CampaignParams,
} from "./campaign-schemas.ts";

const PATH = "/api/v1/campaigns/";
const ONE = "/api/v1/campaigns/{campaign_id}";
const tag = "Campaigns";

const ListQuery = z.object({
  offset: wholeNumberOr(0, 0, 2_147_483_647),
  limit: wholeNumberOr(50, 1, 100),
  name: z.literal("").or(text(255)).optional(),
  status: z.enum(CAMPAIGN_STATUSES).optional(),
});

export const campaignRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "createCampaign",
    scope: "campaigns:write",
    tag,
    summary: "Create a campaign as a draft; nothing is sent before it is launched",
    envelope: "legacy",
    claims: "effect",
    body: CampaignCreate,
    status: 201,
    response: CampaignBody,
    errors: [404],
    handler: async ({ deps, principal, body }) =>
      campaignBody(await createCampaign(deps, principal, camelKeys(body))),
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listCampaigns",
    scope: "campaigns:read",
    tag,
    summary: "List campaigns, newest first",
    description: "The header X-Total-Count says how many there are in all.",
    sends: ["X-Total-Count"],
    envelope: "legacy",
    query: ListQuery,
    list: { by: "campaign_id" },
    response: z.array(CampaignBody),
    handler: async ({ deps, principal, query, part }) => {
      const { rows, total } = await findCampaigns(
        deps,
        principal,
        part === undefined ? query : { ...query, ...part, offset: 0 },
      );
      return new Answer(200, rows.map(campaignBody), { "X-Total-Count": String(total) });
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getCampaign",
    scope: "campaigns:read",
    tag,
    summary: "Get a campaign",
    params: CampaignParams,
    response: CampaignBody,
    handler: async ({ deps, principal, params }) =>
      campaignBody(await requireCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeCampaign",
    scope: "campaigns:write",
    tag,
    summary: "Change what the campaign's status lets change",
    description:
      "In draft and failed: everything. Under way: name, description, caps, interval, window, days, policy, texts of steps not yet sent, and further steps; paused also aliases, account, prompt, time zone and the order of steps not yet sent. Else 409 CAMPAIGN_ACTIVE.",
    claims: "effect",
    params: CampaignParams,
    body: CampaignChange,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      campaignBody(await patchCampaign(deps, principal, params.campaign_id, camelKeys(body))),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteCampaign",
    scope: "campaigns:write",
    tag,
    summary: "Delete a campaign that is draft, paused, completed or failed",
    claims: "effect",
    params: CampaignParams,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) =>
      done(removeCampaign(deps, principal, params.campaign_id)),
  }),
];
