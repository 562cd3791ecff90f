import { findOrder } from "#db/billing/payments.ts";
import type { Deps } from "#src/deps.ts";
import { badRequest } from "#src/errors.ts";
import type { PaymentEvent } from "#src/providers/payments/index.ts";
import { orUpstreamError, requirePayments } from "./provider.ts";
import { type Recorded, recordNews } from "./record.ts";

/**
 * Takes in one event of the payment provider: 400 unless it is signed and fresh. Events about other payments of the
 * account are logged and accepted as well, or the provider would repeat them for days.
 */
export async function receivePaymentEvent(
  deps: Deps,
  body: string,
  signature: string,
): Promise<void> {
  const event = await requirePayments(deps).readEvent(body, signature);
  if (event === "forged")
    throw badRequest("SIGNATURE_INVALID", "The signature is missing, wrong or too old.");
  if (event === "unreadable") {
    deps.log.error("payment_event_unreadable");
    throw badRequest("BAD_REQUEST", "The event is of a shape that is not known here.");
  }
  const became = await orUpstreamError(deps, recordEvent(deps, event));
  if (became === "unknown" || became === "nothing")
    deps.log.info("payment_event_ignored", { id: event.id, type: event.type, became });
}

async function recordEvent(deps: Deps, event: PaymentEvent): Promise<Recorded | "nothing"> {
  switch (event.about) {
    case "nothing":
      return "nothing";
    case "session": {
      const { session } = event;
      if (session.orderId === null) return "unknown";
      return recordNews(deps, { id: session.orderId }, event, { session });
    }
    case "reversal": {
      const id = await orderIdOf(deps, event.paymentId);
      return id === null
        ? "unknown"
        : recordNews(deps, { id }, event, { reversals: [event.reversal] });
    }
    case "payment": {
      const id = await orderIdOf(deps, event.paymentId);
      if (id === null) return "unknown";
      const reversals = await requirePayments(deps).listReversals(event.paymentId);
      return recordNews(deps, { id }, event, { reversals });
    }
  }
}

/** A refund's event may come before the payment's: then the provider is asked for the payment's order. */
async function orderIdOf(deps: Deps, paymentId: string): Promise<string | null> {
  const order = await findOrder(deps.db, { paymentId });
  if (order !== undefined) return order.id;
  return requirePayments(deps).orderOf(paymentId);
}
