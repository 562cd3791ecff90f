import * as z from "zod";
import { WRITE_RUN } from "#src/domain/drafts/queue.ts";
import { runLane } from "#src/domain/drafts/run-lane.ts";
import { callback } from "#src/http/callback.ts";

export const writeRun = callback({
  name: WRITE_RUN,
  payload: z.object({ run_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { run_id }) => runLane(deps, run_id),
});
