import { z } from "zod";
import { createCheckout, expireCheckout } from "./checkouts.ts";
import { page, paging } from "./lists.ts";
import { checkoutSession, lineItems } from "./objects/checkout-session.ts";
import { find, nothing, operation } from "./operation.ts";
import { parameters, text } from "./parameters.ts";
import { sessionParameters } from "./session-parameters.ts";

export const sessionOperations = [
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
