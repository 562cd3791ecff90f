import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";

export const VERIFY_DATASET = "verify-dataset";

/** So many callbacks work at one dataset at a time, each at one address after the other. */
export const WORKERS = 8;
/** And so many at all of them: the queue delivers in turn, so that a large dataset does not hold up a small one. */
const ALL_WORKERS = 40;
const LOOK_EVERY_MS = 15_000;
/** Rows of one claim, kept together when the last of them is asked about. */
export const BATCH_ROWS = 10;

/** Asks the queue for callbacks. */
export function enqueueWorkers(
  deps: Deps,
  jobId: string,
  count: number,
  notBefore?: Date,
): Promise<void> {
  const messages = Array.from({ length: count }, () =>
    messageOf(jobId, deps.ids.uuid(), notBefore),
  );
  return wakeUp(deps, messages);
}

/** Asks for one callback at that time, however many ask for it: claims of so few seconds are looked after together. */
export function enqueueCheck(deps: Deps, jobId: string, at: Date): Promise<void> {
  const slot = Math.ceil(at.getTime() / LOOK_EVERY_MS);
  const look = messageOf(jobId, `${jobId}-${slot}`, new Date(slot * LOOK_EVERY_MS));
  return wakeUp(deps, [look]);
}

const messageOf = (jobId: string, id: string, notBefore?: Date): QueueMessage => ({
  callback: VERIFY_DATASET,
  payload: { job_id: jobId, version: 1 },
  deduplicationId: `verify-dataset-${id}`,
  flow: { key: VERIFY_DATASET, parallelism: ALL_WORKERS },
  ...(notBefore === undefined ? {} : { notBefore }),
});

export const chargeOfRows = (
  { id, workspaceId }: { id: string; workspaceId: string },
  rows: readonly number[],
) => ({
  workspaceId,
  refType: "dataset_row_verification" as const,
  refIds: rows.map((index) => `${id}:${index}`),
});
