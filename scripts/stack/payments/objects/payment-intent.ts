import type { Stripe } from "stripe";
import type { Books } from "../books.ts";
import type { Payment } from "../model.ts";
import { FAILURES } from "./failures.ts";

/** https://docs.stripe.com/api/payment_intents/object */
export function paymentIntent(books: Books, payment: Payment): Stripe.PaymentIntent {
  const given = books.checkouts.get(payment.checkout)?.asked.payment_intent_data ?? {};
  const isPaid = payment.status === "succeeded";
  return {
    ...unused,
    id: payment.id,
    object: "payment_intent",
    amount: payment.amount,
    amount_received: isPaid ? payment.amount : 0,
    client_secret: `${payment.id}_secret_${payment.id.slice(-16)}`,
    created: payment.created,
    currency: payment.currency,
    description: given.description ?? null,
    last_payment_error: lastError(books, payment),
    latest_charge: payment.charge,
    livemode: false,
    metadata: given.metadata ?? {},
    payment_method: isPaid ? `pm_${payment.id.slice(3)}` : null,
    payment_method_types: books.checkouts.get(payment.checkout)?.asked.payment_method_types ?? [
      "card",
      "us_bank_account",
    ],
    receipt_email: given.receipt_email ?? null,
    statement_descriptor: given.statement_descriptor ?? null,
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
    status: payment.status,
  };
}

function lastError(books: Books, payment: Payment): Stripe.PaymentIntent.LastPaymentError | null {
  if (payment.status !== "requires_payment_method" || payment.charge === null) return null;
  const code = books.charges.get(payment.charge)?.failure ?? "card_declined";
  return {
    type: "card_error",
    charge: payment.charge,
    code: code as Stripe.PaymentIntent.LastPaymentError.Code,
    message: FAILURES[code] ?? "",
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll("_", "-")}`,
  };
}

const unused = {
  allowed_payment_method_types: null,
  amount_capturable: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: "automatic_async",
  confirmation_method: "automatic",
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_record: null,
  processing: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Stripe.PaymentIntent>;
