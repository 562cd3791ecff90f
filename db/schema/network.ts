import { sql } from "drizzle-orm";
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
import { instant, type Json, oneOf, ownedRow } from "./columns.ts";

/** As stored; an account that is connected is shown as `rate_limited` until `rateLimitedUntil`. */
export const ACCOUNT_STATES = ["connected", "disconnected", "error", "reconnecting"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** An account of a professional network; its lane has its id. */
export const connectedAccounts = pgTable(
  "connected_accounts",
  {
    ...ownedRow(),
    provider: text("provider").notNull(),
    /** The provider's id of the session; '' until known. */
    providerAccountId: text("provider_account_id").notNull(),
    /** The owner's own id at the network: by it an account that is connected again is known. */
    personId: text("person_id"),
    publicIdentifier: text("public_identifier"),
    displayName: text("display_name").notNull(),
    profileUrl: text("profile_url").notNull(),
    isPremium: boolean("is_premium").notNull(),
    status: text("status", { enum: ACCOUNT_STATES }).notNull(),
    /** When it left `connected`, or came back. */
    statusSince: instant("status_since").notNull(),
    checkpointPending: boolean("checkpoint_pending").notNull(),
    rateLimitedUntil: instant("rate_limited_until"),
    /** Until when no note is tried: the network has refused one, and its requests without a note go on. */
    notesClosedUntil: instant("notes_closed_until"),
    /** What it said to that. */
    notesRefusal: text("notes_refusal"),
    isDefault: boolean("is_default").notNull(),
    dailyConnectionLimit: integer("daily_connection_limit").notNull(),
    dailyMessageLimit: integer("daily_message_limit").notNull(),
    warmupDays: integer("warmup_days").notNull(),
    /** When it was first connected: its warm-up counts from here. */
    warmupFrom: instant("warmup_from"),
    connectionCountry: text("connection_country"),
    /** Faults of the provider in a row. */
    failures: integer("failures").notNull(),
    lastError: text("last_error"),
    /** Up to when everything said to it was taken in: what webhooks did not tell is read after. Null: since it was first connected. */
    heardUntil: instant("heard_until"),
    /** When the provider is next asked about it. */
    nextSyncAt: instant("next_sync_at"),
  },
  (table) => [
    oneOf("connected_accounts_status", table.status, ACCOUNT_STATES),
    index("connected_accounts_workspace").on(table.workspaceId, table.id),
    uniqueIndex("connected_accounts_default")
      .on(table.workspaceId)
      .where(sql`${table.isDefault}`),
    uniqueIndex("connected_accounts_provider")
      .on(table.provider, table.providerAccountId)
      .where(sql`${table.providerAccountId} <> ''`),
    uniqueIndex("connected_accounts_person")
      .on(table.workspaceId, table.provider, table.personId)
      .where(sql`${table.personId} is not null`),
    index("connected_accounts_sync")
      .on(table.nextSyncAt)
      .where(sql`${table.nextSyncAt} is not null`),
  ],
);

/** A challenge that is open: what the token stands for. The token itself is not kept, nor any password or code. */
export const accountCheckpoints = pgTable(
  "account_checkpoints",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => connectedAccounts.id, { onDelete: "cascade" }),
    /** SHA-256, hex. */
    tokenHash: text("token_hash").notNull(),
    providerAccountId: text("provider_account_id").notNull(),
    type: text("type").notNull(),
    tries: integer("tries").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("account_checkpoints_token").on(table.tokenHash),
    index("account_checkpoints_account").on(table.accountId),
  ],
);

export const POST_STATUSES = [
  "draft",
  "scheduled",
  "publishing",
  "published",
  "failed",
  "deleted",
] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

export const socialPosts = pgTable(
  "social_posts",
  {
    ...ownedRow(),
    connectedAccountId: uuid("connected_account_id"),
    status: text("status", { enum: POST_STATUSES }).notNull(),
    text: text("text"),
    providerPostId: text("provider_post_id"),
    socialId: text("social_id"),
    shareUrl: text("share_url"),
    attachments: jsonb("attachments").$type<Record<string, Json>[]>().notNull(),
    isRepost: boolean("is_repost").notNull(),
    authorName: text("author_name"),
    authorId: text("author_id"),
    publishedAt: instant("published_at"),
    scheduledAt: instant("scheduled_at"),
    retryCount: integer("retry_count").notNull(),
    lastError: text("last_error"),
    impressions: integer("impressions").notNull(),
    reactions: integer("reactions").notNull(),
    comments: integer("comments").notNull(),
    reposts: integer("reposts").notNull(),
    metricsUpdatedAt: instant("metrics_updated_at"),
    /** When a worker has to come for it, to publish it or to count it; null for never. */
    dueAt: instant("due_at"),
    /** Since when the post is being handed over: committed before, so that one whose answer was lost is looked up and not published twice. */
    begunAt: instant("begun_at"),
    leaseUntil: instant("lease_until"),
    workerToken: uuid("worker_token"),
  },
  (table) => [
    oneOf("social_posts_status", table.status, POST_STATUSES),
    index("social_posts_workspace").on(table.workspaceId, table.createdAt, table.id),
    index("social_posts_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
  ],
);

/** The picture of a post until it is published. */
export const socialPostImages = pgTable("social_post_images", {
  postId: uuid("post_id")
    .primaryKey()
    .references(() => socialPosts.id, { onDelete: "cascade" }),
  contentType: text("content_type").notNull(),
  /** In base64. */
  content: text("content").notNull(),
});
