import * as z from "zod";
import { readStats, STATS_BY } from "#src/domain/campaigns/drain-and-reset.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

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

export const campaignStatsRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/stats",
    id: "getCampaignStats",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary: "Count a campaign's messages by step, variant, alias or day",
    params: CampaignParams,
    query: z.object({ by: z.enum(STATS_BY).default("step") }),
    response: Stats,
    handler: async ({ deps, principal, params, query: { by } }) => ({
      by,
      rows: await readStats(deps, principal, params.campaign_id, by),
    }),
  }),
];
