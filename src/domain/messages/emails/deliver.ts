import {
  addSentMessage,
  beginEmail,
  endEmail,
  type EmailEnd,
  overdueEmails,
  sweepEmails,
} from "#db/email-delivery.ts";
import { type EmailRow, findEmail, threadOf } from "#db/emails.ts";
import { type AliasRow, getAlias } from "#db/senders/aliases.ts";
import type { Deps } from "#src/deps.ts";
import { RETRY_DELAYS_MS } from "#src/domain/engine/outcome.ts";
import { normalizeEmail } from "#src/mime/address.ts";
import { openAccount } from "#src/domain/senders/alias-account.ts";
import { aliasDomain } from "#src/domain/senders/alias-domain.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { type ComposedMessage, finishMessage, literalMessage } from "../compose.ts";
import { createTrackTokens } from "#src/domain/tracking/track-token.ts";
import { fromBase64 } from "#src/platform/encoding.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import { queueEmail } from "./send.ts";

export type Delivery = EmailEnd["kind"] | "suppressed" | "alias_not_ready" | "not_due" | "taken";

/** RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes. */
const LEASE_MS = 11 * 60_000;

/** References of a long thread: the first message and the newest ones. */
const MAX_REFERENCES = 20;

/**
 * Sends one kept message if it is due and nobody else does. Safe to repeat: at
 * most once after DATA, and a message whose fate is unknown is never sent again.
 */
export async function deliverEmail(deps: Deps, id: string): Promise<Delivery> {
  const email = await findEmail(deps.db, id);
  if (email === undefined || !["queued", "scheduled"].includes(email.state)) return "taken";
  const now = deps.clock.now();
  if (email.dueAt > now) {
    await queueEmail(deps, email);
    return "not_due";
  }
  const alias = await getAlias(deps.db, email.workspaceId, email.aliasId);
  const workerToken = deps.ids.uuid();
  const order = { now, workerToken, leaseUntil: new Date(now.getTime() + LEASE_MS) };
  const composed = alias && (await tryCompose(deps, email, alias, now));
  const verdict = await beginEmail(deps.db, email, order);
  if (verdict !== "begun" || alias === undefined || composed === undefined)
    return verdict === "begun" ? "failed" : verdict;
  const end = composed.ok
    ? endOf(email, await handOver(deps, email, alias, composed.message), deps.clock.now())
    : { kind: "failed" as const, error: composed.error };
  await endEmail(deps.db, email, { now: deps.clock.now(), workerToken }, end);
  if (end.kind === "sent" && composed.ok)
    await addSentMessage(deps.db, email, {
      messageId: end.messageId ?? email.messageId,
      id: deps.ids.uuid(),
      text: composed.message.text,
      html: email.format === "html" ? composed.message.html : null,
      sentAt: end.at,
    });
  if (end.kind === "again")
    await queueEmail(deps, { ...email, dueAt: end.dueAt, attempts: email.attempts + 1 });
  return end.kind;
}

/** With its envelope sender. */
type Written = ComposedMessage & { from: string };
type Composed = { ok: true; message: Written } | { ok: false; error: string };

async function tryCompose(
  deps: Deps,
  email: EmailRow,
  alias: AliasRow,
  now: Date,
): Promise<Composed> {
  try {
    return { ok: true, message: await compose(deps, email, alias, now) };
  } catch (error) {
    return {
      ok: false,
      error: `The message could not be written: ${String(error).slice(0, 300)}`,
    };
  }
}

async function compose(deps: Deps, email: EmailRow, alias: AliasRow, now: Date): Promise<Written> {
  const earlier = await threadOf(deps.db, email.conversationId);
  const inReplyTo = email.inReplyTo ?? earlier.at(-1);
  const chain = earlier.filter((messageId) => messageId !== inReplyTo);
  const references =
    inReplyTo === undefined
      ? []
      : [...chain.slice(0, 1), ...chain.slice(1).slice(-(MAX_REFERENCES - 2)), inReplyTo];
  const { dkim, returnPath, trackingBaseUrl } = await aliasDomain(deps, alias);
  const { trackingSecret } = deps.settings;
  const from =
    returnPath === null
      ? alias.email
      : await createReturnPathTokens(trackingSecret).address(email.id, returnPath);
  const message = await finishMessage(literalMessage(email), {
    sendId: email.id,
    messageId: email.messageId,
    from: { name: alias.displayName, email: alias.email },
    to: { email: normalizeEmail(email.toEmail, "To") },
    ...(alias.replyTo === null ? {} : { replyTo: { email: alias.replyTo } }),
    date: now,
    ...(inReplyTo === undefined ? {} : { thread: { inReplyTo, references } }),
    tracking: {
      opens: email.trackOpens,
      clicks: email.trackClicks,
      patterns: email.clickTrackingPatterns,
    },
    tokens: createTrackTokens(trackingSecret),
    trackingBaseUrl,
    feedbackId: null,
    attachments: email.attachments.map(({ filename, content_type, content }) => ({
      filename,
      contentType: content_type,
      content: fromBase64(content) ?? new Uint8Array(),
    })),
    dkim,
  });
  return { ...message, from };
}

async function handOver(
  deps: Deps,
  email: EmailRow,
  alias: AliasRow,
  { raw, from }: Written,
): Promise<SendResult> {
  const transport = deps.openMail();
  try {
    const credentials = await openAccount(deps, alias);
    const to = normalizeEmail(email.toEmail, "To");
    return await transport.send(credentials, { id: email.id, from, to, raw });
  } catch (error) {
    // A transport that throws has not said whether the message left.
    return { state: "unknown", reason: `The handover broke off: ${String(error).slice(0, 300)}` };
  } finally {
    await transport.close();
  }
}

function endOf(email: EmailRow, result: SendResult, now: Date): EmailEnd {
  switch (result.state) {
    case "accepted":
      return {
        kind: "sent",
        at: now,
        ...(result.messageId === undefined ? {} : { messageId: result.messageId }),
      };
    case "unknown":
      return { kind: "unknown", error: result.reason };
    case "rejected":
      return { kind: "failed", error: result.reply };
    case "deferred": {
      const error = result.accountError ?? result.reply;
      const delayMs = RETRY_DELAYS_MS[email.attempts];
      if (result.accountError !== undefined || delayMs === undefined)
        return { kind: "failed", error };
      return {
        kind: "again",
        dueAt: new Date(now.getTime() + delayMs),
        error,
        attemptSpent: true,
      };
    }
  }
}

/** A message that was due this long ago and not begun has lost its wake-up. */
const LOST_AFTER_MS = 5 * 60_000;
const REVIVED_AT_ONCE = 200;

/** Part of the regular full check: ends handovers of dead workers and asks again for messages that the queue lost. */
export async function reviveEmails(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  await sweepEmails(deps.db, now);
  const since = new Date(now.getTime() - LOST_AFTER_MS);
  const lost = await overdueEmails(deps.db, since, REVIVED_AT_ONCE);
  for (const email of lost) await queueEmail(deps, email, `-again-${now.getTime()}`);
  return lost.length;
}
