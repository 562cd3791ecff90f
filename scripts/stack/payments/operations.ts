import { z } from "zod";
import { type Books, now, type State } from "./books.ts";
import { createCheckout, expireCheckout } from "./checkouts.ts";
import { badRequest, noSuch } from "./errors.ts";
import { page, paging } from "./lists.ts";
import type { Cause, Charge } from "./model.ts";
import { chargeObject } from "./objects/charge.ts";
import { checkoutSession, lineItems } from "./objects/checkout-session.ts";
import { disputeObject } from "./objects/dispute.ts";
import { eventObject } from "./objects/event.ts";
import { paymentIntent } from "./objects/payment-intent.ts";
import { refundObject } from "./objects/refund.ts";
import { integer, list, metadata, parameters, text } from "./parameters.ts";
import { refundCharge } from "./refunds.ts";
import { sessionParameters } from "./session-parameters.ts";
import { balance } from "./objects/balance.ts";

export interface Asked<Parameters> {
  state: State;
  given: Parameters;
  /** The id in the path, if the path has one. */
  id: string;
  cause: Cause;
}

export interface Operation {
  method: "GET" | "POST";
  /** Captures the id. */
  path: RegExp;
  schema: z.ZodType<{ expand?: string[] | undefined }>;
  run(asked: Asked<unknown>): object;
}

const ID = "([A-Za-z0-9_]{1,255})";

function operation<Schema extends z.ZodType<{ expand?: string[] | undefined }>>(
  method: Operation["method"],
  path: string,
  schema: Schema,
  run: (asked: Asked<z.infer<Schema>>) => object,
): Operation {
  const pattern = new RegExp(`^/v1/${path.replace(":id", ID)}$`);
  return { method, path: pattern, schema, run: run as Operation["run"] };
}

const nothing = parameters({});

/** A record of the books by its id, or Stripe's 404. */
function find<Name extends Exclude<keyof Books, "close" | "answers">>(
  { books }: State,
  name: Name,
  words: string,
  id: string,
  param: string,
) {
  const found = books[name].get(id);
  if (found === undefined) throw noSuch(words, id, param);
  return found as NonNullable<ReturnType<Books[Name]["get"]>>;
}

const sessions = [
  operation("POST", "checkout/sessions", sessionParameters, ({ state, given }) =>
    checkoutSession(state, createCheckout(state, given)),
  ),
  operation(
    "GET",
    "checkout/sessions",
    parameters({
      ...paging,
      payment_intent: text().optional(),
      status: z.enum(["open", "complete", "expired"]).optional(),
    }),
    ({ state, given }) => {
      const found = state.books.checkouts
        .values()
        .filter(({ payment }) => [undefined, payment].includes(given.payment_intent))
        .filter(({ status }) => [undefined, status].includes(given.status));
      return page("/v1/checkout/sessions", found, given, (each) => checkoutSession(state, each));
    },
  ),
  operation("GET", "checkout/sessions/:id", nothing, ({ state, id }) =>
    checkoutSession(state, find(state, "checkouts", "checkout.session", id, "session")),
  ),
  operation("POST", "checkout/sessions/:id/expire", nothing, ({ state, id, cause }) => {
    expireCheckout(state, find(state, "checkouts", "checkout.session", id, "session"), cause);
    return checkoutSession(state, find(state, "checkouts", "checkout.session", id, "session"));
  }),
  operation(
    "GET",
    "checkout/sessions/:id/line_items",
    parameters(paging),
    ({ state, id, given }) => {
      const checkout = find(state, "checkouts", "checkout.session", id, "session");
      const rows = lineItems(checkout).map((item) => ({ ...item, created: checkout.created }));
      const url = `/v1/checkout/sessions/${id}/line_items`;
      return page(url, rows.toReversed(), given, ({ created: _, ...item }) => item);
    },
  ),
];

const payments = [
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

const refunds = [
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

const disputes = [
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

const EVENTS_KEPT_SECONDS = 30 * 86_400;

const events = [
  operation(
    "GET",
    "events",
    parameters({
      ...paging,
      type: text().optional(),
      types: list(text(), 20).optional(),
      delivery_success: z.enum(["true", "false"]).optional(),
    }),
    ({ state: { books }, given }) => {
      const found = books.events
        .values()
        .filter(({ created }) => created > now() - EVENTS_KEPT_SECONDS)
        .filter(({ type }) => isWanted(type, given.types ?? (given.type ? [given.type] : null)))
        .filter(
          ({ delivery: { outcome } }) =>
            given.delivery_success === undefined ||
            String(outcome === "delivered") === given.delivery_success,
        );
      return page("/v1/events", found, given, eventObject);
    },
  ),
  operation("GET", "events/:id", nothing, ({ state, id }) =>
    eventObject(find(state, "events", "event", id, "id")),
  ),
];

/** `charge.*` stands for each that begins so. */
function isWanted(type: string, wanted: string[] | null): boolean {
  return (
    wanted === null ||
    wanted.some((each) => (each.endsWith("*") ? type.startsWith(each.slice(0, -1)) : each === type))
  );
}

export const operations: Operation[] = [
  ...sessions,
  ...payments,
  ...refunds,
  ...disputes,
  ...events,
  operation("GET", "balance", nothing, ({ state }) => balance(state.books)),
];
