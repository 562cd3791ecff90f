import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import type { EmailRow } from "./emails.ts";
import {
  countSingle,
  ERASED_WORDS,
  holdSuppressionsStatement,
  type LaneDay,
  lockLane,
  lockQuotas,
  rollOverLanesStatement,
  uncountSingle,
} from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { isMine, type JobQueue, overdueJobs, WORK_ROW } from "../base/job-queue.ts";
import { outboxStatement } from "../base/fragments/outbox.ts";
import { bool, type Row, rowReader, typed } from "../base/rows.ts";
import { conversations, emails } from "../schema/index.ts";
import { brokenAlias, healedBySend } from "../senders/alias-health.ts";
import { usableSender } from "../base/fragments/usable.ts";
import { suppressionReason } from "../base/fragments/suppression-reason.ts";

/** Messages that no worker has begun, of all workspaces; `due_at` stays when one was to go. */
const EMAILS: JobQueue<typeof emails> = {
  table: emails,
  fields: { ...WORK_ROW, claimToken: "workerToken", lease: "leaseUntil" },
  isOpen: sql`${emails.state} in ('queued', 'scheduled')`,
};

export type EmailBegin = "begun" | "suppressed" | "alias_not_ready" | "not_due" | "taken";

export interface EmailOrder {
  now: Date;
  workerToken: string;
  leaseUntil: Date;
  /** The accounting day that its sender is to begin with it; null while one is under way. */
  day: LaneDay | null;
}

/**
 * The guard before DATA: `begun` once the message is `transmitting`, for this
 * worker alone. Suppression, sender and state are looked at again under locks;
 * what they refuse is recorded. What begins takes a place of its sender's day;
 * `isOver` when it was one more than the sender had.
 */
export async function beginEmail(
  db: Db,
  email: Pick<EmailRow, "id" | "workspaceId" | "aliasId">,
  order: EmailOrder,
): Promise<{ verdict: EmailBegin; isOver: boolean }> {
  const at = instantParam(order.now);
  const { day } = order;
  const statements: [Statement, ...Statement[]] = [
    holdSuppressionsStatement(db, email.workspaceId),
    ...(day === null ? [] : [db.execute(rollOverLanesStatement(order.now, [day]))]),
    lockLane(db, email.aliasId),
    db.execute(beginStatement(email.id, order, at)),
  ];
  if (day !== null) statements.unshift(lockQuotas(db, email.workspaceId));
  const row = ((await commit(db, statements)).at(-1) as { rows: Row[] }).rows[0];
  return row === undefined ? { verdict: "taken", isOver: false } : readBegin(row);
}

const readBegin = rowReader({ verdict: typed<EmailBegin>(), isOver: bool });

const beginStatement = (id: string, order: EmailOrder, at: SQL): SQL => sql`
      with mine as (
        select * from emails where id = ${id} and state in ('queued', 'scheduled') for update
      ), verdict as (
        select mine.id, mine.alias_id, mine.counted_at, case
          when mine.due_at > ${at} then 'not_due'
          when ${suppressionReason(sql`mine.workspace_id`, sql`mine.email_key`, at)} is not null then 'suppressed'
          when not ${usableSender} or exists (select 1 from workspaces w where w.id = mine.workspace_id and w.deleted_at is not null)
            then 'alias_not_ready'
          else 'begun' end as verdict,
          ${suppressionReason(sql`mine.workspace_id`, sql`mine.email_key`, at)} as reason
        from mine left join mail_aliases a on a.id = mine.alias_id
      ), changed as (
        update emails e
        set state = case v.verdict when 'begun' then 'transmitting' when 'suppressed' then 'suppressed' else 'failed' end,
            attempts = e.attempts + case when v.verdict = 'begun' then 1 else 0 end,
            counted_at = coalesce(e.counted_at, case when v.verdict = 'begun' then ${at} end),
            lease_until = case when v.verdict = 'begun' then ${instantParam(order.leaseUntil)} end,
            worker_token = ${order.workerToken}::uuid,
            suppression_reason = v.reason,
            error = case when v.verdict = 'alias_not_ready' then 'The mail alias is not active any more.' end,
            attachments = case when v.verdict = 'begun' then e.attachments else '[]'::jsonb end,
            updated_at = ${at}
        from verdict v where e.id = v.id and v.verdict <> 'not_due'
      ), counted as (${countSingle(
        {
          from: sql`verdict v`,
          where: sql`lane.id = v.alias_id and v.verdict = 'begun' and v.counted_at is null`,
        },
        at,
      )})
      select verdict, coalesce((select is_over from counted), false) as is_over from verdict`;

export type EmailEnd =
  /** `messageId`: the provider's, where it replaced the message's own. */
  | { kind: "sent"; at: Date; messageId?: string }
  | { kind: "unknown"; error: string }
  /** `isOfAccount`: its alias's account was refused, and not this message. */
  | { kind: "failed"; error: string; isOfAccount?: boolean }
  | { kind: "again"; dueAt: Date; error: string };

/** Whether anything of it went out, so that it keeps its place of the day; and the notice that its end is owed. */
export interface EmailEffects {
  keepsPlace: boolean;
  notice: { id: string; why: string } | null;
}

/**
 * Records how a handover ended, and what that says of its alias; an acceptance that comes after the lease ended counts
 * too. Of a person who was erased meanwhile the server's words are not kept, and there is no next try. False when the
 * row is another's.
 */
export async function endEmail(
  db: Db,
  email: Pick<EmailRow, "id" | "workspaceId" | "aliasId" | "emailKey">,
  order: { now: Date; workerToken: string },
  end: EmailEnd,
  { keepsPlace, notice }: EmailEffects,
): Promise<boolean> {
  const at = instantParam(order.now);
  const isSent = end.kind === "sent";
  const isOpen = inArray(emails.state, isSent ? ["transmitting", "unknown"] : ["transmitting"]);
  const mine = isMine({ ...EMAILS, isOpen }, { id: email.id, token: order.workerToken });
  const [, , , result] = await commit(db, [
    holdSuppressionsStatement(db, email.workspaceId),
    lockLane(db, email.aliasId),
    // A statement of its own: Postgres applies one of two updates of a row in a statement.
    db.execute(placeBack(sql`${mine} and not ${keepsPlace}::boolean`, at)),
    db.execute(sql`
      with ended as (
        update emails
        set counted_at = case when ${keepsPlace} then counted_at end,
            state = ${end.kind === "again" ? sql`case when email_key = '' then 'cancelled' else 'queued' end` : end.kind}, lease_until = null,
            sent_at = ${isSent ? instantParam(end.at) : null}::timestamptz, error = ${isSent ? null : sql`case when email_key = '' then ${ERASED_WORDS} else ${end.error} end`},
            due_at = coalesce(${end.kind === "again" ? instantParam(end.dueAt) : null}::timestamptz, due_at),
            attachments = case when ${end.kind === "again"} then attachments else '[]'::jsonb end,
            message_id = coalesce(${isSent ? (end.messageId ?? null) : null}, message_id), updated_at = ${at}
        where ${mine} returning id, alias_id, error
      )${learnt(end, at)}
      select id from ended`),
    ...(notice === null ? [] : [oweBounce(db, email, notice, order.now)]),
  ]);
  return result.rows.length > 0;
}

/** Locks the message, so that it ends as what it is now. */
const placeBack = (mine: SQL, at: SQL): SQL => sql`
      with email as (select alias_id, counted_at from emails where ${mine} for update)
      ${uncountSingle({ from: sql`email`, where: sql`lane.id = email.alias_id` }, sql`email.counted_at`, at)}`;

/** The notice of an address that refused the message for good; a bounce report of it has the same dedup key. */
const oweBounce = (
  db: Db,
  { id, workspaceId, emailKey }: Pick<EmailRow, "id" | "workspaceId" | "emailKey">,
  notice: { id: string; why: string },
  now: Date,
) =>
  outboxStatement(db, {
    id: notice.id,
    workspaceId,
    kind: "email_hard_bounce",
    dedupKey: `feedback:${id}:hard_bounce`,
    payload: { email_id: id, why: notice.why },
    emailKey,
    now,
  });

const ITS_ALIAS = sql`a.id = (select alias_id from ended)`;

/** Marks the alias's account by the message's end, as a campaign's send does: it works, or its owner has to mend it. */
function learnt(end: EmailEnd, at: SQL): SQL {
  if (end.kind === "sent") return sql`, ${healedBySend(ITS_ALIAS, at)}`;
  if (end.kind === "failed" && end.isOfAccount === true)
    return sql`, ${brokenAlias(ITS_ALIAS, sql`(select error from ended)`, at)}`;
  return sql``;
}

/** Evidence shows that a message whose fate was unknown did arrive. */
export async function confirmEmailSent(db: Db, id: string, now: Date): Promise<void> {
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

/** Saves a sent message in its conversation, unless its recipient was erased meanwhile; safe to repeat. */
export async function addSentMessage(
  db: Db,
  email: EmailRow,
  content: { id: string; messageId: string; text: string; html: string | null; sentAt: Date },
): Promise<void> {
  await commit(db, [
    holdSuppressionsStatement(db, email.workspaceId),
    db.execute(sql`
      insert into conversation_messages (id, workspace_id, conversation_id, direction, class, message_id, in_reply_to, from_email, to_emails,
        subject, text, html, sent_at, dedup_key)
      select ${content.id}::uuid, e.workspace_id, e.conversation_id, 'out', 'sent', ${content.messageId}, e.in_reply_to, e.from_email, array[e.to_email],
        e.subject, ${content.text}, ${content.html}, ${instantParam(content.sentAt)}, ${`email:${email.id}`}
      from emails e join conversations c on c.id = e.conversation_id
      where e.id = ${email.id} and e.email_key <> ''
      on conflict do nothing`),
    db
      .update(conversations)
      .set({
        lastMessageAt: sql`greatest(${conversations.lastMessageAt}, ${instantParam(content.sentAt)})`,
        updatedAt: content.sentAt,
      })
      .where(eq(conversations.id, email.conversationId)),
  ]);
}

/** Ends handovers whose worker died: whether they arrived is not known, so they are never repeated. */
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

/** Messages that were due before `since` and that no worker has begun: the queue has lost them. */
export const overdueEmails = (db: Db, since: Date, limit: number): Promise<EmailRow[]> =>
  overdueJobs(db, EMAILS, since, limit);
