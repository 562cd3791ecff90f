import * as z from "zod";
import { patchCampaign, removeCampaign } from "#src/domain/campaigns/change.ts";
import { createCampaign } from "#src/domain/campaigns/create.ts";
import {
  type Campaign,
  CAMPAIGN_STATUSES,
  findCampaigns,
  requireCampaign,
} from "#src/domain/campaigns/read.ts";
import { forecastCampaign } from "#src/domain/campaigns/forecast/forecast.ts";
import { explainSending } from "#src/domain/campaigns/forecast/sending-status.ts";
import { summarize, type Summary } from "#src/domain/campaigns/forecast/summaries.ts";
import { writeFiles } from "#src/domain/campaigns/plan/file.ts";
import { countLeads } from "#src/domain/campaigns/lead-counts.ts";
import { readStats } from "#src/domain/campaigns/stats.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { camelKeys } from "#src/http/case.ts";
import { Deleted, done, instant, text, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { revised } from "#src/http/revisions.ts";
import { externalId, shortFile, StoredFile } from "./campaign-file.ts";
import { ForecastBody, forecastBody, USUAL_FORECAST } from "./campaign-forecast.ts";
import { LeadCountsBody, leadCountsBody } from "./campaign-lead-counts.ts";
import {
  CampaignBody,
  campaignBody,
  CampaignChange,
  CampaignCreate,
  CampaignParams,
} from "./campaign-schemas.ts";
import { SendingReason, SendingStatusBody, statusBody, wireReasons } from "./campaign-sending.ts";
import { CampaignStats, statsRows } from "./campaign-stats.ts";

const PATH = "/api/v1/campaigns/";
const ONE = "/api/v1/campaigns/{campaign_id}";
const tag = "Campaigns";

const ListQuery = z.object({
  offset: wholeNumberOr(0, 0, 2_147_483_647),
  limit: wholeNumberOr(50, 1, 100),
  name: z.literal("").or(text(255)).optional(),
  status: z.enum(CAMPAIGN_STATUSES).optional(),
  external_id: externalId.optional(),
});

const Summarized = z
  .object({
    sent: z.int(),
    replied: z.int(),
    bounced: z.int(),
    next_send_at: instant.nullable().openapi({
      description: "By the forecast of all campaigns; null where there is none, or none near.",
    }),
    reason: SendingReason.nullable().openapi({
      description: "The first reason why it does not send now; null while it does.",
    }),
  })
  .openapi("CampaignSummary");

const summaryBody = ({ nextSendAt, reason, ...sums }: Summary): z.input<typeof Summarized> => ({
  ...sums,
  next_send_at: nextSendAt?.toISOString() ?? null,
  reason: reason === null ? null : wireReasons([reason])[0]!,
});

const Included = {
  stats: CampaignStats,
  sending_status: SendingStatusBody,
  forecast: ForecastBody,
  lead_counts: LeadCountsBody,
  file: StoredFile,
};

/** Each as its own operation answers it where no parameter is given. */
const PARTS: {
  [Name in keyof typeof Included]: (
    deps: Deps,
    principal: Principal,
    id: string,
  ) => Promise<z.input<(typeof Included)[Name]>>;
} = {
  stats: async (deps, principal, id) => ({
    by: "step",
    rows: statsRows(await readStats(deps, principal, id, "step")),
  }),
  sending_status: async (deps, principal, id) =>
    statusBody(await explainSending(deps, principal, id, undefined)),
  forecast: async (deps, principal, id) =>
    forecastBody(await forecastCampaign(deps, principal, id, USUAL_FORECAST.days), USUAL_FORECAST),
  lead_counts: async (deps, principal, id) => leadCountsBody(await countLeads(deps, principal, id)),
  file: async (deps, principal, id) => {
    const [file] = await writeFiles(deps, principal, [await requireCampaign(deps, principal, id)]);
    return shortFile(file!);
  },
};

const partsOf = async (
  include: ReadonlySet<string>,
  part: (read: (typeof PARTS)[keyof typeof PARTS]) => Promise<unknown>,
) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(PARTS)
        .filter(([name]) => include.has(name))
        .map(async ([name, read]) => [name, await part(read)] as const),
    ),
  );

const asRevised = (campaign: Campaign) => revised(campaign.configVersion, campaignBody(campaign));

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
    includes: { as: "ListedCampaign", fields: { summary: Summarized } },
    response: z.array(CampaignBody),
    handler: async ({ deps, principal, query, part, include }) => {
      const filter = { ...query, externalId: query.external_id };
      const { rows, total } = await findCampaigns(
        deps,
        principal,
        part === undefined ? filter : { ...filter, ...part, offset: 0 },
      );
      const summaries = include.has("summary")
        ? await summarize(deps, principal, rows)
        : new Map<string, Summary>();
      const bodies = rows.map((row) => {
        const summary = summaries.get(row.id);
        return summary === undefined
          ? campaignBody(row)
          : { ...campaignBody(row), summary: summaryBody(summary) };
      });
      return new Answer(200, bodies, { "X-Total-Count": String(total) });
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getCampaign",
    record: "campaigns",
    scope: "campaigns:read",
    tag,
    summary: "Get a campaign",
    params: CampaignParams,
    includes: { as: "CampaignInFull", fields: Included },
    response: CampaignBody,
    handler: async ({ deps, principal, params: { campaign_id: id }, include }) => {
      const campaign = await requireCampaign(deps, principal, id);
      const parts = await partsOf(include, (read) => read(deps, principal, id));
      return revised(campaign.configVersion, { ...campaignBody(campaign), ...parts });
    },
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeCampaign",
    record: "campaigns",
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
      asRevised(await patchCampaign(deps, principal, params.campaign_id, camelKeys(body))),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteCampaign",
    record: "campaigns",
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
