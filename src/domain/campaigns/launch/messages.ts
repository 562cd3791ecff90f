import type { CampaignRow } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import { nextHop } from "#src/providers/queue/index.ts";

export const LAUNCH_JOB = "launch-campaign";
export const LAUNCH_CHECK = "launch-check";
export const LAUNCH_FAILED = "launch-failed";

/** A job runs at most this often before the launch counts as failed. */
export const LAUNCH_ATTEMPTS = 5;

/** Wakes the job of a launch. `part` tells apart the messages of one job, each of which the queue must take. */
export function enqueueLaunch(
  deps: Deps,
  campaign: Pick<CampaignRow, "id" | "launchJobId">,
  part: string,
): Promise<void> {
  return wakeUp(deps, {
    callback: LAUNCH_JOB,
    payload: { campaign_id: campaign.id, job_id: campaign.launchJobId, version: 1 },
    deduplicationId: `launch-${campaign.launchJobId}-${part}`,
    retries: LAUNCH_ATTEMPTS - 1,
    failureCallback: LAUNCH_FAILED,
  });
}

/** Asks to be called at the start date, or on the way there when that is further off than the queue can wait. */
export function armLaunchCheck(
  deps: Deps,
  campaign: Pick<CampaignRow, "id" | "startDate" | "scheduleGeneration">,
): Promise<void> {
  if (campaign.startDate === null) return Promise.resolve();
  const at = nextHop(deps.clock.now(), campaign.startDate);
  return wakeUp(deps, {
    callback: LAUNCH_CHECK,
    payload: { campaign_id: campaign.id, generation: campaign.scheduleGeneration },
    notBefore: at,
    deduplicationId: `check-${campaign.id}-${campaign.scheduleGeneration}-${at.getTime()}`,
  });
}
