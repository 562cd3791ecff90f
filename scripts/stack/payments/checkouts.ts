import { newId, now, type State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import type { Checkout } from "./model.ts";
import { checkoutSession } from "./objects.ts";
import type { SessionParameters } from "./parameters.ts";

const SHORTEST_SECONDS = 30 * 60;
const LONGEST_SECONDS = 24 * 3600;
/** A clock that is a little ahead of ours, and the time on the way. */
const LENIENCY_SECONDS = 60;

export function createCheckout(
  { books, faults, changed }: State,
  asked: SessionParameters,
): Checkout {
  const created = now();
  const seconds = asked.expires_at - created;
  if (seconds < SHORTEST_SECONDS - LENIENCY_SECONDS || seconds > LONGEST_SECONDS + LENIENCY_SECONDS)
    throw badRequest(
      "The `expires_at` timestamp must be 30 minutes to 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );
  const { unit_amount: amount, currency } = asked.line_items[0].price_data;
  const checkout: Checkout = {
    id: newId("cs_test_", 58),
    created,
    expiresAt: asked.expires_at,
    status: "open",
    paymentStatus: "unpaid",
    asked,
    amount: faults.take("wrong_session") ? amount + 1 : amount,
    currency,
    payment: null,
  };
  books.checkouts.put(checkout.id, checkout);
  changed();
  return checkout;
}

/** By a call, or because its time is over. */
export function expireCheckout(state: State, checkout: Checkout): void {
  if (checkout.status !== "open") {
    throw badRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${checkout.status}.`,
    );
  }
  const expired: Checkout = { ...checkout, status: "expired" };
  state.books.checkouts.put(checkout.id, expired);
  emit(state, "checkout.session.expired", checkoutSession(state, expired));
}
