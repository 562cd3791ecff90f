import type { AccountRow } from "#db/network/accounts.ts";
import type { PersonLead } from "#db/base/fragments/person-leads.ts";
import { addDirectMessage } from "#db/network/direct-messages.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import type { SentMessage } from "#src/providers/network/index.ts";
import { accountName, type Peer, peerKeyOf, peerName } from "./peer.ts";

/**
 * Saves a sent message in its recipient's thread, and counts it; false when it was saved before. Does not throw: a
 * sent message that cannot be saved must not be sent again.
 */
export async function saveMessage(
  deps: Deps,
  account: AccountRow,
  { peer, leads, text }: { peer: Peer; leads: readonly PersonLead[]; text: string },
  { messageId, chatId }: SentMessage,
): Promise<boolean> {
  const [lead] = leads;
  const whom = { ...peer, chatId };
  const now = deps.clock.now();
  const thread = {
    account,
    conversationId: deps.ids.uuid(),
    peerKey: lead?.emailKey ?? peerKeyOf(whom),
    lead: lead ?? null,
  };
  const message = {
    id: deps.ids.uuid(),
    direction: "out" as const,
    class: "sent",
    from: accountName(account),
    to: peerName(whom, lead),
    text,
    sentAt: now,
    messageId,
    now,
  };
  try {
    return await addDirectMessage(deps.db, thread, message);
  } catch (error) {
    const about = { account_id: account.id, message_id: messageId };
    deps.log.error("network_message_not_kept", { ...about, ...describeError(error) });
    return true;
  }
}
