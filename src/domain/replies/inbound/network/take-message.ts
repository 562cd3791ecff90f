import { POSSIBLE_OPT_OUT } from "#db/replies/inbound.ts";
import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { applyNetworkReply } from "#src/domain/replies/feedback/network-reply.ts";
import { accountName, peerKeyOf, peerName } from "#src/domain/network/peer.ts";
import { storable } from "#src/domain/network/storable.ts";
import type { NetworkEvent } from "#src/providers/network/index.ts";
import { readIntent } from "../intent.ts";
import { asksToStop } from "../opt-out.ts";
import { findWriter } from "./find-writer.ts";

export type MessageEvent = Extract<NetworkEvent, { kind: "message" }>;

/** Saves a message to an account in its author's thread, as a reply. False when it had come before. */
export async function takeMessage(
  deps: Deps,
  account: AccountRow,
  event: MessageEvent,
): Promise<boolean> {
  const text = storable(event.text);
  const leads = await findWriter(deps, account, event);
  const wish = asksToStop(text);
  const now = deps.clock.now();
  return applyNetworkReply(deps, {
    account,
    leads,
    peerKey: leads[0]?.emailKey ?? peerKeyOf(event),
    message: {
      messageId: event.messageId,
      // A doubtful opt-out suppresses no address: the conversation shows it to a user.
      class: wish === "perhaps" ? POSSIBLE_OPT_OUT : "reply",
      from: peerName(event, leads[0]),
      to: accountName(account),
      text,
      intent: readIntent(text, wish),
      // The provider's instant puts late messages in order; none was written after now.
      sentAt: event.at < now ? event.at : now,
    },
    isOptOut: wish === "stop",
  });
}
