/** JSON of the protocol that is passed on as it came: payments of buyers, and what we ask for. */
export type ProtocolObject = Record<string, unknown>;

export type VerifyAnswer =
  | { kind: "valid"; payer: string | null }
  /** For good: `reason` is the protocol's own code, such as `invalid_exact_evm_insufficient_balance`. */
  | { kind: "invalid"; reason: string }
  /** Nothing is known of the payment. */
  | { kind: "trouble"; detail: string };

export type SettleAnswer =
  | { kind: "settled"; transaction: string; payer: string | null }
  /** Nothing was moved, and nothing will be by this call. */
  | { kind: "refused"; reason: string; payer: string | null }
  /** The money may have moved. */
  | { kind: "unknown"; detail: string };

/** Checks payments and carries them out on the chain (x402 version 2, facilitator API). Never throws. */
export interface Facilitator {
  verify(payment: ProtocolObject, requirements: ProtocolObject): Promise<VerifyAnswer>;
  settle(payment: ProtocolObject, requirements: ProtocolObject): Promise<SettleAnswer>;
  /** Whether it serves this kind of payment; null when it does not answer. */
  supports(kind: { scheme: string; network: string }): Promise<boolean | null>;
}

/** What a payment's authorization came to, as the chain itself says. */
export type AuthorizationState = "unused" | "paid" | "cancelled";

/** Reads the chain. Null when it does not answer. */
export interface Chain {
  authorization(payer: string, nonce: string): Promise<AuthorizationState | null>;
}
