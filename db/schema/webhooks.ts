import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant, oneOf, ownedRow } from "./columns.ts";
import { xid8 } from "./events.ts";

export const WEBHOOK_STATUSES = ["active", "paused", "disabled"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** `gone`: the receiver said so (410); `failing`: five days without a success. */
export const DISABLED_REASONS = ["gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A receiver of events: everything up to its place in the feed was sent to it, or has a delivery of its own. */
export const webhooks = pgTable(
  "webhooks",
  {
    ...ownedRow(),
    url: text("url").notNull(),
    description: text("description"),
    /** Null: all but opens and clicks. */
    types: text("types").array(),
    status: text("status", { enum: WEBHOOK_STATUSES }).notNull(),
    disabledReason: text("disabled_reason", { enum: DISABLED_REASONS }),
    /** Sealed by the master key, as those before, of which the newest signs besides until then (`afterRotation`). */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretUntil: instant("previous_secret_until"),
    tx: xid8("tx").notNull(),
    seq: bigint("seq", { mode: "bigint" }).notNull(),
    /** A receiver that fails or asks for patience is left alone until then. */
    dueAt: instant("due_at").notNull(),
    leaseUntil: instant("lease_until"),
    workerToken: uuid("worker_token"),
    /** Since when nothing got through. */
    failingSince: instant("failing_since"),
    lastSuccessAt: instant("last_success_at"),
  },
  (table) => [
    oneOf("webhooks_status", table.status, WEBHOOK_STATUSES),
    index("webhooks_workspace").on(table.workspaceId, table.id),
    index("webhooks_due")
      .on(table.dueAt)
      .where(sql`${table.status} = 'active'`),
  ],
);

export const WEBHOOK_DELIVERY_STATES = ["waiting", "delivered", "dead"] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

/** An event that did not get through at once, or is sent again because its owner asked. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    eventId: uuid("event_id").notNull(),
    eventType: text("event_type").notNull(),
    /** The event's place: what is sent is read there, so that it says what is known by then. */
    tx: xid8("tx").notNull(),
    seq: bigint("seq", { mode: "bigint" }).notNull(),
    state: text("state", { enum: WEBHOOK_DELIVERY_STATES }).notNull(),
    attempts: integer("attempts").notNull(),
    nextAt: instant("next_at"),
    /** Of the last attempt; null where no answer came. */
    status: integer("status"),
    error: text("error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    oneOf("webhook_deliveries_state", table.state, WEBHOOK_DELIVERY_STATES),
    index("webhook_deliveries_list").on(table.webhookId, table.createdAt, table.id),
    index("webhook_deliveries_due")
      .on(table.webhookId, table.nextAt)
      .where(sql`${table.state} = 'waiting'`),
    index("webhook_deliveries_age").on(table.updatedAt),
  ],
);
