import * as z from "zod";
import { checkScheduledLaunch } from "#src/domain/campaigns/launch/check.ts";
import { callback } from "#src/http/callback.ts";

export const launchCheck = callback({
  name: "launch-check",
  payload: z.object({ campaign_id: z.uuid(), generation: z.int() }),
  run: (deps, { campaign_id, generation }) => checkScheduledLaunch(deps, campaign_id, generation),
});
