import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant, type Json, oneOf } from "./columns.ts";

export const CONFIRMATION_STATUSES = ["waiting", "approved", "declined", "spent"] as const;
export type ConfirmationStatus = (typeof CONFIRMATION_STATUSES)[number];

/** Who has to say yes to what an agent would send: a person, or the agent itself in a second call. */
export const CONFIRMS = ["human", "token"] as const;
export type Confirms = (typeof CONFIRMS)[number];

/**
 * What an agent asked to do and a person has to confirm: a row from the question on where a person is waited for, else
 * from the moment its token was spent, so that it is spent once. `id` is the token's nonce.
 */
export const agentConfirmations = pgTable(
  "agent_confirmations",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    userId: uuid("user_id").notNull(),
    /** Who asked, as events name it: `key:<id>` or `user:<id>`. */
    actor: text("actor").notNull(),
    tool: text("tool").notNull(),
    /** SHA-256 of what is bound by the token: the same question again finds the one that waits. */
    digest: text("digest").notNull(),
    status: text("status", { enum: CONFIRMATION_STATUSES }).notNull(),
    /** Null where no person is asked. */
    title: text("title"),
    preview: jsonb("preview").$type<Json>(),
    /** The recipients of a single message, as addresses are compared. */
    emailKey: text("email_key"),
    decidedBy: uuid("decided_by"),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    oneOf("agent_confirmations_status", table.status, CONFIRMATION_STATUSES),
    index("agent_confirmations_waiting")
      .on(table.workspaceId, table.digest)
      .where(sql`${table.status} in ('waiting', 'approved')`),
    index("agent_confirmations_age").on(table.expiresAt),
  ],
);
