import { Stripe } from "stripe";
import type { Books, State } from "./books.ts";
import type { Charge, Checkout, Dispute, Payment, Refund, StoredEvent } from "./model.ts";

/**
 * What Stripe's API shows, as far as it is read here: by the service, and by a person who looks at an event. Typed by
 * the SDK, so that one with another API version does not compile until the shapes fit.
 */

/** The version whose shapes these are: the one that the SDK is typed for. */
export const API_VERSION = Stripe.API_VERSION;

/** https://docs.stripe.com/api/checkout/sessions/object */
export const checkoutSession = (state: State, checkout: Checkout) =>
  ({
    id: checkout.id,
    object: "checkout.session",
    amount_total: checkout.amount,
    cancel_url: checkout.asked.cancel_url,
    client_reference_id: checkout.asked.client_reference_id,
    created: checkout.created,
    currency: checkout.currency,
    expires_at: checkout.expiresAt,
    livemode: false,
    metadata: checkout.asked.metadata,
    mode: "payment",
    payment_intent: checkout.payment,
    payment_status: checkout.paymentStatus,
    status: checkout.status,
    success_url: checkout.asked.success_url,
    url: checkout.status === "open" ? `${state.url()}/pay/${checkout.id}` : null,
  }) satisfies Partial<Stripe.Checkout.Session>;

/** https://docs.stripe.com/api/payment_intents/object */
export const paymentIntent = (books: Books, payment: Payment) =>
  ({
    id: payment.id,
    object: "payment_intent",
    amount: payment.amount,
    created: payment.created,
    currency: payment.currency,
    latest_charge: payment.charge,
    livemode: false,
    metadata: books.checkouts.get(payment.checkout)?.asked.payment_intent_data.metadata ?? {},
    status: payment.status,
  }) satisfies Partial<Stripe.PaymentIntent>;

/** https://docs.stripe.com/api/charges/object; `amount_refunded` adds up, and shrinks when a refund fails. */
export const chargeObject = (books: Books, charge: Charge) => {
  const refunded = refundedOf(books, charge.id);
  return {
    id: charge.id,
    object: "charge",
    amount: charge.amount,
    amount_refunded: refunded,
    created: charge.created,
    currency: charge.currency,
    livemode: false,
    payment_intent: charge.payment,
    refunded: refunded === charge.amount,
    status: charge.status,
  } satisfies Partial<Stripe.Charge>;
};

/** https://docs.stripe.com/api/refunds/object */
export const refundObject = (books: Books, refund: Refund) =>
  ({
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    charge: refund.charge,
    created: refund.created,
    currency: books.charges.get(refund.charge)?.currency ?? "usd",
    payment_intent: books.charges.get(refund.charge)?.payment ?? null,
    status: refund.status,
  }) satisfies Partial<Stripe.Refund>;

/** https://docs.stripe.com/api/disputes/object; the withdrawal, and after a win its reversal. */
export const disputeObject = (books: Books, dispute: Dispute) => {
  const charge = books.charges.get(dispute.charge);
  const move = (amount: number, mark: string) =>
    ({
      id: `txn_${mark}${dispute.id.slice(3)}`,
      object: "balance_transaction",
      amount,
    }) satisfies Partial<Stripe.BalanceTransaction>;
  const withdrawn = move(-dispute.amount, "w");
  return {
    ...({
      id: dispute.id,
      object: "dispute",
      amount: dispute.amount,
      charge: dispute.charge,
      created: dispute.created,
      currency: charge?.currency ?? "usd",
      livemode: false,
      payment_intent: charge?.payment ?? null,
      reason: "fraudulent",
      status: dispute.status,
    } satisfies Partial<Stripe.Dispute>),
    balance_transactions:
      dispute.status === "won" ? [withdrawn, move(dispute.amount, "r")] : [withdrawn],
  };
};

/** https://docs.stripe.com/api/events/object */
export const eventObject = ({ id, created, type, object }: StoredEvent) => ({
  id,
  object: "event",
  api_version: API_VERSION,
  created,
  data: { object },
  livemode: false,
  type,
});

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
