import type { z } from "zod";
import { now, type Books, type State } from "./books.ts";
import { createCheckout, expireCheckout } from "./checkouts.ts";
import { badRequest, noSuch } from "./errors.ts";
import { EVENTS } from "./events.ts";
import {
  API_VERSION,
  checkoutSession,
  disputeObject,
  paymentIntent,
  refundObject,
} from "./objects.ts";
import {
  noParameters,
  pagingParameters,
  refundParameters,
  sessionParameters,
} from "./parameters.ts";
import { refundCharge } from "./refunds.ts";

export interface Operation {
  method: "GET" | "POST";
  /** Captures the id. */
  path: RegExp;
  schema: z.ZodType;
  run(state: State, given: never, id: string): object;
}

/** Declares one, with the types of its parameters. */
function operation<Schema extends z.ZodType>(
  method: Operation["method"],
  path: string,
  schema: Schema,
  run: (state: State, given: z.infer<Schema>, id: string) => object,
): Operation {
  const pattern = new RegExp(`^/v1/${path.replace(":id", "([A-Za-z0-9_]{1,255})")}$`);
  return { method, path: pattern, schema, run };
}

/** A record of the books by its id, or Stripe's 404. */
function find<Name extends "checkouts" | "payments">({ books }: State, name: Name, id: string) {
  const found = books[name].get(id);
  if (found === undefined)
    throw name === "checkouts"
      ? noSuch("checkout.session", id, "session")
      : noSuch("payment_intent", id, "intent");
  return found as NonNullable<ReturnType<Books[Name]["get"]>>;
}

/** What of Stripe's API stands here: what the service, its doctor and their tests call. */
export const operations: Operation[] = [
  operation("POST", "checkout/sessions", sessionParameters, (state, given) =>
    checkoutSession(state, createCheckout(state, given)),
  ),
  operation("GET", "checkout/sessions/:id", noParameters, (state, _, id) =>
    checkoutSession(state, find(state, "checkouts", id)),
  ),
  operation("POST", "checkout/sessions/:id/expire", noParameters, (state, _, id) => {
    expireCheckout(state, find(state, "checkouts", id));
    return checkoutSession(state, find(state, "checkouts", id));
  }),
  operation("GET", "payment_intents/:id", noParameters, (state, _, id) =>
    paymentIntent(state.books, find(state, "payments", id)),
  ),
  operation("POST", "refunds", refundParameters, (state, { payment_intent: id }) => {
    const charge = state.books.charges.get(find(state, "payments", id).charge ?? "");
    if (charge?.status !== "succeeded")
      throw badRequest(`This PaymentIntent (${id}) does not have a successful charge to refund.`, {
        param: "payment_intent",
      });
    return refundObject(state.books, refundCharge(state, charge));
  }),
  operation("GET", "refunds", pagingParameters, ({ books }, given) =>
    page("/v1/refunds", books, books.refunds.values(), given, refundObject),
  ),
  operation("GET", "disputes", pagingParameters, ({ books }, given) =>
    page("/v1/disputes", books, books.disputes.values(), given, disputeObject),
  ),
  operation("GET", "webhook_endpoints", pagingParameters, ({ endpointUrl, faults }) => {
    const url = endpointUrl();
    return list("/v1/webhook_endpoints", url === null ? [] : [endpoint(url, faults)]);
  }),
];

/** The one endpoint that there is, without its secret, as Stripe lists it. */
const endpoint = (url: string, faults: State["faults"]) => ({
  id: "we_1local",
  object: "webhook_endpoint",
  api_version: faults.take("endpoint_outdated") ? "2025-09-30.clover" : API_VERSION,
  created: now(),
  enabled_events: EVENTS,
  livemode: false,
  status: faults.take("endpoint_disabled") ? "disabled" : "enabled",
  url,
});

const list = (url: string, data: object[], hasMore = false) => ({
  object: "list",
  url,
  has_more: hasMore,
  data,
});

/** One page of a payment's refunds or disputes, newest first (https://docs.stripe.com/api/pagination). */
function page<Row extends { id: string; charge: string }>(
  url: string,
  books: Books,
  rows: Row[],
  { payment_intent: payment, limit, starting_after: after }: z.infer<typeof pagingParameters>,
  show: (books: Books, row: Row) => object,
) {
  const found = rows
    .filter(({ charge }) => [undefined, books.charges.get(charge)?.payment].includes(payment))
    .toReversed();
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuch("object", after, "starting_after");
  const shown = found.slice(start, start + limit).map((row) => show(books, row));
  return list(url, shown, found.length > start + limit);
}
