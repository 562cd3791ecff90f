import { type OutboxState, readOutboxState } from "#db/workspace/notice-deliveries.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** Longer than a digest gathers, and than the first two waits after a failure. */
const OVERDUE_MS = 15 * 60_000;
/** Deliveries that failed longer ago are not reported any more. */
const COUNTED_MS = 7 * DAY_MS;

export function outboxState({ db, clock }: Deps): Promise<OutboxState> {
  const now = clock.now().getTime();
  return readOutboxState(db, {
    waitingBefore: new Date(now - OVERDUE_MS),
    failedSince: new Date(now - COUNTED_MS),
  });
}

/** The outbox in words: what waits, what failed, and what to do about it. Pure. */
export function outboxCondition(
  { waiting, oldestAt, dead, unknown, undeliverable }: OutboxState,
  now: Date,
): { isWell: boolean; detail: string } {
  const oldest = oldestAt === null ? 0 : Math.round((now.getTime() - oldestAt.getTime()) / 60_000);
  const parts = [
    ...(waiting === 0
      ? []
      : [`${waiting} wait longer than ${OVERDUE_MS / 60_000} minutes, the oldest ${oldest}`]),
    ...(dead === 0 ? [] : [`${dead} given up`]),
    ...(unknown === 0 ? [] : [`${unknown} of unknown fate, never repeated`]),
    ...(undeliverable === 0 ? [] : [`${undeliverable} had nobody to go to`]),
  ];
  const isWell = waiting === 0 && dead === 0;
  if (parts.length === 0)
    return { isWell, detail: "Every notice of the last 7 days was delivered." };
  const advice = isWell
    ? ""
    : " Look at the relay or provider of the notices; docs/design/notifications.md says how to send them again.";
  return { isWell, detail: `Notices of the last 7 days: ${parts.join(", ")}.${advice}` };
}
