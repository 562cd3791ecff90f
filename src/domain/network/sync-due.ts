import { abandonedAccounts, dueAccounts, forgetCheckpoints } from "#db/network/sync.ts";
import { deleteAccount } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { endSession } from "./end-session.ts";

export const SYNC_NETWORK = "sync-network";

/** So many due accounts are synced at once; the rest with the next full check. */
const ASKED_AT_ONCE = 500;

/**
 * Part of the regular full check: enqueues a sync for each account that is due. A lost message is sent again by the
 * next check, because the account is still due then.
 */
export async function enqueueDueSyncs(deps: Deps): Promise<number> {
  if (deps.network === null) return 0;
  const due = await dueAccounts(deps.db, deps.clock.now(), ASKED_AT_ONCE);
  await publishSyncs(
    deps,
    due.map(({ id }) => id),
  );
  return due.length;
}

/** Enqueues a sync of one account now; if the message is lost, the account's next sync is due soon. */
export const enqueueSync = (deps: Deps, accountId: string): Promise<void> =>
  publishSyncs(deps, [accountId]);

const publishSyncs = (deps: Deps, ids: readonly string[]): Promise<void> =>
  wakeUp(
    deps,
    ids.map((id) => ({
      callback: SYNC_NETWORK,
      payload: { account_id: id, version: 1 },
      flow: { key: SYNC_NETWORK, parallelism: 5 },
      retries: 0,
    })),
  );

/** Part of the regular full check: deletes accounts that were never connected, and whose challenge was not met for a day. */
export async function dropAbandonedAccounts(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const before = new Date(now.getTime() - DAY_MS);
  for (const { id, workspaceId, sessions } of await abandonedAccounts(deps.db, before)) {
    const { deleted } = await deleteAccount(deps.db, workspaceId, id, now);
    if (deleted) for (const session of sessions) await endSession(deps, session);
  }
  await forgetCheckpoints(deps.db, before);
}
