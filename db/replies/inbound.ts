import { eq, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import {
  holdSuppressionsStatement,
  lockSuppressionsStatement,
  restLanes,
} from "../engine/index.ts";
import { isErased } from "../base/fragments/suppression-reason.ts";
import { type EmailNotice, outboxRows, outboxStatement } from "../base/fragments/outbox.ts";
import { operatorOfKey } from "../engine/operator-rates.ts";
import { domainOfKey, inboundMails, type ReplyIntent } from "../schema/index.ts";
import { hears, suggestIntent } from "../base/fragments/intent.ts";
import { samePerson } from "../base/fragments/person-leads.ts";
import { keepRawStatement } from "./raw-mails.ts";
import type { AddressedMessage, SentMessage } from "./sent-messages.ts";
import { suppressStatement } from "../people/suppressions.ts";
import { endLeadsStatement } from "../base/fragments/lead-end.ts";

export async function hasInbound(db: Db, contentHash: string): Promise<boolean> {
  const rows = await db
    .select({ id: inboundMails.id })
    .from(inboundMails)
    .where(eq(inboundMails.contentHash, contentHash));
  return rows.length > 0;
}

/** Whether a mail has taken effect that came by another way, with other bytes. */
export async function hasIdentity(db: Db, identity: string): Promise<boolean> {
  const rows = await db
    .select({ id: inboundMails.id })
    .from(inboundMails)
    .where(eq(inboundMails.identity, identity));
  return rows.length > 0;
}

/** Written last: a worker that dies before has its mail taken in again, with effects that are safe to repeat. */
export async function recordInbound(db: Db, row: typeof inboundMails.$inferInsert): Promise<void> {
  await db.insert(inboundMails).values(row).onConflictDoNothing();
}

/** The class of a reply that perhaps asks for no more mail, which a person has to judge. */
export const POSSIBLE_OPT_OUT = "possible_opt_out";

export interface IncomingMessage {
  id: string;
  conversationId: string;
  class: string;
  messageId: string | null;
  inReplyTo: string | null;
  fromEmail: string;
  toEmails: string[];
  subject: string | null;
  text: string;
  html: string | null;
  /** Null of what no person wrote. */
  intent: ReplyIntent | null;
  /** As it was received, in base64; null where it is not kept. */
  raw: string | null;
  sentAt: Date;
  dedupKey: string;
  /** Counts as something to read, which its user is told of. */
  unread: boolean;
  now: Date;
}

/** Owes the notice of each reply in `added`: it has `workspace_id` and its own `id`. */
function replyNotice(sent: SentMessage, message: IncomingMessage): SQL {
  const dedupKey = sql`${`reply:${sent.id}:${message.dedupKey}`}::text`;
  const added = sql`added`;
  if (sent.kind === "email") {
    const payload = { email_id: sql`${sent.id}::text`, message_id: sql`id` };
    return outboxRows("email_reply", added, dedupKey, payload, message.now);
  }
  const payload = {
    campaign_id: sql`${sent.campaignId}::text`,
    campaign_lead_id: sql`${sent.campaignLeadId}::text`,
    send_id: sql`${sent.id}::text`,
    message_id: sql`id`,
  };
  return outboxRows("lead_reply", added, dedupKey, payload, message.now);
}

/**
 * Adds what came in to the conversation of the message that it answers, which it opens if need be; once.
 * What is to be read is owed as a notice with it. Nothing is kept of somebody who was erased.
 */
export async function addIncoming(
  db: Db,
  sent: SentMessage,
  message: IncomingMessage,
): Promise<void> {
  const at = instantParam(message.now);
  const sentAt = instantParam(message.sentAt);
  const open = db.execute(sql`
    insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, lead_id, campaign_id, campaign_lead_id,
      channel, subject, last_message_at, unread)
    select ${message.conversationId}::uuid, ${sent.workspaceId}::uuid, ${sent.ownerUserId}::uuid, ${at}, ${at}, ${sent.laneId}::uuid, ${sent.emailKey},
      ${sent.leadId}::uuid, ${sent.campaignId}::uuid, ${sent.campaignLeadId}::uuid, 'email', ${message.subject}, ${sentAt}, 0
    where ${sent.campaignLeadId}::uuid is not null and ${isKnown(sent)}
    on conflict (campaign_lead_id) do nothing`);
  const add = db.execute(sql`
    with conversation as (
      select id from conversations
      where workspace_id = ${sent.workspaceId}
        and (id = ${sent.conversationId}::uuid or campaign_lead_id = ${sent.campaignLeadId}::uuid) and ${isKnown(sent)}
      limit 1
    ), added as (
      insert into conversation_messages (id, workspace_id, conversation_id, direction, class, message_id, in_reply_to, from_email, to_emails,
        subject, text, html, intent, sent_at, dedup_key)
      select ${message.id}::uuid, ${sent.workspaceId}::uuid, conversation.id, 'in', ${message.class}, ${message.messageId}, ${message.inReplyTo},
        ${message.fromEmail}, ${stillNamed(sent, message)}, ${message.subject}, ${message.text}, ${message.html}, ${message.intent}::text, ${sentAt}, ${message.dedupKey}
      from conversation
      on conflict (workspace_id, dedup_key) do nothing
      returning id, workspace_id, conversation_id
    )${message.unread ? sql`, told as (${replyNotice(sent, message)})` : sql``}
    update conversations c
    set last_message_at = greatest(c.last_message_at, ${sentAt}), unread = c.unread + ${message.unread ? 1 : 0}, updated_at = ${at}${suggestIntent(message.intent, sentAt)}${hears(message.class, message.unread, sentAt)}
    from added where c.id = added.conversation_id`);
  const { id: messageId, raw: content, now } = message;
  const keep = content === null ? [] : [keepRawStatement(db, { messageId, content, now })];
  await commit(db, [holdSuppressionsStatement(db, sent.workspaceId), open, add, ...keep]);
}

/** Who is named beside, without those who were erased. */
const stillNamed = ({ workspaceId }: SentMessage, { toEmails }: IncomingMessage): SQL => sql`array(
  select named.email from unnest(${sql.param(toEmails)}::text[]) with ordinality as named(email, place)
  where not ${isErased(sql`${workspaceId}::uuid`, sql`named.email`)} order by named.place)`;

/** That the message still names its recipient. */
const isKnown = ({ kind, id, campaignLeadId }: SentMessage): SQL =>
  kind === "email"
    ? sql`exists (select 1 from emails e where e.id = ${id} and e.email_key <> '')`
    : sql`exists (select 1 from campaign_leads l where l.id = ${campaignLeadId}::uuid and l.email_key is not null)`;

/** Ends an address after feedback about a single message: suppressed, and its leads end in every campaign. Answers in which. */
export async function endAddress(
  db: Db,
  sent: AddressedMessage,
  order: {
    id: string;
    valueHash: string;
    reason: "hard_bounce" | "complaint" | "unsubscribe";
    /** Until when the address is suppressed; null for good. */
    until: Date | null;
    status: "bounced" | "complained" | "unsubscribed";
    notice: { id: string; kind: EmailNotice; why: string | null } | null;
    now: Date;
  },
): Promise<string[]> {
  const { notice, now } = order;
  const told: Statement[] = [];
  if (notice !== null) {
    const { why, ...effect } = notice;
    const { workspaceId, id, emailKey } = sent;
    const dedupKey = `feedback:${id}:${order.reason}`;
    const payload = { email_id: id, ...(why !== null && { why }) };
    told.push(outboxStatement(db, { ...effect, workspaceId, dedupKey, payload, emailKey, now }));
  }
  const [, , ended] = await commit(db, [
    lockSuppressionsStatement(db, sent.workspaceId),
    suppressStatement(
      db,
      { id: order.id, workspaceId: sent.workspaceId, userId: sent.ownerUserId, now: order.now },
      {
        value: sent.emailKey,
        valueHash: order.valueHash,
        kind: "email",
        reason: order.reason,
        expiresAt: order.until,
      },
    ),
    endLeadsStatement(
      db,
      { status: order.status, stopReason: order.status },
      now,
      sql`l.workspace_id = ${sent.workspaceId} and l.email_key = ${sent.emailKey}`,
    ),
    ...told,
  ]);
  return ended.rows.map((row) => row.campaign_id);
}

/**
 * Ends who replied to a single message, as a reply to a campaign's does: the person's leads in campaigns that end on a
 * reply, known by the address or by the campaign's thread in which the message stands, and in that campaign those of
 * their `company` (a domain) where it stops at a company's reply. Answers in which campaigns.
 */
export async function endPerson(
  db: Db,
  { workspaceId, emailKey, conversationId }: SentMessage,
  company: string | null,
  now: Date,
): Promise<string[]> {
  const ofThread = sql`select o.campaign_id from conversations v join campaign_leads o on o.id = v.campaign_lead_id where v.id = ${conversationId}::uuid`;
  const ofCompany =
    company === null
      ? sql`false`
      : sql`(c.stop_on_company_reply and ${domainOfKey(sql`l.email_key`)} = ${company} and l.campaign_id in (${ofThread}))`;
  const leadIds = sql`array(
    select k.id from campaign_leads k where k.workspace_id = ${workspaceId} and k.email_key = ${emailKey}
    union all select v.campaign_lead_id from conversations v where v.id = ${conversationId}::uuid)`;
  const [, ended] = await commit(db, [
    lockSuppressionsStatement(db, workspaceId),
    endLeadsStatement(
      db,
      { status: "replied", stopReason: "replied" },
      now,
      sql`l.workspace_id = ${workspaceId} and c.stop_on_reply
        and (l.id = any(${samePerson(workspaceId, { leadIds, emailKey })}) or ${ofCompany})`,
    ),
  ]);
  return ended.rows.map((row) => row.campaign_id);
}

/** So many of a sender's last sends are read. */
const LOOKED_AT = 50;

/** At how many operators besides this address's own a sender's last messages came back for now, since then. */
export async function returnedFrom(
  db: Db,
  { laneId, emailKey, since }: { laneId: string; emailKey: string; since: Date },
): Promise<number> {
  const { rows } = await db.execute<{ operators: number }>(sql`
    select count(distinct ${operatorOfKey(sql`last.email_key`)})::int as operators from (
      select email_key, soft_bounced_at from sends where lane_id = ${laneId} order by slot_at desc limit ${LOOKED_AT}
    ) last
    where last.soft_bounced_at > ${instantParam(since)} and ${operatorOfKey(sql`last.email_key`)} <> ${operatorOfKey(sql`${emailKey}::text`)}`);
  return rows[0]!.operators;
}

/** Lets an open sender rest, with the reason as its last error: receivers refuse it, not its recipients. */
export async function restSender(
  db: Db,
  order: { laneId: string; until: Date; reason: string; now: Date },
): Promise<void> {
  const at = instantParam(order.now);
  await db.execute(sql`
    with alias as (
      update mail_aliases a set last_error = ${order.reason.slice(0, 1000)}, last_error_kind = null, updated_at = ${at}
      from sender_lanes own where a.id = ${order.laneId} and own.id = a.id and own.open returning a.id
    )
    ${restLanes({ from: sql`alias`, where: sql`lane.id = alias.id` }, instantParam(order.until), at)}`);
}
