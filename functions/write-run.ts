import * as z from "zod";
import { WRITE_RUN } from "#src/domain/messages/drafts/queue.ts";
import { runLane } from "#src/domain/messages/drafts/run-lane.ts";
import { callback } from "#src/http/callback.ts";

export const writeRun = callback({
  name: WRITE_RUN,
  payload: z.object({ run_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { run_id }) => runLane(deps, run_id),
});
