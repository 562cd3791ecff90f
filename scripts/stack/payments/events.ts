import type { Stripe } from "stripe";
import { newId, now, type State } from "./books.ts";

/** What the endpoint of the service is subscribed to, as docs/deploying.md has an operator do it. Nothing else is an event here. */
export const EVENTS = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
] as const satisfies Stripe.Event["type"][];

/** Writes down that something happened, with the object as it is now, to be delivered. Returns its id. */
export function emit(
  { books, changed }: State,
  type: (typeof EVENTS)[number],
  object: object,
): string {
  const id = newId("evt_1");
  books.events.put(id, {
    id,
    created: now(),
    type,
    object,
    delivery: { attempts: 0, dueAt: Date.now(), outcome: "waiting", last: null, held: null },
  });
  changed();
  return id;
}
