import { z } from "@hono/zod-openapi";
import {
  dismissDiscovery,
  drainCampaign,
  duplicateCampaign,
  readStats,
  resetCampaign,
  STATS_BY,
} from "#src/domain/campaigns/wind-down.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignBody, campaignBody, CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaigns";
const at = (verb: string) => `/api/v1/campaigns/{campaign_id}/${verb}`;
const count = z.int();

const Stats = z
  .object({
    by: z.enum(STATS_BY),
    rows: z.array(
      z.object({
        key: z.string().openapi({
          description:
            "The step, step and variant (`1/A`), the alias's id, or the date in the campaign's zone.",
        }),
        sent: count,
        opened: count,
        clicked: count,
        replied: count,
        bounced: count,
        unsubscribed: count,
        complained: count,
      }),
    ),
  })
  .openapi("CampaignStats");

export const campaignWindDownRoutes: Mount[] = [
  operation({
    method: "post",
    path: at("drain"),
    id: "drainCampaign",
    tag,
    summary: "Start no further leads; those that started get their remaining steps",
    access: "workspace",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await drainCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "post",
    path: at("reset"),
    id: "resetCampaign",
    tag,
    summary: "Make a campaign whose launch failed a draft again",
    access: "workspace",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await resetCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "post",
    path: at("duplicate"),
    id: "duplicateCampaign",
    tag,
    summary: "Make a draft with the same configuration",
    access: "workspace",
    params: CampaignParams,
    status: 201,
    response: CampaignBody,
    handler: async ({ deps, principal, params }) =>
      campaignBody(await duplicateCampaign(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "post",
    path: at("playground/dismiss-discovery"),
    id: "dismissPlaygroundDiscovery",
    tag,
    summary: "Note that the playground need not be pointed out again",
    access: "workspace",
    params: CampaignParams,
    response: CampaignBody,
    errors: [409],
    handler: async ({ deps, principal, params }) =>
      campaignBody(await dismissDiscovery(deps, principal, params.campaign_id)),
  }),
  operation({
    method: "get",
    path: at("stats"),
    id: "getCampaignStats",
    tag,
    summary: "Count a campaign's messages by step, variant, alias or day",
    access: "workspace",
    params: CampaignParams,
    query: z.object({ by: z.enum(STATS_BY).default("step") }),
    response: Stats,
    handler: async ({ deps, principal, params, query: { by } }) => ({
      by,
      rows: await readStats(deps, principal, params.campaign_id, by),
    }),
  }),
];
