import type { State } from "./books.ts";
import type { Checkout } from "./model.ts";
import { disputesOf, isWithheld, refundedOf } from "./objects.ts";

/** Stripe's page shows the name that the account was given. */
const MERCHANT = "Overture";
/** How many of the newest payments the page lists. */
const LISTED = 200;

/** What the hosted page shows of a session. */
export function shownCheckout({ books }: State, { id }: Checkout) {
  const checkout = books.checkouts.get(id);
  if (checkout === undefined) return null;
  const { asked, amount, currency } = checkout;
  const payment = books.payments.get(checkout.payment ?? "");
  return {
    id,
    status: checkout.status,
    payment_status: checkout.paymentStatus,
    payment: payment?.status ?? null,
    is_declined: payment?.status === "requires_payment_method",
    total: money(amount, currency),
    name: asked.line_items[0].price_data.product_data.name,
    success_url: asked.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id),
    cancel_url: asked.cancel_url,
    merchant: MERCHANT,
    created_at: isoOf(checkout.created),
    expires_at: isoOf(checkout.expiresAt),
  };
}

/** Newest first, with all that became of each. */
export function listPayments(state: State) {
  const { books } = state;
  const newest = books.checkouts.values().toReversed().slice(0, LISTED);
  return {
    total: books.checkouts.size,
    payments: newest.map((checkout) => ({
      ...shownCheckout(state, checkout),
      client_reference_id: checkout.asked.client_reference_id,
      charges: chargesOf(state, checkout),
      events: eventsOf(state, checkout),
    })),
  };
}

function chargesOf({ books }: State, checkout: Checkout) {
  const charges = books.charges.values().filter(({ payment }) => payment === checkout.payment);
  return charges.map(({ id, status, amount, currency, failure }) => ({
    id,
    status,
    failure,
    amount,
    total: money(amount, currency),
    left: amount - refundedOf(books, id),
    left_shown: money(amount - refundedOf(books, id), currency),
    is_disputed: isWithheld(books, id),
    refunds: books.refunds
      .values()
      .filter(({ charge }) => charge === id)
      .map((refund) => ({
        id: refund.id,
        status: refund.status,
        total: money(refund.amount, currency),
      })),
    disputes: disputesOf(books, id).map((dispute) => ({
      id: dispute.id,
      status: dispute.status,
      total: money(dispute.amount, currency),
    })),
  }));
}

/** Of the events, those that name the session, its payment or its charges. */
function eventsOf({ books }: State, { id, payment }: Checkout) {
  return books.events
    .values()
    .filter(({ object }) => {
      const about = object as { id?: string; payment_intent?: unknown };
      return (
        about.id === id || (payment !== null && [about.id, about.payment_intent].includes(payment))
      );
    })
    .map(({ id, type, created, delivery }) => ({
      id,
      type,
      created_at: isoOf(created),
      outcome: delivery.outcome,
      attempts: delivery.attempts,
      last: delivery.last,
    }));
}

/** `$19.00` */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  return format.format(amount / 100);
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
