import { findProviderAccounts } from "#db/network/account-lookup.ts";
import { findAccountOfSession } from "#db/network/sync.ts";
import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { acceptInvitation } from "#src/domain/network/accept-invitation.ts";
import { requireNetwork } from "#src/domain/network/require-network.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { describeError } from "#src/platform/log.ts";
import { type NetworkEvent, NetworkEventFault } from "#src/providers/network/index.ts";
import { isEventId } from "./event-id.ts";
import { takeMessage } from "./take-message.ts";

/**
 * Takes in the provider's events on accounts, messages and connections. Events of unknown accounts, or unreadable ones,
 * are logged and skipped: a repeat would not help. Throws where the service failed on an event, after the rest was
 * taken: then all may be delivered again, and known events change nothing. Answers how many took effect.
 */
export async function takeNetworkEvents(deps: Deps, body: string): Promise<number> {
  const events = readEvents(deps, body);
  const ids = [...new Set(events.map(({ accountId }) => accountId))];
  const accounts = ids.length === 0 ? [] : await findProviderAccounts(deps.db, ids);
  const known = new Map(accounts.map((account) => [account.providerAccountId, account]));
  let taken = 0;
  const failures: unknown[] = [];
  for (const event of events) {
    try {
      if (await take(deps, known.get(event.accountId), event)) taken++;
    } catch (error) {
      failures.push(error);
      deps.log.error("network_event_failed", { kind: event.kind, ...describeError(error) });
    }
  }
  if (failures.length > 0) throw failures[0];
  return taken;
}

function readEvents({ log, ...deps }: Deps, body: string): NetworkEvent[] {
  try {
    const events = requireNetwork(deps).events.eventsOf(body);
    const readable = events.filter(
      (event) =>
        isEventId(event.accountId) &&
        (event.kind === "account_changed" || isEventId(event.personId)) &&
        (event.kind !== "message" || (isEventId(event.messageId) && isEventId(event.chatId))),
    );
    if (readable.length < events.length)
      log.info("network_event_ignored", { kind: null, why: "unreadable_id" });
    return readable;
  } catch (error) {
    if (!(error instanceof NetworkEventFault)) throw error;
    log.info("network_event_ignored", { kind: null, why: error.message.slice(0, 200) });
    return [];
  }
}

async function take(
  deps: Deps,
  account: AccountRow | undefined,
  event: NetworkEvent,
): Promise<boolean> {
  if (event.kind === "account_changed") {
    // A session may be of an account that does not know it yet: then its challenge does.
    if (account === undefined && !(await isOurs(deps, event.accountId)))
      return ignore(deps, event, "unknown_account");
    // The provider is asked, which may take its time: its webhook does not wait for that.
    deps.background(syncAccount(deps, event.accountId));
    return true;
  }
  if (account === undefined) return ignore(deps, event, "unknown_account");
  if (event.kind === "message") return takeMessage(deps, account, event);
  const { personId, publicIdentifier } = event;
  const at = deps.clock.now();
  await acceptInvitation(deps, { accountId: account.id, personId, publicIdentifier, at });
  return true;
}

const isOurs = async ({ db, clock }: Deps, session: string): Promise<boolean> =>
  (await findAccountOfSession(db, session, clock.now())) !== undefined;

function ignore({ log }: Deps, { kind }: NetworkEvent, why: string): false {
  log.info("network_event_ignored", { kind, why });
  return false;
}
