import * as z from "zod";
import { type Check, CHECK_NAMES } from "#src/domain/campaigns/preflight/checks.ts";
import { preflightCampaign } from "#src/domain/campaigns/preflight/preflight.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

export const Checks = z
  .array(
    z.object({
      name: z.enum(CHECK_NAMES),
      ok: z.boolean(),
      severity: z
        .enum(["error", "warning"])
        .openapi({ description: "An error stops a launch; a warning is only said." }),
      message: z.string(),
    }),
  )
  .openapi("PreflightChecks");

const Preflight = z
  .object({
    ok: z.boolean().openapi({ description: "Nothing stands against a launch." }),
    checks: Checks,
  })
  .openapi("Preflight");

export const checksBody = (checks: readonly Check[]): z.input<typeof Checks> =>
  checks.map(({ name, ok, severity, message }) => ({ name, ok, severity, message }));

export const campaignPreflightRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/preflight",
    id: "preflightCampaign",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary: "What a launch would lack, and what it would warn of",
    description:
      "The checks that a launch makes, at any time and in any status; nothing is changed. What warns of a campaign that runs stands in its sending status too.",
    params: CampaignParams,
    response: Preflight,
    handler: async ({ deps, principal, params }) => {
      const { ok, checks } = await preflightCampaign(deps, principal, params.campaign_id);
      return { ok, checks: checksBody(checks) };
    },
  }),
];
