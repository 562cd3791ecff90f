import {
  findSentByAddress,
  findSentById,
  findSentByMessageId,
  type FoundMessage,
  hasInbound,
  recordInbound,
  type SentMessage,
} from "#db/inbound.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { classifyInbound, type Inbound } from "./classify.ts";
import { takeEffect } from "./effects.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { matchKeys, type MatchKey } from "./matching.ts";
import { parseInbound } from "./parse.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";

export interface InboundEnvelope {
  from: string;
  to: string;
}

export interface InboundResult {
  /** The same mail had come before; nothing was done. */
  duplicate: boolean;
  class: Inbound["class"];
  /** How the message that it is about was found; null when it is about none of ours, and changes nothing. */
  matchedBy: MatchKey["by"] | null;
}

/** A reply that names no message of ours is taken for an answer to mail of the last month. */
const ADDRESS_MATCH_MS = 30 * 86_400_000;

/**
 * Takes in one mail: reads it, finds what it is about, lets it take effect.
 * Idempotent by content: the same mail twice changes nothing, and whoever dies on
 * the way leaves nothing that could not be repeated.
 */
export async function receiveMail(
  deps: Deps,
  raw: Uint8Array<ArrayBuffer>,
  envelope: InboundEnvelope,
): Promise<InboundResult> {
  const mail = await parseInbound(raw, { from: envelope.from });
  const inbound = classifyInbound(mail);
  const contentHash = await hashOf(raw, envelope.to);
  if (await hasInbound(deps.db, contentHash))
    return { duplicate: true, class: inbound.class, matchedBy: null };
  const found = await findSent(deps, mail, inbound, envelope);
  if (found !== null) await takeEffect(deps, { mail, raw, inbound, contentHash, ...found });
  const receivedAt = deps.clock.now();
  await recordInbound(deps.db, {
    id: deps.ids.uuid(),
    contentHash,
    receivedAt,
    class: inbound.class,
    workspaceId: found?.sent.workspaceId ?? null,
    matchedBy: found?.key.by ?? null,
    messageRowId: found?.sent.id ?? null,
  });
  deps.log.info("mail_received", {
    class: inbound.class,
    matched_by: found?.key.by ?? null,
    message_id: found?.sent.id ?? null,
  });
  return { duplicate: false, class: inbound.class, matchedBy: found?.key.by ?? null };
}

async function findSent(
  deps: Deps,
  mail: InboundMail,
  inbound: Inbound,
  envelope: InboundEnvelope,
): Promise<{ sent: SentMessage; key: MatchKey } | null> {
  const tokens = createReturnPathTokens(deps.settings.trackingSecret);
  for (const key of await matchKeys(mail, inbound, tokens, [envelope.to])) {
    const sent = await lookUp(deps, mail, key, envelope);
    // What comes back to a deleted workspace is about nothing that anybody has.
    if (sent !== undefined) return sent.isOfDeleted ? null : { sent, key };
  }
  return null;
}

function lookUp(
  { db, clock }: Deps,
  mail: InboundMail,
  key: MatchKey,
  envelope: InboundEnvelope,
): Promise<FoundMessage | undefined> {
  switch (key.by) {
    case "token":
      return findSentById(db, key.sendId);
    case "message_id":
      return findSentByMessageId(db, key.messageId);
    case "address":
      return findSentByAddress(db, {
        from: key.address,
        to: [envelope.to, ...mail.to.map(({ email }) => email)].map((to) => to.toLowerCase()),
        since: new Date(clock.now().getTime() - ADDRESS_MATCH_MS),
      });
  }
}

/** Over the recipient too: the same bytes to two aliases are two mails. */
const hashOf = async (raw: Uint8Array<ArrayBuffer>, to: string): Promise<string> =>
  sha256Hex(`${to.toLowerCase()}\0${await sha256Hex(raw)}`);
