import { newId, now, type State } from "./books.ts";
import { money } from "./currencies.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import type { Cause, Charge, Refund } from "./model.ts";
import { chargeObject, isWithheld, refundedOf } from "./objects/charge.ts";
import { refundObject } from "./objects/refund.ts";

export interface RefundOrder {
  /** What is left of the charge, if not said. */
  amount?: number | undefined;
  reason?: Refund["reason"] | undefined;
  metadata?: Refund["metadata"] | undefined;
}

/** Gives back a part of the charge, or what is left of it. */
export function refundCharge(
  state: State,
  charge: Charge,
  order: RefundOrder,
  cause: Cause,
): Refund {
  const refund: Refund = {
    id: newId("re_3"),
    created: now(),
    charge: charge.id,
    amount: amountOf(state, charge, order.amount),
    reason: order.reason ?? null,
    metadata: order.metadata ?? {},
    status: "succeeded",
  };
  state.books.refunds.put(refund.id, refund);
  emit(state, "refund.created", refundObject(state.books, refund), cause);
  emit(state, "charge.refunded", chargeObject(state.books, charge), cause);
  return refund;
}

function amountOf({ books }: State, charge: Charge, wanted: number | undefined): number {
  if (charge.status !== "succeeded") {
    throw badRequest(`Charge ${charge.id} has not succeeded and cannot be refunded.`, {
      code: "charge_not_refundable",
    });
  }
  const left = charge.amount - refundedOf(books, charge.id);
  if (left === 0) {
    throw badRequest(`Charge ${charge.id} has already been refunded.`, {
      code: "charge_already_refunded",
    });
  }
  if (isWithheld(books, charge.id)) {
    throw badRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  }
  const amount = wanted ?? left;
  if (amount > left) {
    const [asked, possible] = [amount, left].map((each) => money(each, charge.currency));
    throw badRequest(
      `Refund amount (${asked}) is greater than unrefunded amount on charge (${possible})`,
      { param: "amount" },
    );
  }
  return amount;
}

/** The bank sends the money back, days after it seemed to have arrived. */
export function failRefund(state: State, refund: Refund, cause: Cause): void {
  if (refund.status === "failed") throw badRequest(`Refund ${refund.id} has failed already.`);
  const failed: Refund = { ...refund, status: "failed" };
  state.books.refunds.put(refund.id, failed);
  emit(state, "refund.updated", refundObject(state.books, failed), cause);
  emit(state, "refund.failed", refundObject(state.books, failed), cause);
}
