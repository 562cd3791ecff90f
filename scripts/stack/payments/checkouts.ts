import { newId, now, type State } from "./books.ts";
import { LEAST_AMOUNT, money } from "./currencies.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import type { Cause, Checkout } from "./model.ts";
import { checkoutSession } from "./objects/checkout-session.ts";
import type { SessionParameters } from "./session-parameters.ts";

const SHORTEST_SECONDS = 30 * 60;
const LONGEST_SECONDS = 24 * 3600;
/** A clock that is a little ahead of ours, and the time on the way. */
const LENIENCY_SECONDS = 60;
const LARGEST_TOTAL = 99_999_999;

export function createCheckout({ books, faults, changed }: State, asked: SessionParameters) {
  const created = now();
  const { amount, currency } = totalOf(asked);
  const isWrong = faults.take("wrong_session");
  const checkout: Checkout = {
    id: newId("cs_test_", 58),
    created,
    expiresAt: expiryOf(asked, created),
    status: "open",
    paymentStatus: amount === 0 ? "no_payment_required" : "unpaid",
    asked,
    amount: isWrong ? amount + 1 : amount,
    currency,
    payment: null,
  };
  books.checkouts.put(checkout.id, checkout);
  changed();
  return checkout;
}

function totalOf({ line_items: items }: SessionParameters): { amount: number; currency: string } {
  const [first] = items;
  if (first === undefined) {
    throw badRequest("Missing required param: line_items.", {
      code: "parameter_missing",
      param: "line_items",
    });
  }
  const currency = first.price_data.currency.toLowerCase();
  const param = "line_items[0][price_data][currency]";
  const least = LEAST_AMOUNT[currency];
  if (least === undefined) {
    const known = Object.keys(LEAST_AMOUNT).join(", ");
    throw badRequest(`Invalid currency: ${currency}. This stand-in takes: ${known}`, { param });
  }
  if (items.some(({ price_data: { currency: other } }) => other.toLowerCase() !== currency)) {
    throw badRequest("All line items must have the same currency.", { param: "line_items" });
  }
  const amount = items.reduce(
    (sum, { price_data: price, quantity = 1 }) => sum + price.unit_amount * quantity,
    0,
  );
  if (amount > 0 && amount < least) {
    throw badRequest(
      `The Checkout Session's total amount due must add up to at least ${money(least, currency)} ${currency}`,
      { code: "amount_too_small" },
    );
  }
  if (amount > LARGEST_TOTAL) {
    throw badRequest(
      `The Checkout Session's total amount due must be no more than ${money(LARGEST_TOTAL, currency)} ${currency}`,
      { code: "amount_too_large" },
    );
  }
  return { amount, currency };
}

function expiryOf({ expires_at: expiresAt }: SessionParameters, created: number): number {
  if (expiresAt === undefined) return created + LONGEST_SECONDS;
  const seconds = expiresAt - created;
  if (seconds < SHORTEST_SECONDS - LENIENCY_SECONDS) {
    throw badRequest(
      "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.",
      { param: "expires_at" },
    );
  }
  if (seconds > LONGEST_SECONDS + LENIENCY_SECONDS) {
    throw badRequest(
      "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );
  }
  return expiresAt;
}

/** By a call, or because its time is over. */
export function expireCheckout(state: State, checkout: Checkout, cause: Cause): void {
  if (checkout.status !== "open") {
    throw badRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${checkout.status}.`,
    );
  }
  const expired: Checkout = { ...checkout, status: "expired" };
  state.books.checkouts.put(checkout.id, expired);
  emit(state, "checkout.session.expired", checkoutSession(state, expired), cause);
}
