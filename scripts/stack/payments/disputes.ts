import { newId, now, type State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import type { Charge, Dispute } from "./model.ts";
import { disputeObject, isWithheld } from "./objects.ts";

/** The buyer's bank takes the whole charge back at once: it does not know what was refunded. */
export function openDispute(state: State, charge: Charge): Dispute {
  if (charge.status !== "succeeded") throw badRequest("Only a paid charge can be disputed.");
  if (isWithheld(state.books, charge.id)) {
    throw badRequest(`Charge ${charge.id} is disputed already.`);
  }
  const dispute: Dispute = {
    id: newId("du_1"),
    created: now(),
    charge: charge.id,
    amount: charge.amount,
    status: "needs_response",
  };
  state.books.disputes.put(dispute.id, dispute);
  emit(state, "charge.dispute.funds_withdrawn", disputeObject(state.books, dispute));
  return dispute;
}

/** Won: the money comes back. Lost: it stays where it is. */
export function closeDispute(state: State, dispute: Dispute, status: "won" | "lost"): Dispute {
  if (dispute.status !== "needs_response")
    throw badRequest(`Dispute ${dispute.id} is ${dispute.status}.`);
  const closed: Dispute = { ...dispute, status };
  state.books.disputes.put(dispute.id, closed);
  if (status === "won")
    emit(state, "charge.dispute.funds_reinstated", disputeObject(state.books, closed));
  state.changed();
  return closed;
}
