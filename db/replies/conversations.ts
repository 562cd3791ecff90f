import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { stateAt } from "../base/fragments/conversation-state.ts";
import { isCalled } from "../base/fragments/lead-words.ts";
import { instantParam } from "../base/instants.ts";
import { findOwned, ownedBy } from "../base/owned.ts";
import { containing } from "../base/patterns.ts";
import { from, instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import { POSSIBLE_OPT_OUT } from "./inbound.ts";
import { conversations, type ConversationState, type ReplyIntent } from "../schema/index.ts";

export type ConversationRow = typeof conversations.$inferSelect;

/** A conversation with what a list shows of it. */
export type ListedConversation = ConversationRow & {
  /** The beginning of its newest message, its page where that alone is kept; null where that is a campaign's. */
  beginning: string | null;
  isPage: boolean;
  name: string | null;
  email: string | null;
  company: string | null;
};

// Drizzle leaves the table out of a column's name where only one is selected from.
const of = { id: sql.raw("conversations.id"), leadId: sql.raw("conversations.lead_id") };
const newest = (what: string) =>
  sql<string | null>`(
    select ${sql.raw(what)} from conversation_messages m
    where m.conversation_id = ${of.id} order by m.sent_at desc, m.id desc limit 1)`;
const shown = {
  ...getTableColumns(conversations),
  beginning: newest("left(coalesce(m.text, m.html), 2000)"),
  isPage: newest("m.text is null").mapWith(Boolean),
  name: sql<string | null>`(
    select coalesce(nullif(l.full_name, ''), nullif(concat_ws(' ', l.first_name, l.last_name), '')) from leads l where l.id = ${of.leadId})`,
  email: sql<string | null>`coalesce(
    (select l.email from leads l where l.id = ${of.leadId}),
    case when ${conversations.peerKey} like '%@%' then ${conversations.peerKey} end)`,
  company: sql<string | null>`(select l.company from leads l where l.id = ${of.leadId})`,
};

const hasPart = (pattern: string): SQL => sql`(
  ${conversations.subject} ilike ${pattern} or ${conversations.peerKey} ilike ${pattern} or exists (
    select from leads l where l.id = ${of.leadId} and (l.email ilike ${pattern} or ${isCalled(pattern)})))`;

export type Writer = "person" | "machine";
/** The classes of what a person wrote; all others a machine did. */
export const PERSON_CLASSES: readonly string[] = ["reply", POSSIBLE_OPT_OUT];

export interface ConversationFilter {
  unread?: boolean | undefined;
  leadId?: string | undefined;
  campaignId?: string | undefined;
  intent?: ReplyIntent | undefined;
  class?: string | undefined;
  /** Whether a person wrote what came in last, or a machine; null where nothing came in. */
  writer?: Writer | undefined;
  state?: { is: ConversationState; now: Date } | undefined;
  /** A part of its subject, or of the person's address, name or company. */
  part?: string | undefined;
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
  { unread, leadId, campaignId, intent, class: heard, writer, state, part }: ConversationFilter,
  { after, limit }: ConversationPage,
): Promise<ListedConversation[]> {
  const conditions: (SQL | undefined)[] = [
    eq(conversations.workspaceId, workspaceId),
    unread === undefined ? undefined : sql`(${conversations.unread} > 0) = ${unread}`,
    leadId === undefined ? undefined : eq(conversations.leadId, leadId),
    campaignId === undefined ? undefined : eq(conversations.campaignId, campaignId),
    intent === undefined ? undefined : eq(conversations.intent, intent),
    heard === undefined ? undefined : eq(conversations.class, heard),
    writer === undefined
      ? undefined
      : sql`(${inArray(conversations.class, [...PERSON_CLASSES])}) = ${writer === "person"}`,
    state === undefined ? undefined : sql`${stateAt(state.now)} = ${state.is}`,
    part === undefined ? undefined : hasPart(containing(part)),
    after === undefined
      ? undefined
      : sql`(${conversations.lastMessageAt}, ${conversations.id}) < (${instantParam(after.at)}, ${after.id}::uuid)`,
  ];
  return db
    .select(shown)
    .from(conversations)
    .where(and(...conditions))
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(limit + 1);
}

export const getConversation = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, conversations, workspaceId, id);

export async function getListed(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ListedConversation | undefined> {
  const [row] = await db
    .select(shown)
    .from(conversations)
    .where(ownedBy(conversations, workspaceId, id));
  return row;
}

/** By the columns of `conversations_counted` alone: it is read instead of the rows. */
export const countStatement = (workspaceId: string, now: Date): SQL => sql`
  select ${stateAt(now)} as state, class, count(*)::int as count, count(*) filter (where unread > 0)::int as unread
  from conversations where workspace_id = ${workspaceId} group by 1, 2`;

/** How many there are of each state, and of the open ones of each class. */
export async function countConversations(
  db: Db,
  workspaceId: string,
  now: Date,
): Promise<{ state: ConversationState; class: string | null; count: number; unread: number }[]> {
  const { rows } = await db.execute(countStatement(workspaceId, now));
  return rows as never;
}

/** A message's page as it came, by `messagesOf`'s ids; null where it has none or none is kept any more, undefined where there is no such message. */
export async function findPage(
  db: Db,
  {
    id,
    workspaceId,
    campaignLeadId,
  }: Pick<ConversationRow, "id" | "workspaceId" | "campaignLeadId">,
  messageId: string,
): Promise<string | null | undefined> {
  const { rows } = await db.execute<{ html: string | null }>(sql`
    select m.html from conversation_messages m
    where m.id = ${messageId}::uuid and m.conversation_id = ${id} and m.workspace_id = ${workspaceId}
    union all
    select b.html from sends s left join send_bodies b on b.send_id = s.id
    where s.id = ${messageId}::uuid and s.campaign_lead_id = ${campaignLeadId} and s.workspace_id = ${workspaceId}
      and s.state in ('accepted', 'assumed_sent', 'unknown')`);
  return rows[0]?.html;
}

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

/** A conversation's messages, the newest so many, oldest first: its own and, for a campaign lead's, the campaign's sends. */
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
    order by sent_at desc, id desc limit ${limit}`);
  return rows.map(readMessage).toReversed();
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

/** What a person says that a conversation is, and makes of it. Undefined when there is none. */
export async function changeConversation(
  db: Db,
  workspaceId: string,
  id: string,
  change: Partial<Pick<ConversationRow, "intent" | "class" | "state" | "snoozedUntil">>,
  now: Date,
): Promise<ListedConversation | undefined> {
  const rows = await db
    .update(conversations)
    .set({ ...change, updatedAt: now })
    .where(ownedBy(conversations, workspaceId, id))
    .returning({ id: conversations.id });
  return rows.length === 0 ? undefined : getListed(db, workspaceId, id);
}
