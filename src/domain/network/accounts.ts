import type { Part } from "#db/base/part.ts";
import {
  type Account,
  deleteAccount,
  getAccount,
  listAccounts,
  retireAccount,
} from "#db/network/accounts.ts";
import { changeLimits, connectionsIn, type LimitsChange } from "#db/network/limits.ts";
import { getWorkspace } from "#db/access/workspaces.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { removes, requireFound, requires, retryWhileChanged } from "#src/domain/owned.ts";
import { localDay } from "#src/platform/time-zone.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { endSession } from "./end-session.ts";
import { laneSizeOf } from "./new-account.ts";
import { upstreamError } from "./refusals.ts";
import { requireNetwork } from "./require-network.ts";

export type { Account } from "#db/network/accounts.ts";

export const requireAccount = requires("Connected account", getAccount);

export const readAccounts = (
  { db, clock }: Deps,
  { workspaceId }: Principal,
  part?: Part,
): Promise<Account[]> => listAccounts(db, workspaceId, clock.now(), part);

/** An owner's change of an account; the default is changed by marking another. */
export type AccountChange = LimitsChange & { isDefault?: boolean };

/** Takes effect at once: what is left of the account's day is counted anew, and nothing that was done is forgotten. */
export async function changeAccount(
  deps: Deps,
  principal: Principal,
  id: string,
  { isDefault, ...limits }: AccountChange,
): Promise<Account> {
  const workspace = requireFound(await getWorkspace(deps.db, principal.workspaceId), "Workspace");
  const attempt = async () => {
    const account = await requireAccount(deps, principal, id);
    const now = deps.clock.now();
    const span = sixDatesBefore(now, workspace.timezone);
    const connectionsOfLastSixDates = await connectionsIn(deps.db, account, span);
    const next = { ...account, ...limits, connectionsOfLastSixDates };
    const size = laneSizeOf(next, now, workspace.timezone);
    const change = { ...limits, ...(isDefault === true ? { isDefault } : {}) };
    const isChanged = await changeLimits(deps.db, account, change, size, now);
    return isChanged ? requireAccount(deps, principal, id) : undefined;
  };
  const message = "The account is being changed by others; read it and try again.";
  return retryWhileChanged(attempt, "CONFLICT", message);
}

/** The six dates before the one of `now`; a date may be an hour shorter or longer than a day. */
function sixDatesBefore(now: Date, timezone: string): { from: Date; until: Date } {
  const { from: until } = localDay(now, timezone);
  const noonBefore = new Date(until.getTime() - 5.5 * DAY_MS);
  return { from: localDay(noonBefore, timezone).from, until };
}

/**
 * Ends the account's sessions at the provider, then deletes it: 409 IN_USE with the campaigns under way that use it.
 * A provider that does not do it now keeps the account there, to be deleted again.
 */
export async function removeAccount(deps: Deps, principal: Principal, id: string): Promise<void> {
  await requireAccount(deps, principal, id);
  const network = requireNetwork(deps);
  await removeBy(async (db, workspaceId, of, now) => {
    const retired = await retireAccount(db, workspaceId, of, now);
    if (!retired.deleted) return retired;
    for (const session of retired.sessions) {
      const answer = await network.accounts.remove(session);
      if (!answer.ok) throw upstreamError(deps, answer.failure);
    }
    const deletion = await deleteAccount(db, workspaceId, of, deps.clock.now());
    // A user may have met a challenge meanwhile, which opened another session.
    if (deletion.session !== "" && !retired.sessions.includes(deletion.session))
      await endSession(deps, deletion.session);
    return deletion;
  })(deps, principal, id);
}

const removeBy = (remove: Parameters<typeof removes>[2]) =>
  removes("Connected account", "Campaigns under way use this account.", remove);
