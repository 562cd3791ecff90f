import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, type Json, oneOf } from "./columns.ts";
import { workspaces } from "./workspaces.ts";

export const CREDIT_KINDS = [
  "grant",
  "hold",
  "capture",
  "release",
  "refund",
  "refund_failed",
  "dispute",
  "dispute_won",
] as const;

/** What a workspace can spend, what is reserved, and what it owes after a refund of spent credits. */
export const creditBalances = pgTable(
  "credit_balances",
  {
    workspaceId: uuid("workspace_id")
      .primaryKey()
      .references(() => workspaces.id),
    available: integer("available").notNull(),
    held: integer("held").notNull(),
    owed: integer("owed").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    check(
      "credit_balances_not_negative",
      sql`${table.available} >= 0 and ${table.held} >= 0 and ${table.owed} >= 0`,
    ),
  ],
);

/** Append-only; the sum of a workspace's deltas equals its balance. */
export const creditEntries = pgTable(
  "credit_entries",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    kind: text("kind", { enum: CREDIT_KINDS }).notNull(),
    availableDelta: integer("available_delta").notNull(),
    heldDelta: integer("held_delta").notNull(),
    owedDelta: integer("owed_delta").notNull(),
    refType: text("ref_type").notNull(),
    refId: text("ref_id").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    oneOf("credit_entries_kind", table.kind, CREDIT_KINDS),
    uniqueIndex("credit_entries_once").on(
      table.workspaceId,
      table.kind,
      table.refType,
      table.refId,
    ),
    // A hold ends once: captured or released, never both.
    uniqueIndex("credit_entries_settled_once")
      .on(table.workspaceId, table.refType, table.refId)
      .where(sql`${table.kind} in ('capture', 'release')`),
    index("credit_entries_workspace").on(table.workspaceId, table.id),
  ],
);

/** Effects owed to the outside world, written in the transaction that owes them and delivered later. */
export const outbox = pgTable(
  "outbox",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    kind: text("kind").notNull(),
    /** One row per effect: a repeated cause adds nothing. */
    dedupKey: text("dedup_key").notNull(),
    payload: jsonb("payload").$type<Json>().notNull(),
    /** What it is about: a campaign, or else the workspace. Effects of a topic are told together. */
    topic: text("topic")
      .generatedAlwaysAs(sql`coalesce(payload ->> 'campaign_id', workspace_id::text)`)
      .notNull(),
    createdAt: instant("created_at").notNull(),
    deliveredAt: instant("delivered_at"),
    /** The notice that tells of it; none where nobody wants to hear of it. */
    noticeId: uuid("notice_id"),
    attempts: integer("attempts").notNull(),
  },
  (table) => [
    uniqueIndex("outbox_once").on(table.dedupKey),
    index("outbox_waiting")
      .on(table.topic, table.createdAt)
      .where(sql`${table.deliveredAt} is null`),
    index("outbox_notice")
      .on(table.noticeId)
      .where(sql`${table.noticeId} is not null`),
  ],
);
