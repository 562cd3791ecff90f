import { newId, now, type State } from "./books.ts";
import { badRequest } from "./errors.ts";
import { emit } from "./events.ts";
import { type Charge, type Dispute, nobody } from "./model.ts";
import { isWithheld } from "./objects/charge.ts";
import { disputeObject } from "./objects/dispute.ts";

export const DISPUTE_REASONS = [
  "credit_not_processed",
  "duplicate",
  "fraudulent",
  "general",
  "product_not_received",
  "product_unacceptable",
  "subscription_canceled",
  "unrecognized",
] as const;

export interface DisputeOrder {
  /** The whole charge, if not said: a bank does not know what was refunded. */
  amount?: number | undefined;
  reason?: (typeof DISPUTE_REASONS)[number] | undefined;
}

/** The buyer's bank takes the money back at once. */
export function openDispute(state: State, charge: Charge, order: DisputeOrder): Dispute {
  const { amount = charge.amount, reason = "fraudulent" } = order;
  if (charge.status !== "succeeded") throw badRequest("Only a paid charge can be disputed.");
  if (isWithheld(state.books, charge.id)) {
    throw badRequest(`Charge ${charge.id} is disputed already.`);
  }
  if (amount > charge.amount) throw badRequest("A dispute cannot be over more than the charge.");
  const dispute: Dispute = {
    id: newId("du_1"),
    created: now(),
    charge: charge.id,
    amount,
    reason,
    status: "needs_response",
    closedAt: null,
  };
  state.books.disputes.put(dispute.id, dispute);
  const shown = disputeObject(state.books, dispute);
  emit(state, "charge.dispute.created", shown, nobody);
  emit(state, "charge.dispute.funds_withdrawn", shown, nobody);
  return dispute;
}

/** Won: the money comes back. Lost: it stays where it is. */
export function closeDispute(state: State, dispute: Dispute, status: "won" | "lost"): Dispute {
  if (dispute.closedAt !== null) throw badRequest(`Dispute ${dispute.id} is ${dispute.status}.`);
  const closed: Dispute = { ...dispute, status, closedAt: now() };
  state.books.disputes.put(dispute.id, closed);
  const shown = disputeObject(state.books, closed);
  emit(state, "charge.dispute.closed", shown, nobody);
  if (status === "won") emit(state, "charge.dispute.funds_reinstated", shown, nobody);
  return closed;
}
