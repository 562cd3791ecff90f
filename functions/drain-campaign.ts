import * as z from "zod";
import { DRAIN_JOB, runDrainJob } from "#src/domain/campaigns/drain.ts";
import { callback } from "#src/http/callback.ts";

export const drainCampaign = callback({
  name: DRAIN_JOB,
  payload: z.object({ campaign_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { campaign_id }) => runDrainJob(deps, campaign_id),
});
