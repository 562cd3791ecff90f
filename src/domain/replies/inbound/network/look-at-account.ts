import type { Deps } from "#src/deps.ts";
import { resumeWithAccount } from "#src/domain/campaigns/account-pauses.ts";
import { syncConnected, syncInvitations } from "#src/domain/network/sync-account.ts";
import { hearMissed } from "./backfill-messages.ts";

/**
 * The regular look at an account, which the queue asks for: how its session is, what was said to it, and only then what
 * goes on because of it.
 */
export async function lookAtAccount(deps: Deps, accountId: string): Promise<void> {
  const account = await syncConnected(deps, accountId);
  if (account === null) return;
  await hearMissed(deps, account);
  await resumeWithAccount(deps, account.id);
  await syncInvitations(deps, account);
}
