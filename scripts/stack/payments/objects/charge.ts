import type { Stripe } from "stripe";
import type { Books } from "../books.ts";
import type { Charge, Payment } from "../model.ts";
import { FAILURES } from "./failures.ts";

/** https://docs.stripe.com/api/charges/object; `amount_refunded` adds up, and shrinks when a refund fails. */
export function chargeObject(books: Books, charge: Charge): Stripe.Charge {
  const payment = books.payments.get(charge.payment);
  const asked = payment && books.checkouts.get(payment.checkout)?.asked;
  const given = asked?.payment_intent_data ?? {};
  const isPaid = charge.status === "succeeded";
  const refunded = refundedOf(books, charge.id);
  return {
    ...unused,
    id: charge.id,
    object: "charge",
    amount: charge.amount,
    amount_captured: isPaid ? charge.amount : 0,
    amount_refunded: refunded,
    balance_transaction: isPaid ? `txn_${charge.id.slice(3)}` : null,
    billing_details: {
      address: null,
      email: asked?.customer_email ?? null,
      name: null,
      phone: null,
      tax_id: null,
    },
    captured: isPaid,
    created: charge.created,
    currency: charge.currency,
    description: given.description ?? null,
    disputed: disputesOf(books, charge.id).length > 0,
    failure_code: charge.failure,
    failure_message: charge.failure === null ? null : (FAILURES[charge.failure] ?? null),
    livemode: false,
    metadata: given.metadata ?? {},
    outcome: outcome(charge),
    paid: charge.status !== "failed",
    payment_intent: charge.payment,
    payment_method: `pm_${charge.payment.slice(3)}`,
    payment_method_details: methodDetails(payment?.method ?? "card"),
    receipt_email: given.receipt_email ?? null,
    refunded: refunded === charge.amount,
    statement_descriptor: given.statement_descriptor ?? null,
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
    status: charge.status,
  };
}

/** What of the charge was given back, by refunds that did not fail. */
export function refundedOf(books: Books, chargeId: string): number {
  return books.refunds
    .values()
    .filter(({ charge, status }) => charge === chargeId && status === "succeeded")
    .reduce((sum, { amount }) => sum + amount, 0);
}

export function disputesOf(books: Books, chargeId: string) {
  return books.disputes.values().filter(({ charge }) => charge === chargeId);
}

/** A dispute that is open or lost has taken the money; a won one has given it back. */
export function isWithheld(books: Books, chargeId: string): boolean {
  return disputesOf(books, chargeId).some(({ status }) => status !== "won");
}

function outcome({ status }: Charge): Stripe.Charge.Outcome {
  const isFailed = status === "failed";
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: isFailed ? "declined_by_network" : "approved_by_network",
    reason: isFailed ? "generic_decline" : null,
    risk_level: "normal",
    seller_message: isFailed
      ? "The bank did not return any further details with this decline."
      : "Payment complete.",
    type: isFailed ? "issuer_declined" : "authorized",
  };
}

/** No card or account is asked for, so nothing is said of one. */
function methodDetails(type: Payment["method"]): Stripe.Charge.PaymentMethodDetails {
  return { type };
}

const unused = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  calculated_statement_descriptor: "LOCAL STAND-IN",
  customer: null,
  failure_balance_transaction: null,
  fraud_details: {},
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.Charge>;
