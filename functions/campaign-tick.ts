import { z } from "zod";
import { runTick } from "#src/domain/campaigns/run-tick.ts";
import { callback } from "#src/http/callbacks.ts";

/** The engine's heartbeat: one schedule wakes it; extra messages come only when more lanes are due than one tick takes. */
export const campaignTick = callback({
  name: "campaign-tick",
  payload: z.object({ version: z.literal(1) }),
  run: (deps) => runTick(deps),
});
