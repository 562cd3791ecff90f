import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { findOwned, ownedBy } from "../base/owned.ts";
import { from, instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import { conversations, type ReplyIntent } from "../schema/index.ts";

export type ConversationRow = typeof conversations.$inferSelect;

export interface ConversationFilter {
  unread?: boolean | undefined;
  leadId?: string | undefined;
  campaignId?: string | undefined;
  intent?: ReplyIntent | undefined;
}

export interface ConversationPage {
  /** The place after which the page begins. */
  after?: { at: Date; id: string } | undefined;
  limit: number;
}

/** One more than `limit`, the latest first. */
export function listConversations(
  db: Db,
  workspaceId: string,
  { unread, leadId, campaignId, intent }: ConversationFilter,
  { after, limit }: ConversationPage,
): Promise<ConversationRow[]> {
  const conditions: (SQL | undefined)[] = [
    eq(conversations.workspaceId, workspaceId),
    unread === undefined ? undefined : sql`(${conversations.unread} > 0) = ${unread}`,
    leadId === undefined ? undefined : eq(conversations.leadId, leadId),
    campaignId === undefined ? undefined : eq(conversations.campaignId, campaignId),
    intent === undefined ? undefined : eq(conversations.intent, intent),
    after === undefined
      ? undefined
      : sql`(${conversations.lastMessageAt}, ${conversations.id}) < (${instantParam(after.at)}, ${after.id}::uuid)`,
  ];
  return db
    .select()
    .from(conversations)
    .where(and(...conditions))
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(limit + 1);
}

export const getConversation = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, conversations, workspaceId, id);

export type ThreadMessage = ReturnType<typeof readMessage>;
const readMessage = rowReader({
  id: text,
  direction: typed<"out" | "in">(),
  from: from("from_email", text),
  to: from("to_emails", typed<string[]>()),
  subject: orNull(text),
  /** Null where only the page was kept: the text follows from it. */
  text: orNull(text),
  html: orNull(text),
  sentAt: instant,
  class: text,
  intent: orNull(typed<ReplyIntent>()),
});

/** A conversation's messages, oldest first: its own and, for a campaign lead's, the campaign's sends. */
export async function messagesOf(
  db: Db,
  { id, campaignLeadId }: Pick<ConversationRow, "id" | "campaignLeadId">,
  limit: number,
): Promise<ThreadMessage[]> {
  const { rows } = await db.execute(sql`
    select * from (
      select m.id, m.direction, m.from_email, to_jsonb(m.to_emails) as to_emails, m.subject, m.text, m.html, m.sent_at, m.class, m.intent
      from conversation_messages m where m.conversation_id = ${id}
      union all
      select s.id, 'out', coalesce(a.email, nullif(account.profile_url, ''), account.display_name, ''),
             jsonb_build_array(case when s.budget = '' then s.email_key else coalesce(l.profile_url, s.email_key) end), s.subject,
             -- Without a note, which most have not.
             case when s.budget = 'connection' and b.send_id is null then '' end, b.html,
             coalesce(s.accepted_at, s.transmitting_at), case when s.budget = 'connection' then 'connection_request' else 'sent' end, null
      from sends s left join send_bodies b on b.send_id = s.id left join mail_aliases a on a.id = s.lane_id
      left join connected_accounts account on account.id = s.lane_id left join campaign_leads l on l.id = s.campaign_lead_id
      where s.campaign_lead_id = ${campaignLeadId} and s.state in ('accepted', 'assumed_sent', 'unknown')
        -- A visit to a page says nothing.
        and (s.budget <> 'message' or s.message_id is not null or b.send_id is not null)
    ) messages
    order by sent_at, id limit ${limit}`);
  return rows.map(readMessage);
}

/** False when there is no such conversation. */
export async function setRead(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(conversations)
    .set({ unread: 0, updatedAt: now })
    .where(ownedBy(conversations, workspaceId, id))
    .returning({ id: conversations.id });
  return rows.length > 0;
}

/** What a person says that a conversation is; null takes it back. Undefined when there is none. */
export async function setIntent(
  db: Db,
  workspaceId: string,
  id: string,
  { intent, now }: { intent: ReplyIntent | null; now: Date },
): Promise<ConversationRow | undefined> {
  const [row] = await db
    .update(conversations)
    .set({ intent, updatedAt: now })
    .where(ownedBy(conversations, workspaceId, id))
    .returning();
  return row;
}
