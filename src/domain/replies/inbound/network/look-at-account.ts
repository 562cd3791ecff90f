import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import { resumeWithAccount } from "#src/domain/campaigns/account-pauses.ts";
import { define, type Job } from "#src/domain/job.ts";
import { syncConnected, syncInvitations } from "#src/domain/network/sync-account.ts";
import { enqueueDueSyncs, SYNC_NETWORK } from "#src/domain/network/sync-due.ts";
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

export const syncingAccount: Job = {
  ...define(SYNC_NETWORK, {
    payload: z.object({ account_id: z.uuid(), version: z.literal(1) }),
    run: (deps, { account_id }) => lookAtAccount(deps, account_id),
  }),
  requeueLost: enqueueDueSyncs,
};
