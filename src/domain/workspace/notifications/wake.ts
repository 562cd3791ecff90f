import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";

export const DELIVER_OUTBOX = "deliver-outbox";

/** Ahead of the clock by so much, so that workers whose clocks differ a little name the same second. */
const AHEAD_MS = 1_000;

/**
 * Asks for the reader at a whole second that is still to come; of one second the queue takes one
 * message, however many ask. A reader of that second sees whatever was committed before it was asked
 * for, which would not be so of one that may have begun already. Waits nothing; what the queue did not take is
 * found by the next tick or the full check.
 */
export function enqueueOutboxReader(
  deps: Pick<Deps, "queue" | "clock" | "log">,
  at?: Date,
): Promise<void> {
  const earliest = Math.max(deps.clock.now().getTime() + AHEAD_MS, at?.getTime() ?? 0);
  const second = Math.ceil(earliest / 1000);
  return wakeUp(deps, {
    callback: DELIVER_OUTBOX,
    payload: { version: 1 },
    notBefore: new Date(second * 1000),
    deduplicationId: `outbox-${second}`,
  });
}
