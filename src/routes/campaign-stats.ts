import * as z from "zod";
import {
  readStats,
  readWorkspaceStats,
  STATS_BY,
  STATS_DATES,
  STATS_DATES_BY_HOUR,
  type StatsRow,
  WORKSPACE_STATS_BY,
} from "#src/domain/campaigns/stats.ts";
import { snakeKeys } from "#src/http/case.ts";
import { date } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaigns";
const count = z.int();

const rowsWith = (key: string) =>
  z.array(
    z.object({
      key: z.string().openapi({ description: key }),
      sent: count,
      first_messages: count.openapi({ description: "Of these, the first steps." }),
      follow_ups: count.openapi({ description: "Of these, the others." }),
      opened: count,
      clicked: count,
      replied: count,
      auto_replied: count.openapi({
        description: "An automatic answer came back: an absence, a ticket, a person who has left.",
      }),
      bounced: count,
      soft_bounced: count.openapi({ description: "It came back for now." }),
      unsubscribed: count,
      complained: count,
    }),
  );

export const CampaignStats = z
  .object({
    by: z.enum(STATS_BY),
    rows: rowsWith(
      "The step, step and variant (`1/A`), the alias's id, or the date in the campaign's zone.",
    ),
  })
  .openapi("CampaignStats");

const WorkspaceStats = z
  .object({
    by: z.enum(WORKSPACE_STATS_BY),
    from: z.string(),
    to: z.string(),
    timezone: z.string().openapi({ description: "The workspace's, whose dates these are." }),
    rows: rowsWith(
      "The date; the hour as it begins, with its offset; the campaign's id; the alias's or network account's; or the domain of the alias's address, empty for a network and for aliases that are gone.",
    ),
  })
  .openapi("WorkspaceStats");

export const statsRows = (rows: readonly StatsRow[]) => rows.map((row) => snakeKeys(row));

export const campaignStatsRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/stats",
    id: "getCampaignStats",
    scope: "campaigns:read",
    tag,
    summary: "Count a campaign's messages by step, variant, alias or day",
    params: CampaignParams,
    query: z.object({ by: z.enum(STATS_BY).default("step") }),
    response: CampaignStats,
    handler: async ({ deps, principal, params, query: { by } }) => ({
      by,
      rows: statsRows(await readStats(deps, principal, params.campaign_id, by)),
    }),
  }),
];

export const workspaceStatsRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/stats",
    id: "getStats",
    scope: "campaigns:read",
    tag,
    summary: "Count the messages of all campaigns by day, hour, campaign, alias or domain",
    description:
      "Of campaigns, deleted ones too; single emails are not among them. A message counts where its slot lies, and so does what came of it, whenever that came. " +
      `\`from\` and \`to\` are dates of the workspace's time zone, both counted: at most ${STATS_DATES.most}, by hour ${STATS_DATES_BY_HOUR.most}; ` +
      `without them the last ${STATS_DATES.usual}, by hour ${STATS_DATES_BY_HOUR.usual}. What has no message has no row.`,
    query: z.object({
      by: z.enum(WORKSPACE_STATS_BY).default("day"),
      from: date.optional(),
      to: date.optional(),
    }),
    response: WorkspaceStats,
    errors: [422],
    handler: async ({ deps, principal, query: { by, ...range } }) => {
      const { rows, ...stats } = await readWorkspaceStats(deps, principal, by, range);
      return { by, ...stats, rows: statsRows(rows) };
    },
  }),
];
