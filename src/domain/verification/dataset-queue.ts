import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";

export const VERIFY_DATASET = "verify-dataset";

/** So many callbacks work at one dataset at a time, each at one address after the other. */
export const LANES = 8;
/** And so many at all of them: the queue delivers in turn, so that a large dataset does not hold up a small one. */
const ALL_LANES = 40;
/** Rows of one claim, kept together when the last of them is asked about. */
export const BATCH_ROWS = 10;

/** Asks the queue for callbacks. What gets lost is asked for again by `reviveDatasetVerifications`. */
export async function queueLanes(
  deps: Deps,
  jobId: string,
  count: number,
  notBefore?: Date,
): Promise<void> {
  const messages = Array.from({ length: count }, () => ({
    callback: VERIFY_DATASET,
    payload: { job_id: jobId, version: 1 },
    deduplicationId: `verify-dataset-${deps.ids.uuid()}`,
    flow: { key: VERIFY_DATASET, parallelism: ALL_LANES },
    ...(notBefore === undefined ? {} : { notBefore }),
  }));
  try {
    await deps.queue.publishAll(messages);
  } catch (error) {
    deps.log.error("verification_message_lost", { job: jobId, ...describeError(error) });
  }
}

export const chargeOfRows = (
  { id, workspaceId }: { id: string; workspaceId: string },
  rows: readonly number[],
) => ({
  workspaceId,
  refType: "dataset_row_verification" as const,
  refIds: rows.map((index) => `${id}:${index}`),
});
