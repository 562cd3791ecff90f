import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** An `Idempotency-Key` that a request has used up: its row is written in the transaction of the request's first write. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    workspaceId: uuid("workspace_id").notNull(),
    /** SHA-256 of the key, which may name a person. */
    keyHash: text("key_hash").notNull(),
    /** SHA-256 of method, path, query and body. */
    fingerprint: text("fingerprint").notNull(),
    createdAt: instant("created_at").notNull(),
    /** What is written with this row is the request's whole effect; else, without an answer, it is not known how far it came. */
    isEffect: boolean("is_effect").notNull(),
    /** What the request makes or changes, where that is one record. */
    resourceId: uuid("resource_id"),
    /** Null while the request runs, and for good where its answer was lost. */
    status: integer("status"),
    headers: jsonb("headers").$type<Record<string, string>>(),
    body: text("body"),
  },
  (table) => [
    primaryKey({ name: "idempotency_keys_pkey", columns: [table.workspaceId, table.keyHash] }),
    index("idempotency_keys_age").on(table.createdAt),
  ],
);
