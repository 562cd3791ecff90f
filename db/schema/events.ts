import { sql } from "drizzle-orm";
import {
  bigint,
  customType,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant, type Json } from "./columns.ts";

/** A transaction's number, of 64 bits. */
export const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/**
 * What happened, a row each, written by triggers on the tables in which it happens (`db/workspace/events`). Read in the
 * order of (`tx`, `seq`): a row of a transaction that is still under way can only come behind those that are read.
 */
export const events = pgTable(
  "events",
  {
    workspaceId: uuid("workspace_id").notNull(),
    tx: xid8("tx")
      .notNull()
      .default(sql`pg_current_xact_id()`),
    seq: bigint("seq", { mode: "number" }).generatedAlwaysAsIdentity(),
    id: uuid("id").notNull(),
    type: text("type").notNull(),
    at: instant("at").notNull(),
    /** `key:<id>` or `user:<id>`; null for the service itself. */
    actor: text("actor"),
    campaignId: uuid("campaign_id"),
    data: jsonb("data").$type<Record<string, Json>>().notNull(),
  },
  (table) => [
    primaryKey({ name: "events_pkey", columns: [table.workspaceId, table.tx, table.seq] }),
    // Rows come in the order of time, so that what is old is found by blocks.
    index("events_age").using("brin", table.at),
  ],
);
