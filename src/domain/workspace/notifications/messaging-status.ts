import { settleDeliveries, type ToldDelivery } from "#db/workspace/notice-statuses.ts";
import type { Deps } from "#src/deps.ts";
import type { MessagingStatus } from "#src/providers/messaging/index.ts";

/**
 * Takes in the provider's statuses of accepted messages; safe to repeat, and in any order. A message whose
 * answer was lost is found by the reference that it carries, and one that failed later is given up: the same
 * message would fail again.
 */
export async function recordMessagingStatus(
  deps: Deps,
  statuses: readonly MessagingStatus[],
): Promise<void> {
  for (const { id, reference, failure } of statuses)
    if (failure !== null) deps.log.error("message_failed", { id, reference, ...failure });
  const told = toldDeliveries(statuses);
  if (told.length > 0) await settleDeliveries(deps.db, told, deps.clock.now());
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Each delivery that the statuses name, once: a failure outweighs whatever else was said of it. */
export function toldDeliveries(statuses: readonly MessagingStatus[]): ToldDelivery[] {
  const failures = new Map<string, string | null>();
  for (const { reference, failure } of statuses) {
    if (reference === null || !UUID.test(reference)) continue;
    const said = failure === null ? null : `${failure.code} ${failure.detail}`;
    failures.set(reference, said ?? failures.get(reference) ?? null);
  }
  return Array.from(failures, ([id, failure]) => ({ id, failure }));
}
