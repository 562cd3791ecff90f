import type { Stripe } from "stripe";
import { newId, now, type State } from "./books.ts";
import type { Cause, Delivery } from "./model.ts";

export type EventType = Stripe.Event["type"];
type ObjectOf<Type extends EventType> = Extract<Stripe.Event, { type: Type }>["data"]["object"];

/**
 * What the endpoint of the local service is subscribed to, as docs/deploying.md has an operator do it. Every other
 * event is only listed.
 */
export const SUBSCRIBED: EventType[] = [
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
];

/** Writes down that something happened, with the object as it is now; delivered if subscribed to. Returns its id. */
export function emit<Type extends EventType>(
  { books, subscribed, changed }: State,
  type: Type,
  object: ObjectOf<Type>,
  request: Cause,
): string {
  const id = newId("evt_1");
  const isWanted = subscribed.has(type) || subscribed.has("*");
  const delivery: Delivery = {
    attempts: 0,
    dueAt: isWanted ? Date.now() : null,
    outcome: isWanted ? "waiting" : "not subscribed",
    last: null,
    held: null,
  };
  books.events.put(id, { id, created: now(), type, object, request, delivery });
  changed();
  return id;
}
