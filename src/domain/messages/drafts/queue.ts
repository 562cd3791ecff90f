import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";

export const WRITE_DRAFT = "write-draft";
export const WRITE_RUN = "write-run";

/** Calls of the model at a time, for whomever: messages of this key are delivered by turns. */
const AT_ONCE = 20;
const FLOW = { key: WRITE_DRAFT, parallelism: AT_ONCE };

/** So many callbacks work at one run: fewer than all, so that no batch of drafts waits for a run to end. */
export const RUN_WORKERS = 8;

/** A message for each generation. */
export function enqueueGenerations(
  deps: Deps,
  ids: readonly string[],
  notBefore?: Date,
): Promise<void> {
  return wakeUp(
    deps,
    ids.map((id) => ({
      callback: WRITE_DRAFT,
      payload: { generation_id: id, version: 1 },
      deduplicationId: `${WRITE_DRAFT}-${id}-${deps.ids.uuid()}`,
      flow: FLOW,
      ...(notBefore === undefined ? {} : { notBefore }),
    })),
  );
}

/** So many workers for a run, each of which asks for its successor. */
export function enqueueRun(
  deps: Deps,
  runId: string,
  workers: number,
  notBefore?: Date,
): Promise<void> {
  return wakeUp(
    deps,
    Array.from({ length: workers }, () => ({
      callback: WRITE_RUN,
      payload: { run_id: runId, version: 1 },
      deduplicationId: `${WRITE_RUN}-${deps.ids.uuid()}`,
      flow: FLOW,
      ...(notBefore === undefined ? {} : { notBefore }),
    })),
  );
}
