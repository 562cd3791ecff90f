import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";
import { mailAliases } from "./mail.ts";

/**
 * The inbox to which replies to an alias go, and how far it has been read. It holds no mail: a mail that
 * matches a sent message is stored with its conversation.
 */
export const inboxes = pgTable(
  "inboxes",
  {
    aliasId: uuid("alias_id")
      .primaryKey()
      .references(() => mailAliases.id, { onDelete: "cascade" }),
    workspaceId: uuid("workspace_id").notNull(),
    host: text("host").notNull(),
    port: integer("port").notNull(),
    /** Null: the alias's own address. */
    username: text("username"),
    folder: text("folder").notNull(),
    /** The password, sealed by the master key; null where the alias's OAuth is used. */
    secret: text("secret"),
    /** The numbering to which `lastUid` belongs; both null until the first look. */
    uidValidity: bigint("uid_validity", { mode: "number" }),
    /** All mails up to this UID have been read, and those that match a sent message have taken effect. */
    lastUid: bigint("last_uid", { mode: "number" }),
    /** Of a first look, what has a smaller UID is still to be looked at, the newest first; null where nothing is. */
    backlogBefore: bigint("backlog_before", { mode: "number" }),
    /** How far back that goes. */
    backlogSince: instant("backlog_since"),
    nextReadAt: instant("next_read_at").notNull(),
    /** A worker holds the inbox until then. */
    leasedUntil: instant("leased_until"),
    /** When it was last read to the end of what there was. */
    readAt: instant("read_at"),
    /** Failures in a row. */
    failures: integer("failures").notNull(),
    /** How often in a row reading failed behind `lastUid`, without getting any further. */
    stuck: integer("stuck").notNull(),
    /** The same before `backlogBefore`. */
    backlogStuck: integer("backlog_stuck").notNull().default(0),
    lastError: text("last_error"),
    /** It does not work until its owner does something, which the owner was told. */
    broken: boolean("broken").notNull(),
  },
  (table) => [
    index("inboxes_due").on(table.nextReadAt),
    // What is being read, by whose it is.
    index("inboxes_leased")
      .on(table.workspaceId)
      .where(sql`${table.leasedUntil} is not null`),
  ],
);

export type InboxRow = typeof inboxes.$inferSelect;
