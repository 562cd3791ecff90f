import {
  findSentByAddress,
  findSentById,
  findSentByMessageId,
  type FoundMessage,
  hasIdentity,
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
import { takeReturnTest } from "./return-test.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";

export interface InboundEnvelope {
  /** Absent: what the mail's own header says. */
  from?: string;
  to: string;
}

/** Beside what mail of others can be: our own, by which was tested whether replies come back. */
export type InboundClass = Inbound["class"] | "return_test";

/** Mail out of somebody's mailbox: what is not about the workspace leaves no trace. */
export interface MailboxScope {
  workspaceId: string;
}

export interface InboundResult {
  /** The same mail had come before; nothing was done. */
  duplicate: boolean;
  class: InboundClass;
  /** How the message that it is about was found; null when it is about none of ours, and changes nothing. */
  matchedBy: MatchKey["by"] | null;
}

/** A reply that names no message of ours is taken for an answer to mail of the last month. */
export const ADDRESS_MATCH_MS = 30 * 86_400_000;

/**
 * Takes in one mail: reads it, finds what it is about, lets it take effect.
 * Idempotent by content, and of what is about something by what stays the same on
 * every way: the same mail twice changes nothing, and whoever dies on the way
 * leaves nothing that could not be repeated.
 */
export async function receiveMail(
  deps: Deps,
  raw: Uint8Array<ArrayBuffer>,
  envelope: InboundEnvelope,
  scope: MailboxScope | null = null,
): Promise<InboundResult> {
  const { from, to } = envelope;
  const mail = await parseInbound(raw, from === undefined ? {} : { from });
  const inbound = classifyInbound(mail);
  const contentHash = await hashOf(raw, to);
  const duplicate = { duplicate: true, class: inbound.class, matchedBy: null };
  if (await hasInbound(deps.db, contentHash)) return duplicate;
  const isReturnTest = await takeReturnTest(deps, mail.headers, inbound, scope);
  const name: InboundClass = isReturnTest ? "return_test" : inbound.class;
  const found = isReturnTest ? null : await findSent(deps, mail, inbound, envelope, scope);
  if (found === null && !isReturnTest && scope !== null) return { ...duplicate, duplicate: false };
  const identity = found && (await identityOf(mail, found.sent));
  if (identity !== null && (await hasIdentity(deps.db, identity))) return duplicate;
  if (found !== null) await takeEffect(deps, { mail, raw, inbound, identity: identity!, ...found });
  const receivedAt = deps.clock.now();
  await recordInbound(deps.db, {
    id: deps.ids.uuid(),
    contentHash,
    identity,
    receivedAt,
    class: name,
    workspaceId: found?.sent.workspaceId ?? null,
    matchedBy: found?.key.by ?? null,
    messageRowId: found?.sent.id ?? null,
  });
  deps.log.info("mail_received", {
    class: name,
    matched_by: found?.key.by ?? null,
    message_id: found?.sent.id ?? null,
  });
  return { duplicate: false, class: name, matchedBy: found?.key.by ?? null };
}

async function findSent(
  deps: Deps,
  mail: InboundMail,
  inbound: Inbound,
  envelope: InboundEnvelope,
  scope: MailboxScope | null,
): Promise<{ sent: SentMessage; key: MatchKey } | null> {
  const tokens = createReturnPathTokens(deps.settings.trackingSecret);
  for (const key of await matchKeys(mail, inbound, tokens, [envelope.to])) {
    const sent = await lookUp(deps, mail, key, envelope);
    if (sent === undefined) continue;
    // What comes back to a deleted workspace is about nothing that anybody has.
    if (sent.isOfDeleted) return null;
    if (scope === null || sent.workspaceId === scope.workspaceId) return { sent, key };
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

/**
 * Over what a mail keeps on every way to us, whatever servers on it add: who wrote what when, and what
 * it is about. Not over its Message-ID alone, which is its sender's word.
 */
const identityOf = async (mail: InboundMail, sent: SentMessage): Promise<string> =>
  sha256Hex(
    [
      sent.id,
      mail.messageId ?? mail.text,
      mail.from?.email.toLowerCase() ?? "",
      mail.date?.toISOString() ?? "",
    ].join("\0"),
  );
