import { findAccountOrDefault } from "#db/network/account-lookup.ts";
import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";

/** The account that is named, or the default one: connected, or 409. */
export async function requireConnectedAccount(
  { db }: Deps,
  { workspaceId }: Principal,
  accountId: string | undefined,
): Promise<AccountRow> {
  const account = await findAccountOrDefault(db, workspaceId, accountId ?? null);
  if (account === undefined) {
    if (accountId !== undefined) throw notFound("Connected account");
    throw conflict("NO_CONNECTED_ACCOUNT", "The workspace has no connected account.");
  }
  if (account.status !== "connected") throw notConnected(account.status);
  return account;
}

export const notConnected = (status: string) =>
  conflict(
    "ACCOUNT_NOT_CONNECTED",
    `The connected account is ${status}: connect it again (POST /api/v1/connected-accounts/{account_id}/reconnect).`,
  );
