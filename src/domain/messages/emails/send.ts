import { getConversation } from "#db/replies/conversations.ts";
import { type EmailRow, insertEmail, type NewConversation } from "#db/messages/emails.ts";
import { suppressionOf, wasErased } from "#db/people/suppressions.ts";
import type { StoredAttachment } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import { requireFound } from "#src/domain/owned.ts";
import { requireAlias } from "#src/domain/senders/aliases.ts";
import { conflict } from "#src/errors.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { nextHop } from "#src/providers/queue/index.ts";

export type Email = EmailRow;
export const SEND_EMAIL = "send-email";

const NOBODY = { toEmail: "", emailKey: "", subject: "", body: "", inReplyTo: null };

export interface EmailInput {
  aliasId: string;
  toEmail: string;
  emailKey: string;
  subject: string;
  body: string;
  trackOpens: boolean;
  trackClicks: boolean;
  clickTrackingPatterns: string[];
  /** Null or past: at once. */
  sendAt: Date | null;
  conversationId: string | null;
  /** A Message-ID without brackets. */
  inReplyTo: string | null;
  attachments: StoredAttachment[];
}

/**
 * Saves a message and queues its delivery; never sends inline. A suppressed
 * recipient is an answer, not an error: the message is saved as suppressed and
 * not sent. For an erased recipient it is saved without the address.
 */
export async function sendEmail(
  deps: Deps,
  principal: Principal,
  wish: EmailInput,
): Promise<Email> {
  const { db, clock, ids } = deps;
  const { workspaceId, userId } = principal;
  const now = clock.now();
  const alias = await requireAlias(deps, principal, wish.aliasId);
  if (alias.status !== "active")
    throw conflict(
      "ALIAS_NOT_READY",
      `The mail alias is ${alias.status}; only an active one sends.`,
    );
  if (wish.conversationId !== null)
    requireFound(await getConversation(db, workspaceId, wish.conversationId), "Conversation");

  const id = ids.uuid();
  const isLater = wish.sendAt !== null && wish.sendAt > now;
  const suppressionReason = await suppressionOf(db, workspaceId, wish.emailKey, now);
  const owner = { workspaceId, userId, createdAt: now, updatedAt: now };
  const conversationId = wish.conversationId ?? ids.uuid();
  const opened: NewConversation | null =
    wish.conversationId === null
      ? {
          ...owner,
          id: conversationId,
          aliasId: alias.id,
          peerKey: wish.emailKey,
          channel: "email",
          subject: wish.subject,
          lastMessageAt: now,
          unread: 0,
        }
      : null;
  const isErased = suppressionReason !== null && (await wasErased(db, workspaceId, wish.emailKey));
  const { sendAt, ...content } = isErased ? { ...wish, ...NOBODY } : wish;
  const email = await insertEmail(
    db,
    {
      ...owner,
      ...content,
      id,
      conversationId,
      fromEmail: alias.email,
      format: bodyFormat(wish.body),
      scheduledAt: isLater ? sendAt : null,
      dueAt: isLater && sendAt !== null ? sendAt : now,
      state: suppressionReason !== null ? "suppressed" : isLater ? "scheduled" : "queued",
      attachments: suppressionReason !== null ? [] : wish.attachments,
      suppressionReason,
      messageId: `${id}@${alias.email.split("@")[1]!}`,
      attempts: 0,
      opens: 0,
      clicks: 0,
      machineOpens: 0,
      machineClicks: 0,
    },
    isErased ? null : opened,
  );
  if (suppressionReason === null) await enqueueEmail(deps, email);
  return isErased ? { ...email, toEmail: wish.toEmail, subject: wish.subject } : email;
}

/** Asks to be woken for a message, or on the way when it is due later than the queue can wait. */
export function enqueueEmail(
  deps: Deps,
  { id, dueAt, attempts }: Pick<EmailRow, "id" | "dueAt" | "attempts">,
  part = "",
): Promise<void> {
  const at = nextHop(deps.clock.now(), dueAt);
  return wakeUp(deps, {
    callback: SEND_EMAIL,
    payload: { email_id: id, version: 1 },
    notBefore: at,
    deduplicationId: `email-${id}-${attempts}-${at.getTime()}${part}`,
  });
}
