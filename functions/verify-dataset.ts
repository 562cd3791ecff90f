import * as z from "zod";
import { runDatasetLane } from "#src/domain/research/verification/dataset-lane.ts";
import { VERIFY_DATASET } from "#src/domain/research/verification/dataset-queue.ts";
import { callback } from "#src/http/callback.ts";

export const verifyDataset = callback({
  name: VERIFY_DATASET,
  payload: z.object({ job_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { job_id }) => runDatasetLane(deps, job_id),
});
