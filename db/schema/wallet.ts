import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant, type Json, oneOf } from "./columns.ts";

export const WALLET_PAYMENT_STATES = ["claimed", "settling", "settled"] as const;

/**
 * Payments of wallets, one row per authorization. `claimed`: the call is at work. `settling`: its answer is here and
 * the money may have moved. `settled`: it has. A payment that was not charged has no row.
 */
export const walletPayments = pgTable(
  "wallet_payments",
  {
    /** Address and nonce of the authorization, in lower case. */
    payer: text("payer").notNull(),
    nonce: text("nonce").notNull(),
    state: text("state", { enum: WALLET_PAYMENT_STATES }).notNull(),
    /** SHA-256 (hex) of the signed authorization, and of the request's body. */
    paymentHash: text("payment_hash").notNull(),
    bodyHash: text("body_hash").notNull(),
    call: text("call").notNull(),
    /** Millionths of a USDC. */
    amount: integer("amount").notNull(),
    /** The worker that holds the payment, and until when its lease runs. */
    claimToken: uuid("claim_token").notNull(),
    leaseUntil: instant("lease_until").notNull(),
    /** As the facilitator is told of it, so that a settlement in doubt can be asked for again. */
    payment: jsonb("payment").$type<Json>().notNull(),
    requirements: jsonb("requirements").$type<Json>().notNull(),
    validBefore: instant("valid_before").notNull(),
    answerStatus: integer("answer_status"),
    /** Kept for a day. */
    answerBody: text("answer_body"),
    /** Hash of the transaction; null where the money is known to have moved and not how. */
    transaction: text("transaction"),
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.payer, table.nonce] }),
    oneOf("wallet_payments_state", table.state, WALLET_PAYMENT_STATES),
    index("wallet_payments_open")
      .on(table.leaseUntil)
      .where(sql`${table.state} in ('claimed', 'settling')`),
    index("wallet_payments_answers")
      .on(table.settledAt)
      .where(sql`${table.answerBody} is not null and ${table.state} = 'settled'`),
  ],
);
