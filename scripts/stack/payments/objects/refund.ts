import type { Stripe } from "stripe";
import type { Books } from "../books.ts";
import type { Refund } from "../model.ts";

/** https://docs.stripe.com/api/refunds/object */
export function refundObject(books: Books, refund: Refund): Stripe.Refund {
  const charge = books.charges.get(refund.charge);
  const tail = refund.id.slice(3);
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    balance_transaction: `txn_${tail}`,
    charge: refund.charge,
    created: refund.created,
    currency: charge?.currency ?? "usd",
    customer: null,
    customer_account: null,
    ...(refund.status === "failed"
      ? { failure_balance_transaction: `txn_f${tail}`, failure_reason: "expired_or_canceled_card" }
      : {}),
    metadata: refund.metadata,
    payment_intent: charge?.payment ?? null,
    payment_method: null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}
