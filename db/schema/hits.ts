import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";

export const EVENT_KINDS = ["open", "click", "unsubscribe"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const EVENT_CLASSES = ["human", "suspect", "bot", "proxy"] as const;
export type EventClass = (typeof EVENT_CLASSES)[number];

/** Raw tracking events: each request for a pixel or link, and one unsubscription per message. */
export const emailEvents = pgTable(
  "email_events",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    /** Null for a message that no campaign sent: then `sendId` is the email's id. */
    campaignId: uuid("campaign_id"),
    sendId: uuid("send_id").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    at: instant("at").notNull(),
    linkIndex: integer("link_index").notNull(),
    url: text("url"),
    classification: text("classification", { enum: EVENT_CLASSES }).notNull(),
    reasons: text("reasons").array().notNull(),
    userAgent: text("user_agent"),
    /** Number of the autonomous system that it came from. */
    asn: bigint("asn", { mode: "number" }),
  },
  (table) => [
    oneOf("email_events_kind", table.kind, EVENT_KINDS),
    oneOf("email_events_classification", table.classification, EVENT_CLASSES),
    index("email_events_message").on(table.sendId, table.at),
    uniqueIndex("email_events_unsubscribed")
      .on(table.sendId)
      .where(sql`${table.kind} = 'unsubscribe'`),
    index("email_events_campaign").on(table.campaignId, table.at),
    index("email_events_ended")
      .on(table.at)
      .where(sql`${table.kind} <> 'unsubscribe'`),
  ],
);
