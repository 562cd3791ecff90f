import type { AccountRow } from "#db/network/accounts.ts";
import { recordStatus } from "#db/network/sessions.ts";
import { findAccount, findAccountOfSession, type SyncedAccount } from "#db/network/sync.ts";
import type { Deps } from "#src/deps.ts";
import type { Network, NetworkAccount } from "#src/providers/network/index.ts";
import { keepSession } from "./keep-session.ts";
import { requireNetwork } from "./require-network.ts";
import { isBeingReconnected, judge } from "./status.ts";
import { enqueueSync } from "./sync-due.ts";
import { type AccountSession, syncRelations } from "./sync-relations.ts";
import { withdrawStale } from "./withdraw-stale.ts";

/**
 * Reads the state of this session's account from the provider and applies it. The event that caused the sync is not
 * trusted: delivered twice, late or out of order, it leads to the present state.
 */
export async function syncAccount(deps: Deps, providerAccountId: string): Promise<void> {
  const network = requireNetwork(deps);
  const found = await findAccountOfSession(deps.db, providerAccountId, deps.clock.now());
  if (found === undefined) return deps.log.info("network_account_unknown");
  await syncStatus(deps, network, found.account.id);
}

/** The same by an account record's id; answers the account if it is connected. */
export async function syncConnected(deps: Deps, accountId: string): Promise<AccountRow | null> {
  const network = requireNetwork(deps);
  await syncStatus(deps, network, accountId);
  const found = await findAccount(deps.db, accountId, deps.clock.now());
  return found?.account.status === "connected" ? found.account : null;
}

/** Marks accepted invitations, then withdraws stale ones; in this order, so that no accepted one is withdrawn. */
export async function syncInvitations(deps: Deps, account: AccountSession): Promise<void> {
  if (await syncRelations(deps, account)) await withdrawStale(deps, account);
}

/** So often a sync is repeated if other workers change the account meanwhile. */
const LOOKS = 5;

/** Of two looks at once the one that is overtaken looks again, so that what stays was so last. */
async function syncStatus(deps: Deps, network: Network, accountId: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await findAccount(deps.db, accountId, deps.clock.now());
    if (found === undefined) return;
    const session = sessionOf(found);
    if (session === null ? await rest(deps, found) : await look(deps, network, found, session))
      return;
  }
  deps.log.error("network_account_busy", { account_id: accountId });
}

/** An account without a session is perhaps about to get that of its challenge. */
const sessionOf = ({ account, challenged }: SyncedAccount): string | null =>
  account.providerAccountId === "" ? challenged : account.providerAccountId;

/** An account without a session: nothing to ask about until a user connects it. */
function rest({ db, clock }: Deps, { account }: SyncedAccount): Promise<boolean> {
  const now = clock.now();
  if (isBeingReconnected(account, now)) return Promise.resolve(true);
  const status = account.status === "error" ? "error" : "disconnected";
  return recordStatus(db, account, { status, nextSyncAt: null }, now);
}

/** False when the account was changed meanwhile. */
async function look(
  deps: Deps,
  network: Network,
  found: SyncedAccount,
  session: string,
): Promise<boolean> {
  const { account } = found;
  const answer = await network.accounts.get(session);
  const now = deps.clock.now();
  const seen = answer.ok ? answer.value : null;
  if (seen?.status === "connected" && isNews(account, seen) && !isBeingReconnected(account, now)) {
    await keepSession(deps, network, account, { session, recordId: account.id });
    return true;
  }
  const set = judge(account, answer, found.challengeOpen, now);
  if (!(await recordStatus(deps.db, account, set, now))) return false;
  if (account.status === "connected" && set.status !== "connected") {
    deps.log.info("network_account_left", { account_id: account.id, status: set.status });
    deps.wakeOutbox();
  }
  if (account.status !== "connected" && set.status === "connected")
    await enqueueSync(deps, account.id);
  return true;
}

/** A session that the account does not have yet, or whose person was unknown until now. */
const isNews = (
  { providerAccountId, personId }: SyncedAccount["account"],
  seen: NetworkAccount,
): boolean => providerAccountId === "" || (personId === null && seen.personId !== null);
