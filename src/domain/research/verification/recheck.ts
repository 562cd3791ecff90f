import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";

export const VERIFY_AGAIN = "verify-again";

/** Most greylists let a second try pass after five minutes, and undecided answers are kept for ten. */
const WAIT_MS = 6 * 60_000;

/** Queues one more verification, so that a caller that comes back finds an answer. If the queue is away, that caller's request probes itself. */
export async function askAgainLater(
  { queue, clock, log }: Deps,
  address: string,
  hash: string,
): Promise<void> {
  const due = new Date(clock.now().getTime() + WAIT_MS);
  await queue
    .publish({
      callback: VERIFY_AGAIN,
      payload: { address, version: 1 },
      notBefore: due,
      deduplicationId: `verify-again-${hash.slice(0, 32)}-${Math.floor(due.getTime() / WAIT_MS)}`,
      retries: 0,
    })
    .catch((error: unknown) => log.error("recheck_not_queued", describeError(error)));
}
