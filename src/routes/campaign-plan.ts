import * as z from "zod";
import { FORECAST_BASES } from "#src/domain/campaigns/forecast/basis.ts";
import { applyPlan } from "#src/domain/campaigns/plan/apply.ts";
import { type CampaignPlan, planCampaign } from "#src/domain/campaigns/plan/plan.ts";
import { requireScope } from "#src/http/auth.ts";
import { instant, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignFile, domainFile } from "./campaign-file.ts";
import { ForecastDays, forecastDay, ForecastSends, forecastSend } from "./campaign-forecast.ts";
import { Checks, checksBody } from "./campaign-preflight.ts";
import { CampaignBody, campaignBody } from "./campaign-schemas.ts";

const ACTIONS = ["create", "change", "none"] as const;
const LOCKS = ["FIELD_LOCKED", "STEP_SENT", "STEP_PLACE"] as const;

const anything = z
  .unknown()
  .openapi({ type: ["string", "number", "boolean", "object", "array", "null"], items: {} });

const TOKEN = "v1.q8Yx0t2nP1s.Zk3JmQ0d7uVwE5bRfT9aLg";

const Plan = z
  .object({
    plan_token: z.string().nullable().openapi({
      example: TOKEN,
      description: "For POST /campaigns/apply. Null where something is blocked.",
    }),
    expires_at: instant,
    action: z.enum(ACTIONS),
    campaign_id: uuid.nullable().openapi({ description: "Null of a campaign that would be made." }),
    changes: z.array(
      z.object({
        path: z.string().openapi({ description: "A place in the file (RFC 6901)." }),
        before: anything.openapi({ example: 500 }),
        after: anything.openapi({ example: 200 }),
      }),
    ),
    blocked: z
      .array(z.object({ path: z.string(), code: z.enum(LOCKS), message: z.string() }))
      .openapi({ description: "What PATCH would refuse, too, and why." }),
    affected: z.object({
      leads: z.int().openapi({
        description:
          "Leads whose next message is by what changes; of a campaign that was not launched, those whom a launch would reach.",
      }),
      next_sends: ForecastSends,
    }),
    checks: Checks,
    forecast: z.object({
      basis: z.enum(FORECAST_BASES),
      until: instant,
      timezone: z.string(),
      total_sends: z.int(),
      finishes_at: instant.nullable(),
      days: ForecastDays,
    }),
  })
  .openapi("CampaignPlan");

function planBody(plan: CampaignPlan): z.input<typeof Plan> {
  const { forecast } = plan;
  return {
    plan_token: plan.token,
    expires_at: plan.expiresAt.toISOString(),
    action: plan.action,
    campaign_id: plan.campaignId,
    changes: plan.changes,
    blocked: plan.blocked,
    affected: { leads: plan.affectedLeads, next_sends: plan.nextSends.map(forecastSend) },
    checks: checksBody(plan.checks),
    forecast: {
      basis: forecast.basis,
      until: forecast.until.toISOString(),
      timezone: forecast.campaign.timezone,
      total_sends: forecast.sends.length,
      finishes_at: forecast.finishesAt?.toISOString() ?? null,
      days: forecast.days.map(forecastDay),
    },
  };
}

const Applied = z
  .object({
    action: z.enum(ACTIONS),
    launched: z.boolean().openapi({ description: "By this request." }),
    campaign: CampaignBody,
    checks: Checks,
  })
  .openapi("AppliedPlan");

export const campaignPlanRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/campaigns/plan",
    id: "planCampaign",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary:
      "What applying a campaign's file would change, whom it affects, and what would be sent",
    description:
      "Writes nothing. The file is the whole campaign: what it leaves out has its default. Its `external_id` says which campaign it is; `campaign_id` gives a campaign that has none the file's. Names stand for ids: one that no record has is 404, one that several have 422 NAME_AMBIGUOUS with their `ids`.",
    claims: "effect",
    body: z
      .object({ campaign: CampaignFile, campaign_id: uuid.nullable().optional() })
      .openapi("PlanCampaign"),
    response: Plan,
    errors: [404, 409],
    handler: async ({ deps, principal, body }) =>
      planBody(
        await planCampaign(deps, principal, {
          file: domainFile(body.campaign),
          campaignId: body.campaign_id,
        }),
      ),
  }),
  operation({
    method: "post",
    path: "/api/v1/campaigns/apply",
    id: "applyPlan",
    scope: "campaigns:write",
    tag: "Campaigns",
    summary: "Do what a plan said; nothing is sent unless `launch` says so",
    description:
      "409 PLAN_STALE where the campaign, its name or the leads that it reaches are others now, or the plan is an hour old. With `launch` (which needs campaigns:send) a campaign that was not launched is launched; what stands against that is said first, as 422 LAUNCH_PREFLIGHT_FAILED, and then nothing is written.",
    claims: "start",
    body: z
      .object({
        plan_token: text(1_000_000).openapi({ example: TOKEN }),
        launch: z.boolean().default(false),
      })
      .openapi("ApplyPlan"),
    response: Applied,
    errors: [400, 404, 409],
    handler: async ({ deps, principal, c, body: { plan_token: token, launch } }) => {
      if (launch) requireScope(c, principal, "campaigns:send");
      const { campaign, action, launched, checks } = await applyPlan(deps, principal, {
        token,
        launch,
      });
      return { action, launched, campaign: campaignBody(campaign), checks: checksBody(checks) };
    },
  }),
];
