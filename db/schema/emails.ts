import { type SQL, sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, oneOf, ownedRow } from "./columns.ts";
import { CHANNELS } from "./content.ts";

export const EMAIL_STATES = [
  "queued",
  "scheduled",
  "transmitting",
  "sent",
  "unknown",
  "suppressed",
  "failed",
  "cancelled",
] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** As given by the caller; `content` is base64. */
export interface StoredAttachment {
  filename: string;
  content_type: string;
  content: string;
}

/**
 * A single message sent through the API. `transmitting` is committed before
 * DATA; a worker that dies there leaves `unknown`, which is never retried.
 */
export const emails = pgTable(
  "emails",
  {
    ...ownedRow(),
    aliasId: uuid("alias_id").notNull(),
    conversationId: uuid("conversation_id").notNull(),
    fromEmail: text("from_email").notNull(),
    toEmail: text("to_email").notNull(),
    emailKey: text("email_key").notNull(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    format: text("format", { enum: ["html", "text"] }).notNull(),
    /** Emptied when the message has left. */
    attachments: jsonb("attachments").$type<StoredAttachment[]>().notNull(),
    trackOpens: boolean("track_opens").notNull(),
    trackClicks: boolean("track_clicks").notNull(),
    clickTrackingPatterns: text("click_tracking_patterns").array().notNull(),
    inReplyTo: text("in_reply_to"),
    scheduledAt: instant("scheduled_at"),
    /** The queue's message is sent again when this is long past. */
    dueAt: instant("due_at").notNull(),
    state: text("state", { enum: EMAIL_STATES }).notNull(),
    messageId: text("message_id").notNull(),
    attempts: integer("attempts").notNull(),
    leaseUntil: instant("lease_until"),
    workerToken: uuid("worker_token"),
    /**
     * When it took its place in its alias's day, once however often it is tried; null while nothing of it has gone out.
     * The ledger of single messages, as `sends` is of a campaign's.
     */
    countedAt: instant("counted_at"),
    sentAt: instant("sent_at"),
    suppressionReason: text("suppression_reason"),
    error: text("error"),
    opens: integer("opens").notNull(),
    clicks: integer("clicks").notNull(),
    machineOpens: integer("machine_opens").notNull(),
    machineClicks: integer("machine_clicks").notNull(),
  },
  (table) => [
    oneOf("emails_state", table.state, EMAIL_STATES),
    index("emails_workspace").on(table.workspaceId, table.id),
    index("emails_not_sent")
      .on(table.workspaceId, table.state, table.id)
      .where(sql`${table.state} <> 'sent'`),
    index("emails_address").on(table.workspaceId, table.emailKey),
    // A reply's sent message by correspondent and address, over all workspaces.
    index("emails_correspondents").on(table.emailKey, sql`lower(${table.fromEmail})`),
    index("emails_message_id").on(table.messageId),
    index("emails_due")
      .on(table.dueAt)
      .where(sql`${table.state} in ('queued', 'scheduled')`),
    index("emails_counted")
      .on(table.aliasId, table.countedAt)
      .where(sql`${table.countedAt} is not null`),
    index("emails_open")
      .on(table.leaseUntil)
      .where(sql`${table.state} = 'transmitting'`),
  ],
);

/** What a person seems to say by a reply. */
export const REPLY_INTENTS = [
  "interested",
  "not_now",
  "not_interested",
  "referral",
  "question",
  "unclear",
] as const;
export type ReplyIntent = (typeof REPLY_INTENTS)[number];

/** `snoozed` is open again from `snoozedUntil` on. */
export const CONVERSATION_STATES = ["open", "done", "snoozed"] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

/** One thread between an alias and a person, whatever was sent and received in it. */
export const conversations = pgTable(
  "conversations",
  {
    ...ownedRow(),
    aliasId: uuid("alias_id"),
    /** The other side, in the form in which addresses are compared. */
    peerKey: text("peer_key").notNull(),
    leadId: uuid("lead_id"),
    campaignId: uuid("campaign_id"),
    campaignLeadId: uuid("campaign_lead_id"),
    channel: text("channel", { enum: CHANNELS }).notNull(),
    subject: text("subject"),
    lastMessageAt: instant("last_message_at").notNull(),
    unread: integer("unread").notNull(),
    /** Of the last reply that says anything, unless a person has set it; null before one. */
    intent: text("intent", { enum: REPLY_INTENTS }),
    /** Of the newest message that came in; null before one. */
    class: text("class"),
    /** What a person made of it; a reply opens it again. */
    state: text("state", { enum: CONVERSATION_STATES }).notNull().default("open"),
    snoozedUntil: instant("snoozed_until"),
  },
  (table) => [
    oneOf("conversations_state", table.state, CONVERSATION_STATES),
    index("conversations_workspace").on(table.workspaceId, table.lastMessageAt, table.id),
    index("conversations_peer").on(table.workspaceId, table.peerKey),
    // What `countConversations` groups by, so that no row is read: few keys, of which an index notes each once.
    index("conversations_counted").on(
      table.workspaceId,
      table.state,
      table.class,
      table.unread,
      table.snoozedUntil,
    ),
    uniqueIndex("conversations_campaign_lead").on(table.campaignLeadId),
  ],
);

/** The name in the page of a member of a network. */
const pageOf = (address: SQL): SQL => sql`lower(substring(${address} from '/in/([^/]+)'))`;

export const MESSAGE_DIRECTIONS = ["out", "in"] as const;

/** The messages of conversations; a message counts once, by its content. */
export const conversationMessages = pgTable(
  "conversation_messages",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    direction: text("direction", { enum: MESSAGE_DIRECTIONS }).notNull(),
    /** How the message is classed: `sent`, or what an incoming one turned out to be. */
    class: text("class").notNull(),
    messageId: text("message_id"),
    inReplyTo: text("in_reply_to"),
    fromEmail: text("from_email").notNull(),
    toEmails: text("to_emails").array().notNull(),
    subject: text("subject"),
    text: text("text").notNull(),
    html: text("html"),
    /** A suggestion, made when it was read; null of what no person wrote, and of what came before there were any. */
    intent: text("intent", { enum: REPLY_INTENTS }),
    sentAt: instant("sent_at").notNull(),
    /** What makes it the same message if it comes again. */
    dedupKey: text("dedup_key").notNull(),
  },
  (table) => [
    oneOf("conversation_messages_direction", table.direction, MESSAGE_DIRECTIONS),
    index("conversation_messages_thread").on(table.conversationId, table.sentAt, table.id),
    index("conversation_messages_message_id").on(table.workspaceId, table.messageId),
    // Of a person, by each way in which a message names one.
    index("conversation_messages_from").on(table.workspaceId, sql`lower(${table.fromEmail})`),
    index("conversation_messages_to").using("gin", table.toEmails),
    index("conversation_messages_from_page")
      .on(table.workspaceId, pageOf(sql`${table.fromEmail}`))
      .where(sql`${pageOf(sql`${table.fromEmail}`)} is not null`),
    index("conversation_messages_to_page")
      .on(table.workspaceId, pageOf(sql`${table.toEmails}[1]`))
      .where(sql`${pageOf(sql`${table.toEmails}[1]`)} is not null`),
    uniqueIndex("conversation_messages_once").on(table.workspaceId, table.dedupKey),
  ],
);
