import { sql } from "drizzle-orm";
import { customType, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { conversationMessages } from "./emails.ts";
import { instant } from "./columns.ts";

const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/**
 * A message of a conversation as it was received, for RAW_MAIL_DAYS. Its own table, because messages are read often
 * and without it; every deletion of the message deletes it too.
 */
export const rawMails = pgTable(
  "raw_mails",
  {
    messageId: uuid("message_id")
      .primaryKey()
      .references(() => conversationMessages.id, { onDelete: "cascade" }),
    content: bytes("content").notNull(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [index("raw_mails_age").on(table.receivedAt)],
);

/** Mail that came in and took effect: the same bytes a second time do nothing. And single messages by whose report a sender rested. */
export const inboundMails = pgTable(
  "inbound_mails",
  {
    id: uuid("id").primaryKey(),
    /** SHA-256 (hex) of the raw mail, its envelope recipient, and the workspace out of whose mailbox it was read. */
    contentHash: text("content_hash").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** What it was taken for. */
    class: text("class").notNull(),
    /** Null of the service's own tests; what is about nothing has no row. */
    workspaceId: uuid("workspace_id"),
    matchedBy: text("matched_by"),
    /** The send or the email it is about. */
    messageRowId: uuid("message_row_id"),
    /** SHA-256 (hex) of what stays the same of a mail that comes by several ways; null of what is about nothing. */
    identity: text("identity"),
  },
  (table) => [
    uniqueIndex("inbound_mails_once").on(table.contentHash),
    index("inbound_mails_received").on(table.receivedAt),
    index("inbound_mails_workspace")
      .on(table.workspaceId)
      .where(sql`${table.workspaceId} is not null`),
    uniqueIndex("inbound_mails_identity")
      .on(table.identity)
      .where(sql`${table.identity} is not null`),
  ],
);
