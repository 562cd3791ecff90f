import { launchCampaign, unscheduleCampaign } from "#src/domain/campaigns/launch/launch.ts";
import { pauseCampaign, resumeCampaign } from "#src/domain/campaigns/pause.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignBody, campaignBody, CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaigns";
const at = (verb: string) => `/api/v1/campaigns/{campaign_id}/${verb}`;

export const campaignLaunchRoutes: Mount[] = [
  operation({
    method: "post",
    path: at("launch"),
    id: "launchCampaign",
    tag,
    summary: "Launch a campaign, at once or at its start date",
    description:
      "422 LAUNCH_PREFLIGHT_FAILED carries `checks[]`, each with name, ok, severity and message.",
    access: "workspace",
    params: CampaignParams,
    status: 202,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await launchCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "post",
    path: at("unschedule"),
    id: "unscheduleCampaign",
    tag,
    summary: "Take a scheduled launch back; the campaign is a draft again",
    access: "workspace",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await unscheduleCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "post",
    path: at("pause"),
    id: "pauseCampaign",
    tag,
    summary: "Pause a campaign: nothing begins to be sent any more",
    access: "workspace",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await pauseCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "post",
    path: at("resume"),
    id: "resumeCampaign",
    tag,
    summary: "Resume a paused or draining campaign once what paused it is cured",
    access: "workspace",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await resumeCampaign(deps, principal, params.campaign_id)),
  }),
];
