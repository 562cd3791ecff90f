import type { Deps } from "#src/deps.ts";
import { resumeWithAccount } from "#src/domain/campaigns/account-pauses.ts";
import { syncConnected, syncInvitations } from "#src/domain/network/sync-account.ts";
import { backfillMessages } from "./backfill-messages.ts";

/**
 * The regular sync of an account, as a queue job: the state of its session, its missed messages, and only then the
 * campaigns that can go on by it.
 */
export async function lookAtAccount(deps: Deps, accountId: string): Promise<void> {
  const account = await syncConnected(deps, accountId);
  if (account === null) return;
  await backfillMessages(deps, account);
  await resumeWithAccount(deps, account.id);
  await syncInvitations(deps, account);
}
