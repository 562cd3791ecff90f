import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";

export const READ_INBOXES = "read-inboxes";

/** One message is for so many inboxes, which are read one after the other. */
export const INBOXES_A_MESSAGE = 20;

/** Asks for so many workers. What is lost is asked for by the next round: the inboxes are still due then. */
export async function enqueueReads(
  deps: Deps,
  workers: number,
  { notBefore, first }: { notBefore?: Date; first?: string } = {},
): Promise<void> {
  const message = {
    callback: READ_INBOXES,
    payload: { version: 1, ...(first === undefined ? {} : { alias_id: first }) },
    // Each worker has one connection at a time, so this is how many the deployment has.
    flow: { key: READ_INBOXES, parallelism: deps.settings.inboxes.connections },
    retries: 0,
    ...(notBefore === undefined ? {} : { notBefore }),
  };
  await wakeUp(
    deps,
    Array.from({ length: workers }, () => message),
  );
}

/** Asks for a look at one inbox that has just become due, before the others that are: its owner waits for it. */
export const readSoon = (deps: Deps, aliasId: string): Promise<void> =>
  enqueueReads(deps, 1, { first: aliasId });
