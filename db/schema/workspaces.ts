import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf } from "./columns.ts";
import { CONFIRMS } from "./confirmations.ts";

export const PLANS = ["free", "paid"] as const;
export type Plan = (typeof PLANS)[number];

export const users = pgTable("users", {
  id: uuid("id").primaryKey(),
  email: text("email"),
  name: text("name"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

export const workspaces = pgTable(
  "workspaces",
  {
    id: uuid("id").primaryKey(),
    /** The owner who answers for it: who made it, or after they left the one who is an owner for longest. */
    ownerUserId: uuid("owner_user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    plan: text("plan", { enum: PLANS }).notNull(),
    timezone: text("timezone").notNull(),
    postalAddress: text("postal_address"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    deletedAt: instant("deleted_at"),
    /** From here on it cannot be restored: its rows go, piece by piece. */
    erasureBeganAt: instant("erasure_began_at"),
    /** What is left is the stub that the entries of its credit ledger point at. */
    erasedAt: instant("erased_at"),
    /** While it is moved to another cell, or from one: nothing of it changes (`db/workspace/moving/`). */
    frozenAt: instant("frozen_at"),
    /** The cell that it lives in, or is being moved to; null: this one. */
    cell: text("cell"),
    /** When it was frozen to come here, from the beginning of its arrival, or when its database was restored: places in the feed of events that were given out before mean nothing here. */
    arrivedAt: instant("arrived_at"),
  },
  (table) => [
    oneOf("workspaces_plan", table.plan, PLANS),
    index("workspaces_owner").on(table.ownerUserId),
    index("workspaces_to_erase")
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null and ${table.erasedAt} is null`),
  ],
);

/** Which user a login token's (issuer, subject) is; made at first sight. */
export const identities = pgTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    createdAt: instant("created_at").notNull(),
    /** "Sign out everywhere": the console's sessions that began until then have ended; at first those of before the login was known. */
    sessionsValidFrom: instant("sessions_valid_from"),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

/** Workspace API keys. Only the SHA-256 (hex) of a key is stored. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    userId: uuid("user_id").notNull(),
    name: text("name").notNull(),
    keyPrefix: text("key_prefix").notNull(),
    keyHash: text("key_hash").notNull(),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
    /** What the key may do; null: everything. */
    scopes: text("scopes").array(),
    expiresAt: instant("expires_at"),
    /** Who confirms what an agent with this key would send. */
    confirm: text("confirm", { enum: CONFIRMS }).notNull().default("human"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("api_keys_confirm", table.confirm, CONFIRMS),
    uniqueIndex("api_keys_hash").on(table.keyHash),
    index("api_keys_workspace").on(table.workspaceId, table.id),
  ],
);
