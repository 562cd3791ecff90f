import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";
import { users } from "./workspaces.ts";

/** A user's notices and their channels. A user who never chose has no row: the defaults are in src/domain. */
export const notificationPreferences = pgTable("notification_preferences", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  emailEnabled: boolean("email_enabled").notNull(),
  personalEmail: text("personal_email"),
  whatsappEnabled: boolean("whatsapp_enabled").notNull(),
  whatsappNumber: text("whatsapp_number"),
  notifyOnReply: boolean("notify_on_reply").notNull(),
  notifyOnBounce: boolean("notify_on_bounce").notNull(),
  notifyOnComplaint: boolean("notify_on_complaint").notNull(),
  /** The workspace by whose key the addresses were given: they count in no other one. Null: by the user's login. */
  addressesOf: uuid("addresses_of"),
  updatedAt: instant("updated_at").notNull(),
});

/** Until when what happens around a topic is gathered, to be told together. */
export const noticeWindows = pgTable(
  "notice_windows",
  {
    topic: text("topic").primaryKey(),
    openUntil: instant("open_until").notNull(),
  },
  (table) => [index("notice_windows_ended").on(table.openUntil)],
);

export const NOTICE_CHANNELS = ["email", "whatsapp"] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

export const DELIVERY_STATES = [
  "waiting",
  "transmitting",
  "sent",
  "unknown",
  "undeliverable",
  "dead",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * One notice to one member on one channel; the rows of the outbox that it tells of name it. `transmitting` is
 * committed before anything is handed over; a worker that dies there leaves `unknown`, which is
 * never repeated. `undeliverable`: no recipient, or no such channel here; `dead`: given up.
 */
export const noticeDeliveries = pgTable(
  "notice_deliveries",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    noticeId: uuid("notice_id").notNull(),
    /** The member that the notice is for; null: the owner, in rows of before members had notices. */
    userId: uuid("user_id"),
    channel: text("channel", { enum: NOTICE_CHANNELS }).notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull(),
    /** While a worker has claimed it: when it falls due again, should that one die. */
    dueAt: instant("due_at").notNull(),
    /** How often a worker has claimed it. */
    attempts: integer("attempts").notNull(),
    workerToken: uuid("worker_token"),
    /** Of what is being handed over: when its worker is given up. */
    leaseUntil: instant("lease_until"),
    /** The relay's or provider's last reply, or why the notice was not sent. */
    error: text("error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("notice_deliveries_channel", table.channel, NOTICE_CHANNELS),
    oneOf("notice_deliveries_state", table.state, DELIVERY_STATES),
    uniqueIndex("notice_deliveries_once").on(table.noticeId, table.userId, table.channel),
    index("notice_deliveries_due")
      .on(table.dueAt)
      .where(sql`${table.state} = 'waiting'`),
    index("notice_deliveries_open")
      .on(table.leaseUntil)
      .where(sql`${table.state} = 'transmitting'`),
    index("notice_deliveries_ended")
      .on(table.updatedAt)
      .where(sql`${table.state} not in ('waiting', 'transmitting')`),
    index("notice_deliveries_failed")
      .on(table.updatedAt)
      .where(sql`${table.state} in ('unknown', 'undeliverable', 'dead')`),
  ],
);
