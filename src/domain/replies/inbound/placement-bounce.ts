import { endBouncedPlacement } from "#db/replies/placement-bounces.ts";
import type { Deps } from "#src/deps.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { reasonOf } from "./bounce.ts";
import type { Inbound } from "./classify.ts";
import type { InboundEnvelope, MailboxScope } from "./find-sent.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { matchKeys } from "./matching.ts";

/**
 * Notes that the mail of a placement test came back: by its return path or the Message-ID in the report, never by an
 * address. False when the mail is no report about one. It suppresses no address and counts in no rate. Safe to repeat.
 */
export async function takePlacementBounce(
  { db, clock, settings }: Deps,
  mail: InboundMail,
  inbound: Inbound,
  { to }: InboundEnvelope,
  scope: MailboxScope | null,
): Promise<boolean> {
  if (inbound.class !== "bounce") return false;
  const keys = await matchKeys(mail, inbound, createReturnPathTokens(settings.trackingSecrets), [
    to,
  ]);
  const ids = keys.flatMap((key) => (key.by === "token" ? key.sendId : []));
  const messageIds = keys.flatMap((key) => (key.by === "message_id" ? key.messageId : []));
  if (ids.length + messageIds.length === 0) return false;
  const about = { ids, messageIds, workspaceId: scope?.workspaceId ?? null };
  return endBouncedPlacement(db, { ...about, note: reasonOf(inbound.recipients) }, clock.now());
}
