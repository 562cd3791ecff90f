import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf, ownedRow, workRow } from "./columns.ts";

/** What the mails of a test say: the same to each seed, from each alias with its own name and signature. */
export interface PlacementLetter {
  subject: string;
  html: string;
  /** Of a plain text. */
  text?: string;
  track_opens: boolean;
  track_clicks: boolean;
  /** Of a campaign's step, which has a signature, a footer and a way out. */
  postal_address?: string;
  feedback_id: string | null;
}

/** A message that goes to mailboxes of the workspace's own, to see where they file it. */
export const placementTests = pgTable(
  "placement_tests",
  {
    ...ownedRow(),
    campaignId: uuid("campaign_id"),
    step: integer("step"),
    /** The lead's that the step was written for, in the form in which addresses are compared; null for none. */
    emailKey: text("email_key"),
    subject: text("subject").notNull(),
    /** Null once nothing is left to be sent. */
    letter: jsonb("letter").$type<PlacementLetter>(),
    deleteAfter: boolean("delete_after").notNull(),
    /** Its row goes on to count in the tests of its day. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    index("placement_tests_workspace").on(table.workspaceId, table.id),
    index("placement_tests_made").on(table.createdAt),
  ],
);

export const PLACEMENT_STATES = [
  "queued",
  "transmitting",
  "looking",
  "found",
  "missing",
  "bounced",
  "not_sent",
  "unreadable",
  "unknown",
] as const;
export type PlacementState = (typeof PLACEMENT_STATES)[number];

/** What a receiver may find of a method (RFC 8601 section 2.7), and Microsoft's guess. */
const AUTH_WORDS = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
  "bestguesspass",
] as const;

/**
 * One mail of a test, from an alias to a seed, and what was seen of it. `transmitting` is committed before DATA; where
 * its worker dies it is looked for all the same, and not sent again.
 */
export const placementMails = pgTable(
  "placement_mails",
  {
    ...workRow(),
    id: uuid("id").primaryKey(),
    testId: uuid("test_id")
      .notNull()
      .references(() => placementTests.id, { onDelete: "cascade" }),
    workspaceId: uuid("workspace_id").notNull(),
    aliasId: uuid("alias_id").notNull(),
    fromEmail: text("from_email").notNull(),
    seedAliasId: uuid("seed_alias_id").notNull(),
    toEmail: text("to_email").notNull(),
    emailKey: text("email_key").notNull(),
    state: text("state", { enum: PLACEMENT_STATES }).notNull(),
    messageId: text("message_id").notNull(),
    /** When it took its place in its alias's day; null while nothing of it has gone out. */
    countedAt: instant("counted_at"),
    /** When the relay took it; null where that is not known. */
    sentAt: instant("sent_at"),
    /** From when on its absence counts as missing. */
    lookUntil: instant("look_until").notNull(),
    place: text("place", { enum: ["inbox", "spam", "other"] }),
    category: text("category", {
      enum: ["primary", "social", "promotions", "updates", "forums"],
    }),
    folder: text("folder"),
    /** By the seed's server, within what we know of it. */
    arrivedAt: instant("arrived_at"),
    copies: integer("copies").notNull(),
    authBy: text("auth_by"),
    spf: text("spf", { enum: AUTH_WORDS }),
    dkim: text("dkim", { enum: AUTH_WORDS }),
    dmarc: text("dmarc", { enum: AUTH_WORDS }),
    /** Whether our mail was deleted from the seed; null where that was not asked, or not tried yet. */
    removed: boolean("removed"),
    /** When it came to its end; null while it is open. */
    endedAt: instant("ended_at"),
    /** Why it is not sent, not readable or not known, or what it came back with, in words for its owner. */
    note: text("note"),
  },
  (table) => [
    oneOf("placement_mails_state", table.state, PLACEMENT_STATES),
    index("placement_mails_test").on(table.testId, table.seedAliasId),
    index("placement_mails_message_id").on(table.messageId),
    index("placement_mails_due")
      .on(table.dueAt)
      .where(sql`${table.state} in ('queued', 'transmitting', 'looking')`),
    index("placement_mails_counted")
      .on(table.aliasId, table.countedAt)
      .where(sql`${table.countedAt} is not null`),
  ],
);
