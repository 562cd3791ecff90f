import type { CampaignRow } from "#db/schema/index.ts";
import {
  activateCampaign,
  failLaunch,
  type LaunchAttempt,
  materialiseChunk,
} from "#db/campaigns/launch.ts";
import { findCampaign } from "#db/campaigns/campaigns.ts";
import { isDraftedStep } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { localDay } from "#src/platform/time-zone.ts";
import { LAUNCH_ATTEMPTS, enqueueLaunch } from "./messages.ts";
import { enqueuePrefetchFor } from "../enqueue-prefetch.ts";
import { describe, runPreflight, stopsLaunch } from "../preflight/preflight.ts";
import { stepDueAt } from "#src/domain/engine/window.ts";
import { ownInterval } from "#src/domain/engine/window-columns.ts";

const CHUNK_ROWS = 5_000;
/** 100,000 rows of one run took 6 s on two cores; the rest is left to the next message. */
const CHUNKS_PER_RUN = 20;

export type LaunchRun = "superseded" | "continued" | "activated" | "failed";

/**
 * Makes the campaign's leads out of the dataset and lets it start. Safe to
 * repeat and to interrupt anywhere: each chunk is one statement that saves its
 * cursor, and only the launch's own job finds anything to do.
 */
export async function runLaunchJob(
  deps: Deps,
  campaignId: string,
  jobId: string,
): Promise<LaunchRun> {
  const campaign = await findCampaign(deps.db, campaignId);
  if (campaign?.status !== "launching" || campaign.launchJobId !== jobId) return "superseded";
  const attempt = (): LaunchAttempt => ({ campaignId, jobId, now: deps.clock.now() });

  const stopping = (await runPreflight(deps, campaign, deps.clock.now())).filter(stopsLaunch);
  if (stopping.length > 0) return fail(deps, attempt(), `Preflight failed: ${describe(stopping)}`);

  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    const { owned, read } = await materialiseChunk(deps.db, attempt(), CHUNK_ROWS);
    if (!owned) return "superseded";
    if (read < CHUNK_ROWS) return activate(deps, campaign, attempt());
  }
  await enqueueLaunch(deps, campaign, deps.ids.uuid());
  return "continued";
}

async function activate(
  deps: Deps,
  campaign: CampaignRow,
  attempt: LaunchAttempt,
): Promise<LaunchRun> {
  const { now } = attempt;
  const window = ownInterval(campaign, now);
  if (window === null) return fail(deps, attempt, "The sending window never opens.");
  const delayDays = campaign.steps[0]?.delay_days ?? 0;
  const active = await activateCampaign(deps.db, {
    ...attempt,
    campaign,
    window,
    day: localDay(window.openFrom, campaign.timezone),
    firstActionAt: stepDueAt(now, delayDays, campaign.timezone),
    delayed: delayDays > 0,
    drafted: campaign.steps.some(isDraftedStep),
  });
  if (active !== undefined) {
    await enqueuePrefetchFor(deps, active);
    return "activated";
  }
  return fail(
    deps,
    attempt,
    "No usable lead: each has no address, is suppressed, or is in the campaign already.",
  );
}

async function fail(deps: Deps, attempt: LaunchAttempt, why: string): Promise<LaunchRun> {
  return (await failLaunch(deps.db, attempt, why)) ? "failed" : "superseded";
}

/** The queue gave the job up. */
export async function giveUpLaunch(
  deps: Deps,
  campaignId: string,
  jobId: string,
): Promise<LaunchRun> {
  const attempt = { campaignId, jobId, now: deps.clock.now() };
  return fail(deps, attempt, `The launch job failed ${LAUNCH_ATTEMPTS} times.`);
}
