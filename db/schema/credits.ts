import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
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
  "expire",
  "refund",
  "refund_failed",
  "dispute",
  "dispute_won",
] as const;

/** A workspace's available and reserved credits, and its debt after a refund of spent ones. */
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
    index("credit_entries_workspace").on(table.workspaceId, table.id),
  ],
);

/**
 * What is reserved, and until when. A capture or release deletes the row, so that a hold ends once;
 * an expired one stays, given back, for work that is delivered after all.
 */
export const creditHolds = pgTable(
  "credit_holds",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    refType: text("ref_type").notNull(),
    refId: text("ref_id").notNull(),
    amount: integer("amount").notNull(),
    expiresAt: instant("expires_at").notNull(),
    returnedAt: instant("returned_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.refType, table.refId] }),
    // Only what is open: what was settled is gone, and what was given back is not looked at again.
    index("credit_holds_expiry")
      .on(table.expiresAt)
      .where(sql`${table.returnedAt} is null`),
  ],
);

/** How far the audit has come: one row, of id 1. */
export const creditAudit = pgTable("credit_audit", {
  id: integer("id").primaryKey(),
  /** The last workspace of the round that is under way; null between two rounds. */
  nextAfter: uuid("next_after"),
  beganAt: instant("began_at").notNull(),
  completedAt: instant("completed_at"),
});

/** Workspaces whose balance the audit found wrong, by how much: balance minus the sum of entries, or of open holds. */
export const creditDiscrepancies = pgTable("credit_discrepancies", {
  workspaceId: uuid("workspace_id").primaryKey(),
  availableOff: bigint("available_off", { mode: "number" }).notNull(),
  heldOff: bigint("held_off", { mode: "number" }).notNull(),
  owedOff: bigint("owed_off", { mode: "number" }).notNull(),
  holdsOff: bigint("holds_off", { mode: "number" }).notNull(),
  foundAt: instant("found_at").notNull(),
});

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
    /** The notice that tells of it; null where the user wants none of its kind. */
    noticeId: uuid("notice_id"),
    attempts: integer("attempts").notNull(),
  },
  (table) => [
    uniqueIndex("outbox_once").on(table.dedupKey),
    index("outbox_waiting")
      .on(table.topic, table.createdAt)
      .where(sql`${table.deliveredAt} is null`),
    index("outbox_delivered")
      .on(table.deliveredAt)
      .where(sql`${table.deliveredAt} is not null`),
    // What is about a lead of a campaign, or about a single message; and all of a workspace.
    index("outbox_about").on(
      table.workspaceId,
      sql`coalesce(${table.payload} ->> 'campaign_lead_id', ${table.payload} ->> 'email_id')`,
    ),
    index("outbox_notice")
      .on(table.noticeId)
      .where(sql`${table.noticeId} is not null`),
  ],
);
