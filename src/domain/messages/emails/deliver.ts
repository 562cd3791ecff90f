import * as z from "zod";
import {
  addSentMessage,
  beginEmail,
  endEmail,
  type EmailEffects,
  type EmailEnd,
  overdueEmails,
  sweepEmails,
} from "#db/messages/email-delivery.ts";
import { type EmailRow, findEmail, threadOf } from "#db/messages/emails.ts";
import { redealDomainOf } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { retryAtOf } from "#src/domain/engine/retry-policy.ts";
import { wordsOf } from "#src/domain/engine/outcome.ts";
import { define, newClaim, oneByOne } from "#src/domain/job.ts";
import { applyFeedback } from "#src/domain/replies/feedback/apply.ts";
import { isMessageId } from "#src/mime/headers.ts";
import { fromBase64 } from "#src/platform/encoding.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import { literalMessage } from "../compose.ts";
import { dayToBegin, findSender } from "../find-sender.ts";
import {
  createHandOver,
  type HandOver,
  type Letter,
  type ReadyMessage,
  type Sender,
} from "../deliver.ts";
import { actionResult, withoutFinality } from "../mail-result.ts";
import { threadAfter } from "../thread.ts";
import { enqueueEmail, SEND_EMAIL } from "./send.ts";

export type Delivery = EmailEnd["kind"] | "suppressed" | "alias_not_ready" | "not_due" | "taken";

/** RFC 5321 section 4.5.3.2.6 grants the final reply 10 minutes. */
const LEASE_MS = 11 * 60_000;

/**
 * Sends one queued message if it is due and no other worker holds it. Safe to repeat:
 * at most once after DATA, and a message whose fate is unknown is never sent again.
 */
export async function deliverEmail(deps: Deps, id: string): Promise<Delivery> {
  const email = await findEmail(deps.db, id);
  if (email === undefined || !["queued", "scheduled"].includes(email.state)) return "taken";
  if (email.dueAt > deps.clock.now()) {
    await enqueueEmail(deps, email);
    return "not_due";
  }
  const handOver = createHandOver(deps);
  try {
    return await deliverBy(handOver, deps, email);
  } finally {
    await handOver.close();
  }
}

async function deliverBy(handOver: HandOver, deps: Deps, email: EmailRow): Promise<Delivery> {
  const { token: workerToken, now, until: leaseUntil } = newClaim(deps, LEASE_MS);
  const sender = await findSender(deps.db, email);
  const earlier = await threadOf(deps.db, email.conversationId);
  const prepared: Prepared =
    sender === undefined
      ? { ok: false, error: "The mail alias is gone." }
      : await tryPrepare(handOver, sender, () => letterOf(email, earlier, now));
  const day = sender === undefined ? null : dayToBegin(sender.alias, now);
  const begin = await beginEmail(deps.db, email, { now, workerToken, leaseUntil, day });
  if (begin.verdict !== "begun") return begin.verdict;
  if (begin.isOver && sender?.alias.domainQuota != null) await redealDomainOf(deps.db, email, now);
  const { end, ...effects } = prepared.ok
    ? await handOverEnd(deps, email, await handOver.perform(prepared.message))
    : { ...NOTHING_LEFT, end: { kind: "failed" as const, error: prepared.error } };
  const ended = { now: deps.clock.now(), workerToken };
  await endEmail(deps.db, email, ended, end, effects);
  if (effects.notice !== null) deps.wakeOutbox();
  if (end.kind === "sent" && prepared.ok)
    await addSentMessage(deps.db, email, {
      messageId: end.messageId ?? email.messageId,
      id: deps.ids.uuid(),
      text: prepared.message.text,
      html: email.format === "html" ? prepared.page : null,
      sentAt: end.at,
    });
  if (end.kind === "again")
    await enqueueEmail(deps, { ...email, dueAt: end.dueAt, attempts: email.attempts + 1 });
  return end.kind;
}

const NOTHING_LEFT: EmailEffects = { keepsPlace: false, notice: null };

/**
 * What a relay's answer means for the message. A permanent refusal by the recipient is notified as in a campaign, and an
 * address that takes no mail is suppressed, as by a later bounce. A doubtful refusal suppresses no address.
 */
async function handOverEnd(
  deps: Deps,
  email: EmailRow,
  answer: SendResult,
): Promise<EmailEffects & { end: EmailEnd }> {
  const result = withoutFinality(answer);
  const end = endOf(email, result, deps.clock.now());
  const action = actionResult(answer);
  const keepsPlace = hasLeft(result);
  if (action.state !== "rejected" || action.scope !== "recipient")
    return { end, keepsPlace, notice: null };
  const why = wordsOf(result);
  if (action.gone !== undefined)
    await applyFeedback(deps, asSent(email), "hard_bounce", { reason: why, gone: action.gone });
  return { end, keepsPlace, notice: { id: deps.ids.uuid(), why: why.slice(0, 300) } };
}

/** Whether a message has gone out, or as far as its own recipient or content was judged behind DATA. */
function hasLeft(result: SendResult): boolean {
  if (result.state === "accepted" || result.state === "unknown") return true;
  return result.stage === "final" && ["recipient", "message"].includes(result.scope);
}

const asSent = ({ id, workspaceId, userId, aliasId, emailKey, conversationId }: EmailRow) => ({
  kind: "email" as const,
  id,
  workspaceId,
  ownerUserId: userId,
  laneId: aliasId,
  emailKey,
  campaignId: null,
  campaignLeadId: null,
  leadId: null,
  conversationId,
});

/** The page is without pixel and tracked links: its sender reads it, which is no open. */
type Prepared = { ok: true; message: ReadyMessage; page: string } | { ok: false; error: string };

async function tryPrepare(
  handOver: HandOver,
  sender: Sender,
  write: () => Letter,
): Promise<Prepared> {
  try {
    const letter = write();
    return { ok: true, message: await handOver.prepare(sender, letter), page: letter.html };
  } catch (error) {
    const reason = String(error).slice(0, 300);
    return { ok: false, error: `The message could not be written: ${reason}` };
  }
}

function letterOf(email: EmailRow, earlier: string[], date: Date): Letter {
  const answered = email.inReplyTo ?? earlier.at(-1);
  const others = earlier.filter((messageId) => messageId !== answered);
  const thread = answered === undefined ? [] : [...others, answered];
  return {
    ...literalMessage(email),
    // What came in may be called as no header can say: the answer then stands below what came before.
    ...threadAfter(thread.filter(isMessageId)),
    sendId: email.id,
    messageId: email.messageId,
    to: email.toEmail,
    date,
    tracking: {
      opens: email.trackOpens,
      clicks: email.trackClicks,
      patterns: email.clickTrackingPatterns,
    },
    feedbackId: null,
    attachments: email.attachments.map(({ filename, content_type, content }) => ({
      filename,
      contentType: content_type,
      content: fromBase64(content) ?? new Uint8Array(),
    })),
  };
}

function endOf(email: EmailRow, result: SendResult, now: Date): EmailEnd {
  const error = wordsOf(result);
  switch (result.state) {
    case "accepted":
      return {
        kind: "sent",
        at: now,
        ...(result.messageId === undefined ? {} : { messageId: result.messageId }),
      };
    case "unknown":
      return { kind: "unknown", error };
    case "rejected":
      return { kind: "failed", error };
    case "deferred": {
      if (result.accountError !== undefined) return { kind: "failed", error, isOfAccount: true };
      const dueAt = retryAtOf(email.attempts, now);
      return dueAt === null ? { kind: "failed", error } : { kind: "again", dueAt, error };
    }
  }
}

/** Delivers one message. Handovers of dead workers are ended before lost messages are looked for. */
export const deliveringEmail = define(SEND_EMAIL, {
  payload: z.object({ email_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { email_id }) => deliverEmail(deps, email_id),
  lost: {
    afterMs: 5 * 60_000,
    find: async ({ db, clock }, since) => {
      await sweepEmails(db, clock.now());
      return overdueEmails(db, since, 200);
    },
    requeue: oneByOne((deps, email: EmailRow) =>
      enqueueEmail(deps, email, `-again-${deps.clock.now().getTime()}`),
    ),
  },
});
