import { type Campaign, isExternalIdTaken } from "#db/campaigns/campaigns.ts";
import { sourcesOf } from "#db/base/fragments/transitions.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict } from "#src/errors.ts";
import { changeAsRead } from "../change.ts";
import { createCampaign } from "../create.ts";
import { launchCampaign } from "../launch/launch.ts";
import type { Check } from "../preflight/checks.ts";
import { requirePreflight } from "../preflight/preflight.ts";
import { countLeads, isLaunched, judge } from "./plan.ts";
import { openPlan } from "./token.ts";

export interface AppliedPlan {
  campaign: Campaign;
  action: "create" | "change" | "none";
  /** Whether this request launched it. */
  launched: boolean;
  /** Of the launch. */
  checks: Check[];
}

/**
 * Does what a plan said, and nothing else: 409 PLAN_STALE where what it was made for is another now. It launches where it
 * is told to and the campaign was not launched before; what stands against the launch is said before anything is written.
 */
export async function applyPlan(
  deps: Deps,
  principal: Principal,
  { token, launch }: { token: string; launch: boolean },
): Promise<AppliedPlan> {
  const planned = await openPlan(deps, principal, token);
  const now = deps.clock.now();
  if (planned.expiresAt <= now) throw stale("it is older than an hour");
  const { config } = planned;
  const judged = await judge(deps, principal, config, planned.campaignId).catch(unlessGone);
  const { before, after, changes } = judged;
  if ((before?.id ?? null) !== planned.campaignId)
    throw stale("a campaign with its external_id was made meanwhile");
  if (
    before !== null &&
    (before.configVersion !== planned.configVersion || before.status !== planned.status)
  )
    throw stale("the campaign changed meanwhile");
  if (!isLaunched(before) && (await countLeads(deps, judged)) !== planned.leads)
    throw stale("the leads that it reaches changed meanwhile");

  const isLaunch = launch && (before === null || sourcesOf("launch").includes(before.status));
  if (isLaunch) await requirePreflight(deps, after, now);
  const campaign =
    before === null
      ? await createCampaign(deps, principal, config).catch(unlessTaken)
      : await changeAsRead(deps, before, config).catch(unlessTaken);
  if (campaign === undefined) throw stale("the campaign changed meanwhile");
  const action = before === null ? "create" : Object.keys(changes).length > 0 ? "change" : "none";
  if (!isLaunch) return { campaign, action, launched: false, checks: [] };
  const launched = await launchCampaign(deps, principal, campaign.id);
  return { ...launched, action, launched: true };
}

const stale = (why: string) =>
  conflict("PLAN_STALE", `The plan is no longer what would happen: ${why}. Plan again.`);

function unlessTaken(error: unknown): never {
  if (isExternalIdTaken(error)) throw stale("a campaign with its external_id was made meanwhile");
  throw error;
}

function unlessGone(error: unknown): never {
  const { code } = error as { code?: string };
  if (code === "CAMPAIGN_NOT_FOUND") throw stale("the campaign was deleted meanwhile");
  if (code === "EXTERNAL_ID_TAKEN") throw stale("another campaign has its external_id now");
  throw error;
}
