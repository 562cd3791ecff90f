import { Stripe } from "stripe";
import type { StoredEvent } from "../model.ts";

/** The version whose shapes `objects/` makes: the one that the SDK is typed for. */
export const API_VERSION = Stripe.API_VERSION;

/** https://docs.stripe.com/api/events/object */
export function eventObject(event: StoredEvent): Stripe.EventBase {
  return {
    id: event.id,
    object: "event",
    api_version: API_VERSION,
    created: event.created,
    data: { object: event.object as Stripe.Event.Data["object"] },
    livemode: false,
    pending_webhooks: event.delivery.outcome === "waiting" ? 1 : 0,
    request: event.request,
    type: event.type,
  } as Stripe.EventBase;
}
