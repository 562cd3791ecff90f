import { and, desc, eq, inArray, lt, lte, sql } from "drizzle-orm";
import { commit, type Db } from "./client.ts";
import { instantParam } from "./engine/instants.ts";
import { holdSuppressionsStatement } from "./engine.ts";
import { suppressionReason } from "./suppression-reason.ts";
import { conversationMessages, conversations, emails, type EmailState } from "./schema/index.ts";

export type EmailRow = typeof emails.$inferSelect;
export type NewEmail = typeof emails.$inferInsert;
export type NewConversation = typeof conversations.$inferInsert;

/** Keeps a message, with the conversation that it opens. */
export async function insertEmail(
  db: Db,
  email: NewEmail,
  opened: NewConversation | null,
): Promise<EmailRow> {
  const insert = db.insert(emails).values(email).returning();
  const rows =
    opened === null
      ? await insert
      : ((await commit(db, [db.insert(conversations).values(opened), insert]))[1] as EmailRow[]);
  return rows[0]!;
}

export async function getEmail(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<EmailRow | undefined> {
  const [row] = await db
    .select()
    .from(emails)
    .where(and(eq(emails.workspaceId, workspaceId), eq(emails.id, id)));
  return row;
}

export interface EmailFilter {
  states?: readonly EmailState[] | undefined;
  aliasId?: string | undefined;
}

/** One more than `limit`, newest first. */
export function listEmails(
  db: Db,
  workspaceId: string,
  { states, aliasId }: EmailFilter,
  page: { before: string | undefined; limit: number },
): Promise<EmailRow[]> {
  return db
    .select()
    .from(emails)
    .where(
      and(
        eq(emails.workspaceId, workspaceId),
        states && inArray(emails.state, [...states]),
        aliasId === undefined ? undefined : eq(emails.aliasId, aliasId),
        page.before === undefined ? undefined : lt(emails.id, page.before),
      ),
    )
    .orderBy(desc(emails.id))
    .limit(page.limit + 1);
}

/** For the queue, which knows no workspace. */
export async function findEmail(db: Db, id: string): Promise<EmailRow | undefined> {
  const [row] = await db.select().from(emails).where(eq(emails.id, id));
  return row;
}

/** Messages of a conversation that went out or came in, oldest first, for threading. */
export async function threadOf(db: Db, conversationId: string): Promise<string[]> {
  const rows = await db
    .select({ messageId: conversationMessages.messageId })
    .from(conversationMessages)
    .where(eq(conversationMessages.conversationId, conversationId))
    .orderBy(conversationMessages.sentAt, conversationMessages.id)
    .limit(200);
  return rows.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
}

export async function hasConversation(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.workspaceId, workspaceId), eq(conversations.id, id)));
  return rows.length > 0;
}

/** Why an address gets no mail from the workspace; null if it does. */
export async function suppressionOf(
  db: Db,
  workspaceId: string,
  emailKey: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await db.execute(
    sql`select ${suppressionReason(sql`${workspaceId}::uuid`, sql`${emailKey}::text`, instantParam(now))} as reason`,
  );
  return rows[0]!["reason"] as string | null;
}

export type EmailBegin = "begun" | "suppressed" | "alias_not_ready" | "not_due" | "taken";

/**
 * The guard before DATA: true once the message is `transmitting`, for this
 * worker alone. Suppression, sender and state are looked at again under locks;
 * what they refuse is recorded.
 */
export async function beginEmail(
  db: Db,
  email: Pick<EmailRow, "id" | "workspaceId">,
  order: { now: Date; workerToken: string; leaseUntil: Date },
): Promise<EmailBegin> {
  const at = instantParam(order.now);
  const [, result] = await commit(db, [
    holdSuppressionsStatement(db, email.workspaceId),
    db.execute(sql`
      with mine as (
        select * from emails where id = ${email.id} and state in ('queued', 'scheduled') for update
      ), verdict as (
        select mine.id, case
          when mine.due_at > ${at} then 'not_due'
          when ${suppressionReason(sql`mine.workspace_id`, sql`mine.email_key`, at)} is not null then 'suppressed'
          when a.status is null or a.status not in ('active', 'error') then 'alias_not_ready'
          else 'begun' end as verdict,
          ${suppressionReason(sql`mine.workspace_id`, sql`mine.email_key`, at)} as reason
        from mine left join mail_aliases a on a.id = mine.alias_id
      ), changed as (
        update emails e
        set state = case v.verdict when 'begun' then 'transmitting' when 'suppressed' then 'suppressed' else 'failed' end,
            attempts = e.attempts + case when v.verdict = 'begun' then 1 else 0 end,
            lease_until = case when v.verdict = 'begun' then ${instantParam(order.leaseUntil)} end,
            worker_token = ${order.workerToken}::uuid,
            suppression_reason = v.reason,
            error = case when v.verdict = 'alias_not_ready' then 'The mail alias is not active any more.' end,
            attachments = case when v.verdict = 'begun' then e.attachments else '[]'::jsonb end,
            updated_at = ${at}
        from verdict v where e.id = v.id and v.verdict <> 'not_due'
      )
      select verdict from verdict`),
  ]);
  const [row] = (result as { rows: { verdict: EmailBegin }[] }).rows;
  return row?.verdict ?? "taken";
}

export type EmailEnd =
  /** `messageId`: the provider's, where it put its own in the place of ours. */
  | { kind: "sent"; at: Date; messageId?: string }
  | { kind: "unknown"; error: string }
  | { kind: "failed"; error: string }
  | { kind: "again"; dueAt: Date; error: string; attemptSpent: boolean };

/** Records how a handover ended; an acceptance that comes after the lease ended counts too. False when the row is another's. */
export async function endEmail(
  db: Db,
  email: Pick<EmailRow, "id">,
  order: { now: Date; workerToken: string },
  end: EmailEnd,
): Promise<boolean> {
  const settled = end.kind === "sent" || end.kind === "failed" || end.kind === "unknown";
  const rows = await db
    .update(emails)
    .set({
      state: end.kind === "again" ? "queued" : end.kind,
      leaseUntil: null,
      sentAt: end.kind === "sent" ? end.at : null,
      error: end.kind === "sent" ? null : end.error,
      ...(end.kind === "again"
        ? {
            dueAt: end.dueAt,
            attempts: end.attemptSpent ? emails.attempts : sql`${emails.attempts} - 1`,
          }
        : {}),
      ...(end.kind === "sent" && end.messageId !== undefined ? { messageId: end.messageId } : {}),
      ...(settled ? { attachments: [] } : {}),
      updatedAt: order.now,
    })
    .where(
      and(
        eq(emails.id, email.id),
        eq(emails.workerToken, order.workerToken),
        inArray(emails.state, end.kind === "sent" ? ["transmitting", "unknown"] : ["transmitting"]),
      ),
    )
    .returning({ id: emails.id });
  return rows.length > 0;
}

/** A message whose fate was unknown did arrive. */
export async function proveEmailSent(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(emails)
    .set({
      state: "sent",
      sentAt: sql`coalesce(${emails.sentAt}, ${emails.updatedAt})`,
      error: null,
      updatedAt: now,
    })
    .where(and(eq(emails.id, id), eq(emails.state, "unknown")));
}

/** What went out, as a message of its conversation; safe to repeat. */
export async function addSentMessage(
  db: Db,
  email: EmailRow,
  content: { id: string; messageId: string; text: string; html: string | null; sentAt: Date },
): Promise<void> {
  await commit(db, [
    db
      .insert(conversationMessages)
      .values({
        id: content.id,
        workspaceId: email.workspaceId,
        conversationId: email.conversationId,
        direction: "out",
        class: "sent",
        messageId: content.messageId,
        inReplyTo: email.inReplyTo,
        fromEmail: email.fromEmail,
        toEmails: [email.toEmail],
        subject: email.subject,
        text: content.text,
        html: content.html,
        sentAt: content.sentAt,
        dedupKey: `email:${email.id}`,
      })
      .onConflictDoNothing(),
    db
      .update(conversations)
      .set({
        lastMessageAt: sql`greatest(${conversations.lastMessageAt}, ${instantParam(content.sentAt)})`,
        updatedAt: content.sentAt,
      })
      .where(eq(conversations.id, email.conversationId)),
  ]);
}

/** Takes back what has not begun; undefined when there is nothing to take back. */
export async function cancelEmail(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<EmailRow | undefined> {
  const [row] = await db
    .update(emails)
    .set({ state: "cancelled", attachments: [], updatedAt: now })
    .where(
      and(
        eq(emails.workspaceId, workspaceId),
        eq(emails.id, id),
        inArray(emails.state, ["queued", "scheduled"]),
      ),
    )
    .returning();
  return row;
}

/** Handovers whose worker is gone: whether they arrived is not known, so they are never repeated. */
export async function sweepEmails(db: Db, now: Date): Promise<number> {
  const rows = await db
    .update(emails)
    .set({
      state: "unknown",
      leaseUntil: null,
      attachments: [],
      error: "The worker stopped while this message was being handed over; it may have arrived.",
      updatedAt: now,
    })
    .where(and(eq(emails.state, "transmitting"), lte(emails.leaseUntil, now)))
    .returning({ id: emails.id });
  return rows.length;
}

/** Messages that were due before `since` and that nobody has begun: the queue has lost them. */
export function overdueEmails(db: Db, since: Date, limit: number): Promise<EmailRow[]> {
  return db
    .select()
    .from(emails)
    .where(and(inArray(emails.state, ["queued", "scheduled"]), lte(emails.dueAt, since)))
    .orderBy(emails.dueAt)
    .limit(limit);
}
