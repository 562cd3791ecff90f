import { z } from "zod";
import type { Books, State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { page, paging } from "./lists.ts";
import type { Charge } from "./model.ts";
import { chargeObject } from "./objects/charge.ts";
import { disputeObject } from "./objects/dispute.ts";
import { paymentIntent } from "./objects/payment-intent.ts";
import { refundObject } from "./objects/refund.ts";
import { find, nothing, operation } from "./operation.ts";
import { integer, metadata, parameters, text } from "./parameters.ts";
import { refundCharge } from "./refunds.ts";

export const paymentOperations = [
  operation("GET", "payment_intents", parameters(paging), ({ state: { books }, given }) =>
    page("/v1/payment_intents", books.payments.values(), given, (each) =>
      paymentIntent(books, each),
    ),
  ),
  operation("GET", "payment_intents/:id", nothing, ({ state, id }) =>
    paymentIntent(state.books, find(state, "payments", "payment_intent", id, "intent")),
  ),
  operation(
    "GET",
    "charges",
    parameters({ ...paging, payment_intent: text().optional() }),
    ({ state: { books }, given }) => {
      const found = books.charges
        .values()
        .filter(({ payment }) => [undefined, payment].includes(given.payment_intent));
      return page("/v1/charges", found, given, (each) => chargeObject(books, each));
    },
  ),
  operation("GET", "charges/:id", nothing, ({ state, id }) =>
    chargeObject(state.books, find(state, "charges", "charge", id, "charge")),
  ),
];

/** A refund names the charge or its payment. */
function chargeOf(state: State, given: Wanted): Charge {
  if (given.charge !== undefined) return find(state, "charges", "charge", given.charge, "charge");
  if (given.payment_intent === undefined) {
    throw badRequest(
      "One of the following params should be provided for this request: payment_intent or charge.",
      { code: "parameter_missing" },
    );
  }
  const id = given.payment_intent;
  const payment = find(state, "payments", "payment_intent", id, "payment_intent");
  const charge = state.books.charges.get(payment.charge ?? "");
  if (charge?.status === "succeeded") return charge;
  throw badRequest(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
    param: "payment_intent",
  });
}

interface Wanted {
  charge?: string | undefined;
  payment_intent?: string | undefined;
}

const ofCharge = { charge: text().optional(), payment_intent: text().optional() };

export const refundOperations = [
  operation(
    "POST",
    "refunds",
    parameters({
      ...ofCharge,
      amount: integer(1).optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
      metadata: metadata.optional(),
    }),
    ({ state, given, cause }) =>
      refundObject(state.books, refundCharge(state, chargeOf(state, given), given, cause)),
  ),
  operation(
    "GET",
    "refunds",
    parameters({ ...paging, ...ofCharge }),
    ({ state: { books }, given }) => {
      const found = books.refunds.values().filter((each) => isOf(books, each.charge, given));
      return page("/v1/refunds", found, given, (each) => refundObject(books, each));
    },
  ),
  operation("GET", "refunds/:id", nothing, ({ state, id }) =>
    refundObject(state.books, find(state, "refunds", "refund", id, "refund")),
  ),
];

export const disputeOperations = [
  operation(
    "GET",
    "disputes",
    parameters({ ...paging, ...ofCharge }),
    ({ state: { books }, given }) => {
      const found = books.disputes.values().filter((each) => isOf(books, each.charge, given));
      return page("/v1/disputes", found, given, (each) => disputeObject(books, each));
    },
  ),
  operation("GET", "disputes/:id", nothing, ({ state, id }) =>
    disputeObject(state.books, find(state, "disputes", "dispute", id, "dispute")),
  ),
];

function isOf(books: Books, chargeId: string, wanted: Wanted) {
  const payment = books.charges.get(chargeId)?.payment;
  return (
    [undefined, chargeId].includes(wanted.charge) &&
    [undefined, payment].includes(wanted.payment_intent)
  );
}
