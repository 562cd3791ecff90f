import * as z from "zod";
import { stalledLaunches } from "#db/campaigns/launch.ts";
import type { CampaignRow } from "#db/schema/index.ts";
import { define, oneByOne } from "#src/domain/job.ts";
import { fromBase64 } from "#src/platform/encoding.ts";
import { checkScheduledLaunch } from "./check.ts";
import { giveUpLaunch, runLaunchJob } from "./job.ts";
import {
  armLaunchCheck,
  LAUNCH_CHECK,
  LAUNCH_FAILED,
  LAUNCH_JOB,
  enqueueLaunch,
} from "./messages.ts";

const launch = z.object({ campaign_id: z.uuid(), job_id: z.uuid(), version: z.literal(1) });

/** The launch itself; its requeue also finds schedules whose check was lost. */
export const launchCampaign = define(LAUNCH_JOB, {
  payload: launch,
  run: (deps, { campaign_id, job_id }) => runLaunchJob(deps, campaign_id, job_id),
  lost: {
    afterMs: 5 * 60_000,
    find: ({ db }, before) => stalledLaunches(db, before, 100),
    requeue: oneByOne((deps, campaign: CampaignRow) =>
      campaign.status === "launching"
        ? enqueueLaunch(deps, campaign, `at-${deps.clock.now().getTime()}`)
        : armLaunchCheck(deps, campaign),
    ),
  },
});

export const launchCheck = define(LAUNCH_CHECK, {
  payload: z.object({ campaign_id: z.uuid(), generation: z.int() }),
  run: (deps, { campaign_id, generation }) => checkScheduledLaunch(deps, campaign_id, generation),
});

/** QStash's report of a message that it gave up: `sourceBody` is the message, in base64. */
export const launchFailed = define(LAUNCH_FAILED, {
  payload: z.object({
    sourceBody: z
      .string()
      .transform((text, context) => {
        const bytes = fromBase64(text);
        try {
          return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as unknown;
        } catch {
          context.addIssue("is not JSON in base64");
          return z.NEVER;
        }
      })
      .pipe(launch),
  }),
  run: (deps, { sourceBody }) => giveUpLaunch(deps, sourceBody.campaign_id, sourceBody.job_id),
});
