import { newId, now, type State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import type { Charge, Checkout, Payment } from "./model.ts";
import { checkoutSession } from "./objects.ts";

/** How long a bank takes to settle what was "paid later". */
export const BANK_SECONDS = 3 * 86_400;

/** Pays by card: settled at once. Returns the id of the event that says the session is complete. */
export function pay(state: State, checkoutId: string): string {
  const checkout = applyLies(state, openCheckout(state, checkoutId));
  const { payment, charge } = attempt(state, checkout);
  succeed(state, payment, charge);
  return complete(state, checkoutId, "paid");
}

/** Pays by bank account: complete and unpaid, until the bank settles it. Returns the same event's id. */
export function payLater(state: State, checkoutId: string): string {
  const checkout = applyLies(state, openCheckout(state, checkoutId));
  const { payment, charge } = attempt(state, checkout);
  put(state, { ...payment, status: "processing", settlesAt: now() + BANK_SECONDS }, charge);
  return complete(state, checkoutId, "unpaid");
}

/** The card is refused; the session stays open for another attempt. */
export function decline(state: State, checkoutId: string): void {
  const { payment, charge } = attempt(state, openCheckout(state, checkoutId));
  fail(state, payment, charge, "card_declined");
}

/** The bank's word on what was paid later. */
export function settle(state: State, checkoutId: string, outcome: "succeeded" | "failed"): void {
  const checkout = state.books.checkouts.get(checkoutId);
  const payment = state.books.payments.get(checkout?.payment ?? "");
  const charge = state.books.charges.get(payment?.charge ?? "");
  if (!checkout || !payment || !charge || payment.status !== "processing") {
    throw badRequest("This session has no payment that waits for a bank.");
  }
  if (outcome === "failed") {
    fail(state, payment, charge, "debit_not_authorized");
    const session = checkoutSession(state, checkout);
    emit(state, "checkout.session.async_payment_failed", session);
    return;
  }
  succeed(state, payment, charge);
  const paid: Checkout = { ...checkout, paymentStatus: "paid" };
  state.books.checkouts.put(paid.id, paid);
  const session = checkoutSession(state, paid);
  emit(state, "checkout.session.async_payment_succeeded", session);
}

function openCheckout({ books }: State, id: string): Checkout {
  const checkout = books.checkouts.get(id);
  if (checkout === undefined) throw badRequest("There is no such session.");
  if (checkout.status !== "open") throw badRequest(`This session is ${checkout.status}.`);
  return checkout;
}

/** What is charged may be ordered to differ from what was asked for. */
function applyLies({ books, faults }: State, checkout: Checkout): Checkout {
  const told: Checkout = {
    ...checkout,
    amount: faults.take("wrong_amount") ? checkout.amount - 1 : checkout.amount,
    currency: faults.take("wrong_currency") ? otherThan(checkout.currency) : checkout.currency,
  };
  books.checkouts.put(told.id, told);
  return told;
}

const otherThan = (currency: string) => (currency === "usd" ? "cad" : "usd");

/** One payment for each session, one charge for each attempt. */
function attempt({ books }: State, checkout: Checkout) {
  const { amount, currency } = checkout;
  const chargeId = newId("ch_3");
  const known = books.payments.get(checkout.payment ?? "");
  const payment: Payment = {
    id: newId("pi_3"),
    created: now(),
    checkout: checkout.id,
    status: "requires_payment_method",
    settlesAt: null,
    ...known,
    amount,
    currency,
    charge: chargeId,
  };
  books.checkouts.put(checkout.id, { ...checkout, payment: payment.id });
  const charge: Charge = {
    id: chargeId,
    created: now(),
    payment: payment.id,
    amount,
    currency,
    status: "pending",
    failure: null,
  };
  return { payment, charge };
}

function succeed(state: State, payment: Payment, charge: Charge): void {
  put(
    state,
    { ...payment, status: "succeeded", settlesAt: null },
    { ...charge, status: "succeeded" },
  );
}

function fail(state: State, payment: Payment, charge: Charge, failure: string): void {
  put(
    state,
    { ...payment, status: "requires_payment_method", settlesAt: null },
    { ...charge, status: "failed", failure },
  );
}

function complete(state: State, id: string, paymentStatus: Checkout["paymentStatus"]): string {
  const open = openCheckout(state, id);
  const done: Checkout = { ...open, status: "complete", paymentStatus };
  state.books.checkouts.put(id, done);
  return emit(state, "checkout.session.completed", checkoutSession(state, done));
}

function put({ books, changed }: State, payment: Payment, charge: Charge): void {
  books.payments.put(payment.id, payment);
  books.charges.put(charge.id, charge);
  changed();
}
