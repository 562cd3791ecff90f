import * as z from "zod";
import { sha256Hex } from "#src/platform/encoding.ts";
import { Refusal } from "../api.ts";
import { type Answer, type Asker, tool } from "../tool.ts";
import { anyObject, at } from "./fields.ts";

const file = {
  campaign: anyObject().describe(
    "The whole campaign: external_id (yours, names it for good), name, dataset and aliases (names, addresses or ids), steps [{step, delay_days, variants: [{type: INLINE, subject, body}]}]; also type, connected_account, timezone, send_days, sending_window_start, sending_window_end, daily_limit. What is left out has its default.",
  ),
  campaign_id: z
    .string()
    .max(36)
    .optional()
    .describe("Of a campaign that gets the file's external_id."),
};
type File = z.output<z.ZodObject<typeof file>>;

/**
 * The plan, and a name for what it would do: an agent repeats that and its file, not the plan's own token, which is as
 * long as all texts of the campaign.
 */
async function planOf({ api }: Asker, { campaign, campaign_id }: File) {
  const body = campaign_id === undefined ? { campaign } : { campaign, campaign_id };
  const { plan_token: token, expires_at: _, ...plan } = await api.post("/campaigns/plan", body);
  const does = [plan.campaign_id, plan.action, plan.changes, plan.affected.leads];
  const planId = (await sha256Hex(JSON.stringify(does))).slice(0, 32);
  return { token: token as string | null, plan: { plan_id: planId, ...plan } as Answer };
}

const planCampaign = tool({
  name: "plan_campaign",
  title: "Plan a campaign",
  description:
    "Write or change a campaign as one file: answers what would change, whom it reaches, what stands against a launch and the forecast. Writes nothing; apply_plan does.",
  input: z.object(file),
  scopes: ["campaigns:read"],
  hints: { reads: true },
  run: async (asker, given) => (await planOf(asker, given)).plan,
});

const applyPlan = tool({
  name: "apply_plan",
  title: "Apply a plan",
  description:
    "Do what plan_campaign said: the same file, with its plan_id. Makes or changes a draft and sends nothing; launch_campaign does. A campaign that was launched is left to people.",
  input: z.object({ ...file, plan_id: z.string().max(64) }),
  scopes: ["campaigns:write"],
  hints: {},
  run: async (asker, { plan_id, ...given }) => {
    const { token, plan } = await planOf(asker, given);
    if (token === null)
      throw new Refusal({ code: "PLAN_BLOCKED", message: "Nothing was changed.", ...plan });
    if (plan["plan_id"] !== plan_id)
      throw new Refusal({
        code: "PLAN_STALE",
        message: "This would do something else than that plan. Nothing was changed; look at this.",
        ...plan,
      });
    await requireDraft(asker, plan["campaign_id"] as string | null);
    const { action, campaign } = await asker.api.post("/campaigns/apply", { plan_token: token });
    const { campaign_id, name, status } = campaign;
    return { action, campaign_id, name, status, next: "launch_campaign sends." };
  },
});

async function requireDraft({ api }: Asker, campaignId: string | null): Promise<void> {
  if (campaignId === null) return;
  const { status } = await api.get(`/campaigns/${at(campaignId)}`);
  if (status === "draft") return;
  throw new Refusal({
    code: "NOT_A_DRAFT",
    message: `The campaign is ${status}: what it sends is changed by people. Nothing was changed; pause it, or tell them what you would change.`,
  });
}

export const planTools = [planCampaign, applyPlan];
