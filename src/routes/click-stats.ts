import * as z from "zod";
import { readClickStats } from "#src/domain/messages/tracking/click-stats.ts";
import { snakeKeys } from "#src/http/case.ts";
import { uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const count = z.int().default(0);

const ClickStats = z
  .object({
    total_clicks: count,
    clicked_count: count,
    total_opens: count,
    opened_count: count,
    total_sent: count,
    click_rate: z
      .number()
      .default(0)
      .openapi({ description: "Percent of what was sent, two decimals." }),
    open_rate: z
      .number()
      .default(0)
      .openapi({ description: "Percent of what was sent, two decimals." }),
    machine_opens: count.openapi({
      description: "Opens by scanners, prefetchers and privacy proxies; in no other count.",
    }),
    machine_clicks: count.openapi({
      description: "Clicks by scanners and prefetchers; in no other count.",
    }),
  })
  .openapi("ClickStats");

export const clickStatsRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/click-stats",
    id: "getClickStats",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary: "Opens and clicks of a campaign, by people",
    envelope: "legacy",
    params: z.object({ campaign_id: uuid }),
    response: ClickStats,
    handler: async ({ deps, principal, params }) =>
      snakeKeys(await readClickStats(deps, principal, params.campaign_id)),
  }),
];
