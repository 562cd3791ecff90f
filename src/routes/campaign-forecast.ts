import * as z from "zod";
import { FORECAST_BASES } from "#src/domain/campaigns/forecast/basis.ts";
import { type Forecast, forecastCampaign } from "#src/domain/campaigns/forecast/forecast.ts";
import { forecastWorkspace } from "#src/domain/campaigns/forecast/together.ts";
import { FORECAST_ASSUMES } from "#src/domain/campaigns/forecast/status-messages.ts";
import { instant, uuid, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";
import { Reasons, wireReasons } from "./campaign-sending.ts";

const MAX_FORECAST_DAYS = 90;
const MAX_FORECAST_SENDS = 1_000;
const MAX_WORKSPACE_DAYS = 60;
/** Where nothing else is asked for. */
export const USUAL_FORECAST = { days: 14, offset: 0, limit: 200, leadId: undefined };

const assumes = z.array(z.string()).openapi({
  description: "What is taken for granted besides, in words: of any forecast the same.",
  example: [...FORECAST_ASSUMES],
});
const dayCounts = { sends: z.int(), new_leads: z.int(), follow_ups: z.int() };

export const ForecastDays = z.array(
  z.object({
    date: z.string().openapi({ description: "A date of the campaign's time zone." }),
    ...dayCounts,
  }),
);

export const ForecastSends = z.array(
  z.object({
    at: instant,
    campaign_lead_id: uuid,
    lead_id: uuid,
    row_index: z.int(),
    email: z.string().nullable(),
    step: z.int(),
    alias_id: uuid.nullable(),
    connected_account_id: uuid.nullable(),
  }),
);

export const forecastDay = (day: Forecast["days"][number]) => ({
  date: day.date,
  sends: day.sends,
  new_leads: day.newLeads,
  follow_ups: day.followUps,
});

export const forecastSend = (
  send: Forecast["sends"][number],
): z.input<typeof ForecastSends>[number] => ({
  at: send.at.toISOString(),
  campaign_lead_id: send.campaignLeadId,
  lead_id: send.leadId,
  row_index: send.rowIndex,
  email: send.email,
  step: send.step,
  alias_id: send.kind === "email" ? send.laneId : null,
  connected_account_id: send.kind === "email" ? null : send.laneId,
});

export const ForecastBody = z
  .object({
    campaign_id: uuid,
    generated_at: instant,
    until: instant,
    basis: z.enum(FORECAST_BASES).openapi({
      description: "What is taken for granted of a campaign that does not run.",
    }),
    assumes,
    timezone: z.string(),
    total_sends: z.int(),
    finishes_at: instant
      .nullable()
      .openapi({ description: "The campaign's last message, if it lies within the forecast." }),
    days: ForecastDays,
    sends: ForecastSends,
    next_offset: z.int().nullable(),
  })
  .openapi("Forecast");

const WorkspaceForecast = z
  .object({
    generated_at: instant,
    until: instant.openapi({ description: "Up to here everything is counted, beyond nothing." }),
    exact: z.boolean().openapi({
      description:
        "All of the days are counted, and each message where it will be; `reasons` says why not.",
    }),
    reasons: Reasons,
    assumes,
    timezone: z.string(),
    days: z.array(
      z.object({
        date: z.string().openapi({ description: "A date of the workspace's time zone." }),
        ...dayCounts,
        campaigns: z
          .array(z.object({ campaign_id: uuid, sends: z.int() }))
          .openapi({ description: "The one that sends most comes first." }),
      }),
    ),
  })
  .openapi("WorkspaceForecast");

export function forecastBody(
  forecast: Forecast,
  { offset, limit, leadId }: { offset: number; limit: number; leadId: string | undefined },
): z.input<typeof ForecastBody> {
  const { campaign, sends } = forecast;
  const wanted =
    leadId === undefined
      ? sends
      : sends.filter((send) => send.leadId === leadId || send.campaignLeadId === leadId);
  return {
    campaign_id: campaign.id,
    generated_at: forecast.generatedAt.toISOString(),
    until: forecast.until.toISOString(),
    basis: forecast.basis,
    assumes: [...FORECAST_ASSUMES],
    timezone: campaign.timezone,
    total_sends: sends.length,
    finishes_at: forecast.finishesAt?.toISOString() ?? null,
    days: forecast.days.map(forecastDay),
    sends: wanted.slice(offset, offset + limit).map(forecastSend),
    next_offset: offset + limit < wanted.length ? offset + limit : null,
  };
}

export const campaignForecastRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/forecast",
    id: "forecastCampaign",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary: "What will be sent, when, from which alias, message by message",
    description:
      "The engine's own schedule run ahead: exact to the second if every tick is on time, nobody comes in between, every message is accepted and nothing comes back (`assumes` says so). A tick that is a few seconds late moves no message by more. Of a draft or a paused campaign: as if it were launched or resumed now. With `lead_id` (a lead's or a campaign lead's id) only that lead's messages.",
    params: CampaignParams,
    query: z.object({
      days: wholeNumberOr(USUAL_FORECAST.days, 1, MAX_FORECAST_DAYS),
      lead_id: uuid.optional(),
      offset: wholeNumberOr(USUAL_FORECAST.offset, 0, 1_000_000),
      limit: wholeNumberOr(USUAL_FORECAST.limit, 1, MAX_FORECAST_SENDS),
    }),
    response: ForecastBody,
    handler: async ({ deps, principal, params, query }) => {
      const { days, lead_id: leadId, offset, limit } = query;
      const forecast = await forecastCampaign(deps, principal, params.campaign_id, days);
      return forecastBody(forecast, { offset, limit, leadId });
    },
  }),
];

export const workspaceForecastRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/forecast",
    id: "forecastWorkspace",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary: "What all running campaigns will send together, day by day",
    description:
      "One schedule of all of them, which share their senders as they will; what does not run is not in it. At most 50,000 messages and as many leads are looked at: where there are more, `until` is as far as it goes, `exact` is false and `reasons` says why.",
    query: z.object({ days: wholeNumberOr(USUAL_FORECAST.days, 1, MAX_WORKSPACE_DAYS) }),
    response: WorkspaceForecast,
    handler: async ({ deps, principal, query: { days: asked } }) => {
      const { generatedAt, until, timezone, reasons, days } = await forecastWorkspace(
        deps,
        principal,
        asked,
      );
      return {
        generated_at: generatedAt.toISOString(),
        until: until.toISOString(),
        exact: reasons.length === 0,
        reasons: wireReasons(reasons),
        assumes: [...FORECAST_ASSUMES],
        timezone,
        days: days.map(({ date, sends, newLeads, followUps, campaigns }) => ({
          ...{ date, sends, new_leads: newLeads, follow_ups: followUps },
          campaigns: campaigns.map((each) => ({ campaign_id: each.campaignId, sends: each.sends })),
        })),
      };
    },
  }),
];
