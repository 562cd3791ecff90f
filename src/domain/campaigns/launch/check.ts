import { moveCampaign, moveWithNotice } from "#db/campaigns/state.ts";
import { findCampaign } from "#db/campaigns/campaigns.ts";
import type { CampaignRow, LaunchPolicy, Step } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { armLaunchCheck, enqueueLaunch } from "./messages.ts";

/** A launch that comes later than this was missed: old launches never fire silently. */
const MISSED_AFTER_MS = 24 * 3_600_000;

export interface ScheduledCampaign {
  startDate: Date | null;
  steps: Pick<Step, "ai_personalization_enabled">[];
  reviewedAt: Date | null;
  unreviewedLaunchPolicy: LaunchPolicy;
}

export type ScheduleVerdict = "wait" | "hold" | "cancel" | "missed" | "launch";

/** The next act of a scheduled campaign at `now`. Pure. */
export function judgeSchedule(campaign: ScheduledCampaign, now: Date): ScheduleVerdict {
  const { startDate, unreviewedLaunchPolicy: policy } = campaign;
  if (startDate === null || startDate > now) return "wait";
  if (isUnreviewed(campaign) && policy !== "launch_default") return policy;
  return now.getTime() - startDate.getTime() > MISSED_AFTER_MS ? "missed" : "launch";
}

/** The campaign's texts are to be generated, and no user has reviewed a draft. */
export const isUnreviewed = ({
  steps,
  reviewedAt,
}: Pick<ScheduledCampaign, "steps" | "reviewedAt">): boolean =>
  reviewedAt === null && steps.some((step) => step.ai_personalization_enabled);

export type CheckRun = "superseded" | ScheduleVerdict;

/** Called at the start date, and on the way there. Safe to repeat: the first call to move the campaign wins. */
export async function checkScheduledLaunch(
  deps: Deps,
  campaignId: string,
  generation: number,
): Promise<CheckRun> {
  const campaign = await findCampaign(deps.db, campaignId);
  if (campaign?.status !== "scheduled" || campaign.scheduleGeneration !== generation)
    return "superseded";
  const now = deps.clock.now();
  const verdict = judgeSchedule(campaign, now);
  if (verdict === "wait") await armLaunchCheck(deps, campaign);
  else if (!(await act(deps, campaign, verdict, now))) return "superseded";
  return verdict;
}

/** The edge that a verdict takes, and what its user is told. */
const TOLD = {
  hold: ["hold_unreviewed", "campaign_launch_held", "personalization_review_pending"],
  cancel: ["cancel_unreviewed", "campaign_launch_cancelled", "personalization_review_pending"],
  missed: ["miss_schedule", "campaign_paused", "missed_schedule"],
} as const;

async function act(
  deps: Deps,
  campaign: CampaignRow,
  verdict: Exclude<ScheduleVerdict, "wait">,
  now: Date,
): Promise<boolean> {
  const { status, scheduleGeneration } = campaign;
  // The start date itself moved on, not only the status.
  const anew = { campaign, expect: { scheduleGeneration }, now };
  const generation = { scheduleGeneration: scheduleGeneration + 1 };
  if (verdict === "launch") {
    const set = { ...generation, launchRequestedAt: now };
    const launching = await moveCampaign(deps.db, { ...anew, trigger: "start_scheduled", set });
    if (launching !== undefined) await enqueueLaunch(deps, launching, "first");
    return launching !== undefined;
  }
  const [trigger, kind, reason] = TOLD[verdict];
  const set =
    verdict === "cancel"
      ? { ...generation, launchJobId: null, launchRequestedAt: null }
      : { ...generation, pausedReason: reason, pausedFrom: status };
  const isMoved = await moveWithNotice(deps.db, { ...anew, trigger, set }, kind, reason);
  if (isMoved) deps.wakeOutbox();
  return isMoved;
}
