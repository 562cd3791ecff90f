import * as z from "zod";
import { giveUpLaunch } from "#src/domain/campaigns/launch/job.ts";
import { callback } from "#src/http/callback.ts";
import { fromBase64 } from "#src/platform/encoding.ts";
import { launchCampaign } from "./launch-campaign.ts";

/** What QStash tells of a message it gave up: `sourceBody` is the message, in base64. */
const payload = z.object({
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
    .pipe(launchCampaign.payload as z.ZodType<{ campaign_id: string; job_id: string }>),
});

export const launchFailed = callback({
  name: "launch-failed",
  payload,
  run: (deps, { sourceBody }) => giveUpLaunch(deps, sourceBody.campaign_id, sourceBody.job_id),
});
