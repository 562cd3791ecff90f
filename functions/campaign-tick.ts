import * as z from "zod";
import { runScheduledTick } from "#src/domain/jobs/tick.ts";
import { callback } from "#src/http/callback.ts";

/** The engine's callback: one schedule calls it; `extra` ones come only when more lanes are due than one tick takes. */
export const campaignTick = callback({
  name: "campaign-tick",
  payload: z.object({ version: z.literal(1), extra: z.boolean().default(false) }),
  run: (deps, { extra }) => runScheduledTick(deps, { extra }),
});
