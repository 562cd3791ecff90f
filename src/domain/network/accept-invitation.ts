import { type AcceptedPerson, connectLeads } from "#db/network/acceptances.ts";
import type { Deps } from "#src/deps.ts";

/** A person who is connected now with an account, by the account record's id. */
export const acceptInvitation = (
  deps: Deps,
  { accountId, ...person }: AcceptedPerson & { accountId: string },
): Promise<void> => acceptInvitations(deps, accountId, [person]);

/**
 * Marks people as connected with the account now: their leads that waited for it go on. Known from a webhook, up to
 * hours late and maybe twice, or from a sync.
 */
export async function acceptInvitations(
  deps: Deps,
  accountId: string,
  accepted: readonly AcceptedPerson[],
): Promise<void> {
  if (accepted.length === 0) return;
  const { connected, freed } = await connectLeads(deps.db, accountId, accepted, deps.clock.now());
  if (connected === 0) return;
  deps.log.info("invitations_accepted", { account_id: accountId, connected, freed });
  if (freed > 0) await deps.wake();
}
