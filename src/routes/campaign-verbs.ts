import * as z from "zod";
import type { Campaign } from "#src/domain/campaigns/read.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { launchCampaign, unscheduleCampaign } from "#src/domain/campaigns/launch/launch.ts";
import { pauseCampaign, resumeCampaign } from "#src/domain/campaigns/pause.ts";
import {
  dismissDiscovery,
  drainCampaign,
  duplicateCampaign,
  resetCampaign,
} from "#src/domain/campaigns/drain-and-reset.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Checks, checksBody } from "./campaign-preflight.ts";
import { CampaignBody, campaignBody, CampaignParams } from "./campaign-schemas.ts";

interface Words {
  id: string;
  scope: "campaigns:write" | "campaigns:send";
  summary: string;
  description?: string;
  status?: 200 | 201;
  errors?: 409[];
}

/** An action on a campaign without a body, which answers the campaign. */
const verb = (
  name: string,
  words: Words,
  act: (deps: Deps, principal: Principal, id: string) => Promise<Campaign>,
): Mount =>
  operation({
    method: "post",
    path: `/api/v1/campaigns/{campaign_id}/${name}`,
    tag: "Campaigns",
    claims: "effect",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    ...words,
    handler: async ({ deps, principal, params }) =>
      campaignBody(await act(deps, principal, params.campaign_id)),
  });

const Launched = z.object({ ...CampaignBody.shape, checks: Checks }).openapi("LaunchedCampaign");

export const campaignVerbRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/campaigns/{campaign_id}/launch",
    id: "launchCampaign",
    scope: "campaigns:send",
    tag: "Campaigns",
    summary: "Launch a campaign, at once or at its start date",
    description:
      "`checks` says what was looked at, and what it warns of. 422 LAUNCH_PREFLIGHT_FAILED carries them too.",
    claims: "effect",
    params: CampaignParams,
    status: 202,
    response: Launched,
    errors: [409, 422],
    handler: async ({ deps, principal, params }) => {
      const { campaign, checks } = await launchCampaign(deps, principal, params.campaign_id);
      return Object.assign(campaignBody(campaign), { checks: checksBody(checks) });
    },
  }),
  verb(
    "unschedule",
    {
      id: "unscheduleCampaign",
      scope: "campaigns:write",
      summary: "Take a scheduled launch back; the campaign is a draft again",
    },
    unscheduleCampaign,
  ),
  verb(
    "pause",
    {
      id: "pauseCampaign",
      scope: "campaigns:write",
      summary: "Pause a campaign: nothing begins to be sent any more",
    },
    pauseCampaign,
  ),
  verb(
    "resume",
    {
      id: "resumeCampaign",
      scope: "campaigns:send",
      summary: "Resume a paused or draining campaign once what paused it is cured",
    },
    resumeCampaign,
  ),
  verb(
    "drain",
    {
      id: "drainCampaign",
      scope: "campaigns:write",
      summary: "Start no further leads; those that started get their remaining steps",
    },
    drainCampaign,
  ),
  verb(
    "reset",
    {
      id: "resetCampaign",
      scope: "campaigns:write",
      summary: "Make a campaign whose launch failed a draft again",
    },
    resetCampaign,
  ),
  verb(
    "duplicate",
    {
      id: "duplicateCampaign",
      scope: "campaigns:write",
      summary: "Make a draft with the same configuration",
      status: 201,
      errors: [],
    },
    duplicateCampaign,
  ),
  verb(
    "playground/dismiss-discovery",
    {
      id: "dismissPlaygroundDiscovery",
      scope: "campaigns:write",
      summary: "Note that the playground need not be pointed out again",
    },
    dismissDiscovery,
  ),
];
