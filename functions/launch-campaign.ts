import * as z from "zod";
import { runLaunchJob } from "#src/domain/campaigns/launch/job.ts";
import { callback } from "#src/http/callback.ts";

export const launchCampaign = callback({
  name: "launch-campaign",
  payload: z.object({ campaign_id: z.uuid(), job_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { campaign_id, job_id }) => runLaunchJob(deps, campaign_id, job_id),
});
