import { type Move, moveCampaign, moveWithNotice } from "#db/campaigns/state.ts";
import type { CampaignNotice } from "#db/outbox.ts";
import { stalledLaunches } from "#db/campaigns/launch.ts";
import { type CampaignRow, findCampaign } from "#db/campaigns/campaigns.ts";
import type { LaunchPolicy, PausedReason, Step } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { armLaunchCheck, queueLaunchJob } from "./messages.ts";

/** A launch that comes later than this was missed: old launches never fire silently. */
const MISSED_AFTER_MS = 24 * 3_600_000;

export interface ScheduledCampaign {
  startDate: Date | null;
  steps: Pick<Step, "ai_personalization_enabled">[];
  reviewedAt: Date | null;
  unreviewedLaunchPolicy: LaunchPolicy;
}

export type ScheduleVerdict = "wait" | "hold" | "cancel" | "missed" | "launch";

/** What a scheduled campaign does at `now`. Pure. */
export function judgeSchedule(campaign: ScheduledCampaign, now: Date): ScheduleVerdict {
  const { startDate, unreviewedLaunchPolicy: policy } = campaign;
  if (startDate === null || startDate > now) return "wait";
  if (isUnreviewed(campaign) && policy !== "launch_default") return policy;
  return now.getTime() - startDate.getTime() > MISSED_AFTER_MS ? "missed" : "launch";
}

/** Its texts are to be generated, and nobody has looked at a draft. */
export const isUnreviewed = ({
  steps,
  reviewedAt,
}: Pick<ScheduledCampaign, "steps" | "reviewedAt">): boolean =>
  reviewedAt === null && steps.some((step) => step.ai_personalization_enabled);

export type CheckRun = "superseded" | ScheduleVerdict;

/** Called at the start date, and on the way there. Safe to repeat: whoever moves the campaign first, wins. */
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

/** The edge that each verdict takes. */
const TRIGGERS = {
  hold: "hold_unreviewed",
  cancel: "cancel_unreviewed",
  missed: "miss_schedule",
  launch: "start_scheduled",
} as const;

async function act(
  deps: Deps,
  campaign: CampaignRow,
  verdict: keyof typeof TRIGGERS,
  now: Date,
): Promise<boolean> {
  const { scheduleGeneration } = campaign;
  const move = (set: Move["set"]) => ({
    campaign,
    trigger: TRIGGERS[verdict],
    // The start date itself moved on, not only the status.
    expect: { scheduleGeneration },
    set: { ...set, scheduleGeneration: scheduleGeneration + 1 },
    now,
  });
  const tell = (kind: CampaignNotice, reason: PausedReason, set: Move["set"]) =>
    moveWithNotice(deps.db, move(set), kind, reason);
  const paused = (pausedReason: PausedReason) => ({
    pausedReason,
    pausedFrom: campaign.status,
  });
  switch (verdict) {
    case "hold": {
      const reason = "personalization_review_pending";
      return tell("campaign_launch_held", reason, paused(reason));
    }
    case "missed":
      return tell("campaign_paused", "missed_schedule", paused("missed_schedule"));
    case "cancel":
      return tell("campaign_launch_cancelled", "personalization_review_pending", {
        launchJobId: null,
        launchRequestedAt: null,
      });
    case "launch": {
      const launching = await moveCampaign(deps.db, move({ launchRequestedAt: now }));
      if (launching === undefined) return false;
      await queueLaunchJob(deps, launching, "first");
      return true;
    }
  }
}

/** A launch without progress for this long has lost its message. */
const STALLED_AFTER_MS = 5 * 60_000;
const REVIVED_AT_ONCE = 100;

/** Sends the messages of launches again that the queue seems to have lost. Belongs into the engine's regular full check. */
export async function reviveLaunches(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const since = new Date(now.getTime() - STALLED_AFTER_MS);
  const stalled = await stalledLaunches(deps.db, since, REVIVED_AT_ONCE);
  for (const campaign of stalled) {
    if (campaign.status === "launching")
      await queueLaunchJob(deps, campaign, `at-${now.getTime()}`);
    else await armLaunchCheck(deps, campaign);
  }
  return stalled.length;
}
