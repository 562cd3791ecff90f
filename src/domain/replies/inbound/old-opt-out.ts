import { findEndedById } from "#db/replies/sent-messages.ts";
import type { Deps } from "#src/deps.ts";
import { endMail } from "#src/domain/replies/feedback/apply.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import type { Inbound } from "./classify.ts";
import type { InboundEnvelope } from "./find-sent.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { matchKeys } from "./matching.ts";

/**
 * A wish for no more mail that comes to the return path of a message whose row has ended with its campaign: the address
 * in List-Unsubscribe works for ever, as the link does. Safe to repeat.
 */
export async function takeOldOptOut(
  deps: Deps,
  mail: InboundMail,
  inbound: Inbound,
  envelope: InboundEnvelope,
): Promise<void> {
  if (inbound.class !== "reply" || inbound.optOut !== "stop") return;
  const tokens = createReturnPathTokens(deps.settings.trackingSecrets);
  for (const key of await matchKeys(mail, inbound, tokens, [envelope.to])) {
    const ended = key.by === "token" ? await findEndedById(deps.db, key.sendId) : undefined;
    if (ended !== undefined) await endMail(deps, ended, "unsubscribe");
  }
}
