import type { Stripe } from "stripe";
import type { Books } from "../books.ts";
import type { Dispute } from "../model.ts";

/** What a dispute costs besides, won or lost: 15.00 in the charge's currency. */
const FEE = 1500;
const WEEK_SECONDS = 7 * 86_400;

/** https://docs.stripe.com/api/disputes/object */
export function disputeObject(books: Books, dispute: Dispute): Stripe.Dispute {
  const charge = books.charges.get(dispute.charge);
  const currency = charge?.currency ?? "usd";
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    balance_transactions: movements(dispute, currency),
    charge: dispute.charge,
    created: dispute.created,
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: dispute.created + WEEK_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge?.payment ?? null,
    reason: dispute.reason,
    status: dispute.status,
  };
}

/** The withdrawal, and after a win its reversal. */
function movements(dispute: Dispute, currency: string): Stripe.BalanceTransaction[] {
  const move = (amount: number, fee: number, created: number, mark: string) => ({
    id: `txn_${mark}${dispute.id.slice(3)}`,
    object: "balance_transaction" as const,
    amount,
    available_on: created,
    balance_type: "payments" as const,
    created,
    currency,
    description: `Chargeback ${amount < 0 ? "withdrawal" : "reversal"} for ${dispute.charge}`,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: amount - fee,
    reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
    source: dispute.id,
    status: "available",
    type: "adjustment" as const,
  });
  const withdrawal = move(-dispute.amount, FEE, dispute.created, "w");
  if (dispute.status !== "won") return [withdrawal];
  return [withdrawal, move(dispute.amount, 0, dispute.closedAt ?? dispute.created, "r")];
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
