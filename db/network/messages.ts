import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { outboxRows } from "../base/fragments/outbox.ts";
import { hears, suggestIntent } from "../base/fragments/intent.ts";
import type { ReplyIntent } from "../schema/index.ts";
import type { AccountRow } from "./accounts.ts";
import type { PersonLead } from "../base/fragments/person-leads.ts";

/** Where a message of the network belongs: the thread of a lead, or of an account with a person who is no lead. */
export interface Thread {
  account: Pick<AccountRow, "id" | "workspaceId" | "userId">;
  /** For the conversation, should it be opened by this. */
  conversationId: string;
  /** The other side, as it is compared. */
  peerKey: string;
  lead: Pick<PersonLead, "id" | "leadId" | "campaignId" | "sendId"> | null;
}

export interface NetworkMessage {
  id: string;
  direction: "in" | "out";
  class: string;
  /** Names or pages. */
  from: string;
  to: string;
  text: string;
  /** Of a reply. */
  intent?: ReplyIntent | null;
  sentAt: Date;
  /** The provider's: the same message comes once. */
  messageId: string;
  now: Date;
}

/**
 * Saves a message, once, in its thread, which it opens if need be. An incoming one is unread, and owes a notice
 * where the workspace had written to its author.
 */
export const saveMessageStatements = (
  db: Db,
  thread: Thread,
  message: NetworkMessage,
): [Statement, Statement, Statement] => [
  lockThread(db, thread),
  openThread(db, thread, message),
  addMessage(db, thread, message),
];

/** Which of these messages were kept before. */
export async function knownMessages(
  db: Db,
  account: { id: string; workspaceId: string },
  messageIds: readonly string[],
): Promise<Set<string>> {
  const keys = messageIds.map((id) => networkDedupKey(account.id, id));
  const { rows } = await db.execute<{ dedup_key: string }>(sql`
    select dedup_key from conversation_messages
    where workspace_id = ${account.workspaceId} and dedup_key = any(${sql.param(keys)}::text[])`);
  const kept = new Set(rows.map(({ dedup_key: key }) => key));
  return new Set(messageIds.filter((id) => kept.has(networkDedupKey(account.id, id))));
}

/** A lead's thread is unique by its lead; a thread without a lead is by this lock. */
const lockThread = (db: Db, { account, peerKey }: Thread): Statement =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${account.id}:${peerKey}`}, 0))`);

const place = ({ account, peerKey, lead }: Thread): SQL =>
  lead === null
    ? sql`c.workspace_id = ${account.workspaceId} and c.peer_key = ${peerKey} and c.alias_id = ${account.id} and c.campaign_lead_id is null`
    : sql`c.workspace_id = ${account.workspaceId} and c.campaign_lead_id = ${lead.id}`;

/** That the lead still names a person: one who was erased has no thread. */
const isKnown = ({ id }: { id: string }): SQL =>
  sql`exists (select 1 from campaign_leads l where l.id = ${id} and (l.email is not null or l.profile_url is not null))`;

function openThread(db: Db, thread: Thread, { sentAt, now }: NetworkMessage): Statement {
  const { account, lead } = thread;
  const at = instantParam(now);
  return db.execute(sql`
    insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, lead_id, campaign_id, campaign_lead_id,
      channel, subject, last_message_at, unread)
    select ${thread.conversationId}::uuid, ${account.workspaceId}::uuid, ${account.userId}::uuid, ${at}, ${at}, ${account.id}::uuid, ${thread.peerKey},
      ${lead?.leadId ?? null}::uuid, ${lead?.campaignId ?? null}::uuid, ${lead?.id ?? null}::uuid, 'socialnet', null, ${instantParam(sentAt)}, 0
    where not exists (select 1 from conversations c where ${place(thread)})${lead === null ? sql`` : sql` and ${isKnown(lead)}`}
    on conflict (campaign_lead_id) do nothing`);
}

function addMessage(db: Db, thread: Thread, message: NetworkMessage): Statement {
  const { account } = thread;
  const at = instantParam(message.now);
  const isIn = message.direction === "in";
  return db.execute(sql`
    with conversation as (
      select c.id from conversations c where ${place(thread)} limit 1
    ), added as (
      insert into conversation_messages (id, workspace_id, conversation_id, direction, class, message_id, in_reply_to, from_email, to_emails,
        subject, text, html, intent, sent_at, dedup_key)
      select ${message.id}::uuid, ${account.workspaceId}::uuid, conversation.id, ${message.direction}, ${message.class}, null, null,
        ${message.from}, ${sql.param([message.to])}::text[], null, ${message.text}, null, ${message.intent ?? null}::text, ${instantParam(message.sentAt)},
        ${networkDedupKey(account.id, message.messageId)}
      from conversation
      on conflict (workspace_id, dedup_key) do nothing
      returning id, workspace_id, conversation_id
    )${isIn ? sql`, told as (${replyNotice(thread, message)})` : sql``}
    update conversations c
    set last_message_at = greatest(c.last_message_at, ${instantParam(message.sentAt)}), unread = c.unread + ${isIn ? 1 : 0}, updated_at = ${at}${suggestIntent(message.intent, instantParam(message.sentAt))}${isIn ? hears(message.class, true, instantParam(message.sentAt)) : sql``}
    from added where c.id = added.conversation_id`);
}

/** No Message-ID: a mail of the same thread must not name it. */
export const networkDedupKey = (accountId: string, messageId: string): string =>
  `network:${accountId}:${messageId}`;

/** For a lead's message always; for another person's where it answers a message sent by this service. */
function replyNotice({ account, lead }: Thread, { messageId, now }: NetworkMessage): SQL {
  const dedupKey = sql`${`reply:${networkDedupKey(account.id, messageId)}`}::text`;
  const message_id = sql`id`;
  if (lead === null) {
    const answers = sql`(
      select added.* from added
      where exists (select 1 from conversation_messages said where said.conversation_id = added.conversation_id and said.direction = 'out')
    ) answer`;
    return outboxRows("network_reply", answers, dedupKey, { message_id }, now);
  }
  const payload = {
    campaign_id: sql`${lead.campaignId}::text`,
    campaign_lead_id: sql`${lead.id}::text`,
    send_id: sql`${lead.sendId}::text`,
    message_id,
  };
  return outboxRows("lead_reply", sql`added`, dedupKey, payload, now);
}
