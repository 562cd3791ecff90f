import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { instant, oneOf, ownedRow } from "./columns.ts";

export const ORDER_STATUSES = ["open", "expired", "failed", "mismatch", "paid"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const REVERSAL_KINDS = ["refund", "dispute"] as const;

/** A purchase of credits, from before the provider heard of it. Its id is the idempotency key of its checkout session. */
export const paymentOrders = pgTable(
  "payment_orders",
  {
    ...ownedRow(),
    packId: text("pack_id").notNull(),
    credits: integer("credits").notNull(),
    amountCents: integer("amount_cents").notNull(),
    currency: text("currency").notNull(),
    successUrl: text("success_url").notNull(),
    cancelUrl: text("cancel_url").notNull(),
    status: text("status", { enum: ORDER_STATUSES }).notNull(),
    /** Equal for clicks that mean the same purchase; null from when another click begins a new one. */
    clickKey: text("click_key"),
    /** The provider's session and payment; null until it has told us. */
    sessionId: text("session_id"),
    paymentId: text("payment_id"),
    /** When the session ends; whole seconds, as the provider counts. */
    expiresAt: instant("expires_at").notNull(),
    /** When the provider is asked by ourselves; null once nothing can come any more. */
    checkAt: instant("check_at"),
    /**
     * When its workspace was deleted, if that found it unpaid: its page is expired, and what is paid for it after all
     * goes back. Null again once the workspace is restored.
     */
    closedAt: instant("closed_at"),
  },
  (table) => [
    oneOf("payment_orders_status", table.status, ORDER_STATUSES),
    uniqueIndex("payment_orders_click").on(table.clickKey),
    uniqueIndex("payment_orders_session").on(table.sessionId),
    uniqueIndex("payment_orders_payment").on(table.paymentId),
    index("payment_orders_workspace").on(table.workspaceId),
    index("payment_orders_check")
      .on(table.checkAt)
      .where(sql`${table.checkAt} is not null`),
  ],
);

/**
 * The changes of an order: the provider's events under their own ids, and results of reconciliation. An
 * event counts once, and of two changes that were decided on the same state of an order one is refused.
 */
export const paymentEvents = pgTable(
  "payment_events",
  {
    id: text("id").primaryKey(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => paymentOrders.id),
    version: integer("version").notNull(),
    type: text("type").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("payment_events_version").on(table.orderId, table.version)],
);

/** Money of an order that went back: a refund, or what a dispute withdrew. `standing` ends, and never begins again. */
export const paymentReversals = pgTable(
  "payment_reversals",
  {
    id: text("id").primaryKey(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => paymentOrders.id),
    kind: text("kind", { enum: REVERSAL_KINDS }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    standing: boolean("standing").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    oneOf("payment_reversals_kind", table.kind, REVERSAL_KINDS),
    index("payment_reversals_order").on(table.orderId, table.id),
  ],
);
