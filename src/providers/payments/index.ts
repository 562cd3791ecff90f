/** What a checkout session is to be made of; prices are ours, never the caller's. */
export interface Checkout {
  /** Also the idempotency key: the same order asked for twice is one session. */
  orderId: string;
  workspaceId: string;
  packId: string;
  credits: number;
  amountCents: number;
  currency: string;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
}

export interface CheckoutSession {
  id: string;
  /** Where the customer pays; null once that is over. */
  url: string | null;
  /** `processing`: the customer has done their part, and the money is on its way. */
  state: "open" | "processing" | "paid" | "failed" | "expired";
  /** What was asked for when it was made, as the provider remembers it. */
  orderId: string | null;
  packId: string | null;
  amountCents: number | null;
  currency: string | null;
  paymentId: string | null;
}

/** Money that went back. What no longer stands (a refund that failed, a dispute that was won) never stands again. */
export interface Reversal {
  id: string;
  kind: "refund" | "dispute";
  amountCents: number;
  currency: string;
  standing: boolean;
}

/** An event of the provider, and what it tells of. */
export type PaymentEvent = { id: string; type: string } & (
  | { about: "session"; session: CheckoutSession }
  | { about: "reversal"; paymentId: string; reversal: Reversal }
  /** Something about the payment changed, and the event does not say all of it. */
  | { about: "payment"; paymentId: string }
  | { about: "nothing" }
);

/** Each method but `readEvent` throws `PaymentsFailure` and nothing else. */
export interface Payments {
  createSession(checkout: Checkout): Promise<CheckoutSession>;
  getSession(id: string): Promise<CheckoutSession>;
  /** Ends an open page, so that it cannot be paid any more. `refused` when it was not open any more. */
  expireSession(id: string): Promise<CheckoutSession>;
  listReversals(paymentId: string): Promise<Reversal[]>;
  /** Gives back what is left of an order's payment; asked for twice it is one refund. */
  refund(order: { orderId: string; paymentId: string }): Promise<Reversal>;
  /** The order that a payment was made for, as this service wrote it on the payment; null for other payments of the account. */
  orderOf(paymentId: string): Promise<string | null>;
  /** `forged`: not signed with our secret, or too long ago. `unreadable`: signed, and of a shape that we do not know. */
  readEvent(body: string, signature: string): Promise<PaymentEvent | "forged" | "unreadable">;
}

/**
 * The provider did not do what it was asked. After `refused` and `not_found` nothing came about. `broken` is an
 * error of its own, which it repeats for the same idempotency key. After `failed` and `timeout` it may have been
 * done, and asking again tells.
 */
export class PaymentsFailure extends Error {
  readonly kind: "refused" | "not_found" | "broken" | "failed" | "timeout";

  constructor(kind: PaymentsFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "PaymentsFailure";
    this.kind = kind;
  }
}
