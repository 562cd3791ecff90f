import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { fenceStatement } from "../base/fence.ts";
import { isErased } from "../base/fragments/suppression-reason.ts";
import { findOwned, ownedBy } from "../base/owned.ts";
import { textArray, uuidArray } from "../base/text-array.ts";
import { holdSuppressionsStatement } from "../engine/index.ts";
import { conversations, emails, type EmailState } from "../schema/index.ts";

export type EmailRow = typeof emails.$inferSelect;
export type NewEmail = typeof emails.$inferInsert;
export type NewConversation = typeof conversations.$inferInsert;

/**
 * First where messages are kept. An erasure sees them, or they see what it left: all of it fails (`isFenced`) where a
 * recipient was erased since they were judged, or a thread that they go into.
 */
export function foundAsJudged(
  db: Db,
  workspaceId: string,
  emailKeys: readonly string[],
  threads: readonly string[],
): [Statement, Statement, Statement] {
  const ids = [...new Set(threads)];
  const erased = sql`
    select 1 from unnest(${textArray(emailKeys)}::text[]) asked(key) where ${isErased(sql`${workspaceId}::uuid`, sql`asked.key`)}`;
  return [
    holdSuppressionsStatement(db, workspaceId),
    fenceStatement(db, erased, 0),
    fenceStatement(
      db,
      sql`select 1 from conversations where id = any(${uuidArray(ids)}) order by id`,
      ids.length,
    ),
  ];
}

/** Keeps messages and the conversations that they open, all or none; in the order given. */
export async function insertEmails(
  db: Db,
  made: readonly { email: NewEmail; opened: NewConversation | null }[],
): Promise<EmailRow[]> {
  const insert = db
    .insert(emails)
    .values(made.map(({ email }) => email))
    .returning();
  const opened = made.flatMap((each) => each.opened ?? []);
  // What is kept without its recipient is in no thread.
  const named = made.filter(({ email }) => email.emailKey !== "");
  const keys = named.map(({ email }) => email.emailKey);
  const threads = named
    .filter((each) => each.opened === null)
    .map(({ email }) => email.conversationId);
  const [, , , , rows] = await commit(db, [
    ...foundAsJudged(db, made[0]!.email.workspaceId, keys, threads),
    opened.length === 0 ? db.execute(sql`select 1`) : db.insert(conversations).values(opened),
    insert,
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return made.map(({ email }) => byId.get(email.id)!);
}

export const getEmail = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, emails, workspaceId, id);

export interface EmailFilter {
  states?: readonly EmailState[] | undefined;
  aliasId?: string | undefined;
  /** In the form in which addresses are compared. */
  emailKey?: string | undefined;
  /** Emails in conversations of this campaign. */
  campaignId?: string | undefined;
}

/** One more than `limit`, newest first. */
export function listEmails(
  db: Db,
  workspaceId: string,
  { states, aliasId, emailKey, campaignId }: EmailFilter,
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
        emailKey === undefined ? undefined : eq(emails.emailKey, emailKey),
        campaignId === undefined
          ? undefined
          : inArray(
              emails.conversationId,
              db
                .select({ id: conversations.id })
                .from(conversations)
                .where(
                  and(
                    eq(conversations.workspaceId, workspaceId),
                    eq(conversations.campaignId, campaignId),
                  ),
                ),
            ),
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

/** Message-IDs of a conversation, and of its campaign's messages to the lead, oldest first, for threading. */
export async function threadOf(db: Db, conversationId: string): Promise<string[]> {
  const { rows } = await db.execute<{ message_id: string }>(sql`
    select message_id from (
      select m.message_id, m.sent_at, m.id from conversation_messages m where m.conversation_id = ${conversationId}
      union all
      select s.message_id, s.accepted_at, s.id from conversations c join sends s on s.campaign_lead_id = c.campaign_lead_id and s.budget = ''
      where c.id = ${conversationId} and s.state in ('accepted', 'assumed_sent', 'unknown')
    ) thread
    where message_id is not null order by sent_at, id limit 200`);
  return rows.map(({ message_id: messageId }) => messageId);
}

/** Cancels a message that has not begun; undefined when it has begun or ended. */
export async function cancelEmail(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<EmailRow | undefined> {
  const [row] = await db
    .update(emails)
    .set({ state: "cancelled", attachments: [], updatedAt: now })
    .where(and(ownedBy(emails, workspaceId, id), inArray(emails.state, ["queued", "scheduled"])))
    .returning();
  return row;
}
