import { newId, now, type State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import type { Charge, Refund } from "./model.ts";
import { chargeObject, isWithheld, refundedOf, refundObject } from "./objects.ts";

/** Gives back a part of the charge, or what is left of it. */
export function refundCharge(state: State, charge: Charge, amount?: number): Refund {
  const refund: Refund = {
    id: newId("re_3"),
    created: now(),
    charge: charge.id,
    amount: amountOf(state, charge, amount),
    status: "succeeded",
  };
  state.books.refunds.put(refund.id, refund);
  emit(state, "refund.created", refundObject(state.books, refund));
  emit(state, "charge.refunded", chargeObject(state.books, charge));
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
    throw badRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      { param: "amount" },
    );
  }
  return amount;
}

/** The bank sends the money back, days after it seemed to have arrived. */
export function failRefund(state: State, refund: Refund): void {
  if (refund.status === "failed") throw badRequest(`Refund ${refund.id} has failed already.`);
  const failed: Refund = { ...refund, status: "failed" };
  state.books.refunds.put(refund.id, failed);
  emit(state, "refund.updated", refundObject(state.books, failed));
  emit(state, "refund.failed", refundObject(state.books, failed));
}
