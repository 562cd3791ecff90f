import type { SessionParameters } from "./parameters.ts";

/** What is kept; what Stripe's API shows is made from it in `objects.ts`. Times are seconds since 1970, as there. */
export interface Checkout {
  id: string;
  created: number;
  expiresAt: number;
  status: "open" | "complete" | "expired";
  paymentStatus: "paid" | "unpaid";
  asked: SessionParameters;
  /** What is charged. Asked for, unless a fault has it otherwise. */
  amount: number;
  currency: string;
  /** Made by the first attempt to pay. */
  payment: string | null;
}

export interface Payment {
  id: string;
  created: number;
  checkout: string;
  amount: number;
  currency: string;
  status: "requires_payment_method" | "processing" | "succeeded";
  /** When the bank settles it by itself; null when there is nothing to wait for. */
  settlesAt: number | null;
  charge: string | null;
}

export interface Charge {
  id: string;
  created: number;
  payment: string;
  amount: number;
  currency: string;
  status: "succeeded" | "pending" | "failed";
  /** Why it failed, as a code of Stripe's. */
  failure: string | null;
}

export interface Refund {
  id: string;
  created: number;
  charge: string;
  amount: number;
  status: "succeeded" | "failed";
}

export interface Dispute {
  id: string;
  created: number;
  charge: string;
  amount: number;
  status: "needs_response" | "won" | "lost";
}

export interface Delivery {
  attempts: number;
  /** When it is tried next; null when it is not. */
  dueAt: number | null;
  outcome: "waiting" | "delivered" | "given up" | "lost";
  /** What the last attempt met: a status, or an error. */
  last: string | null;
  /** Put off by a fault: for an hour, or until another event went out. */
  held: "late" | "swapped" | null;
}

export interface StoredEvent {
  id: string;
  created: number;
  type: string;
  /** The object as it was then. */
  object: unknown;
  delivery: Delivery;
}

export interface KeptAnswer {
  endpoint: string;
  /** Hash of the parameters. */
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  keptUntil: number;
}
