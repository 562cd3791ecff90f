import { abandonedAccounts, dueAccounts, forgetCheckpoints } from "#db/network/sync.ts";
import { deleteAccount } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { endSession } from "./end-session.ts";

export const SYNC_NETWORK = "sync-network";

/** Of those that are due, so many at once; the others come with the next full check. */
const ASKED_AT_ONCE = 500;

/**
 * Part of the regular full check: asks for a look at the accounts whose time has come. A message that is lost is sent
 * again by the next, because the account is still due then.
 */
export async function askForSyncs(deps: Deps): Promise<void> {
  if (deps.network === null) return;
  const due = await dueAccounts(deps.db, deps.clock.now(), ASKED_AT_ONCE);
  await publishLooks(
    deps,
    due.map(({ id }) => id),
  );
}

/** Asks for a look at one account now; where the message is lost, its next look is due soon. */
export const askForLook = (deps: Deps, accountId: string): Promise<void> =>
  publishLooks(deps, [accountId]);

async function publishLooks({ queue, log }: Deps, ids: readonly string[]): Promise<void> {
  try {
    await queue.publishAll(
      ids.map((id) => ({
        callback: SYNC_NETWORK,
        payload: { account_id: id, version: 1 },
        flow: { key: SYNC_NETWORK, parallelism: 5 },
        retries: 0,
      })),
    );
  } catch (error) {
    log.error("sync_messages_lost", { count: ids.length, ...describeError(error) });
  }
}

/** Part of the regular full check: accounts that were never connected, and whose challenge nobody met for a day, go. */
export async function dropAbandonedAccounts(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const before = new Date(now.getTime() - DAY_MS);
  for (const { id, workspaceId, sessions } of await abandonedAccounts(deps.db, before)) {
    const { deleted } = await deleteAccount(deps.db, workspaceId, id, now);
    if (deleted) for (const session of sessions) await endSession(deps, session);
  }
  await forgetCheckpoints(deps.db, before);
}
