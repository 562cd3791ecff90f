import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** Mail that came in and took effect: the same bytes a second time do nothing. */
export const inboundMails = pgTable(
  "inbound_mails",
  {
    id: uuid("id").primaryKey(),
    /** SHA-256 (hex) of the raw mail and its envelope recipient. */
    contentHash: text("content_hash").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** What it was taken for. */
    class: text("class").notNull(),
    /** Null when it belongs to nothing that was sent. */
    workspaceId: uuid("workspace_id"),
    matchedBy: text("matched_by"),
    /** The send or the email it is about. */
    messageRowId: uuid("message_row_id"),
    /** SHA-256 (hex) of what stays the same of a mail that comes by several ways; null of what is about nothing. */
    identity: text("identity"),
  },
  (table) => [
    uniqueIndex("inbound_mails_once").on(table.contentHash),
    uniqueIndex("inbound_mails_identity")
      .on(table.identity)
      .where(sql`${table.identity} is not null`),
  ],
);
