/** JSON of the protocol that is passed on as it came: payments of buyers, and what we ask for. */
export type ProtocolObject = Record<string, unknown>;

export type VerifyAnswer =
  | { kind: "valid"; payer: string | null }
  /** The payment is refused for good: `reason` is the protocol's own code, such as `invalid_exact_evm_insufficient_balance`. */
  | { kind: "invalid"; reason: string }
  /** Nothing is known of the payment. */
  | { kind: "trouble"; detail: string };

export type SettleAnswer =
  | { kind: "settled"; transaction: string }
  /** Refused before anything was sent: nothing was moved, and nothing will be by this call. */
  | { kind: "refused"; reason: string }
  /** It says that this transaction was carried out and moved nothing. */
  | { kind: "reverted"; reason: string; transaction: string }
  /** The authorization is spent, by this payment or by its cancellation. */
  | { kind: "used"; reason: string }
  /** The money may have moved, or may move yet. */
  | { kind: "unknown"; detail: string };

/** Checks payments and carries them out on the chain (x402 version 2, facilitator API). Never throws. */
export interface Facilitator {
  verify(payment: ProtocolObject, requirements: ProtocolObject): Promise<VerifyAnswer>;
  settle(payment: ProtocolObject, requirements: ProtocolObject): Promise<SettleAnswer>;
  /** Whether it serves this kind of payment; null when it does not answer. */
  supports(kind: { scheme: string; network: string }): Promise<boolean | null>;
}

/** A payment's content: payer, recipient and amount in millionths of a USDC, valid once for this nonce. */
export interface SignedTransfer {
  payer: string;
  nonce: string;
  to: string;
  amount: bigint;
}

/** What a payment came to, as the chain itself says. */
export type TransferState =
  /** At the time of the newest block; a transaction that is sent already may use the nonce as long as it is valid. */
  | { kind: "unused"; asOf: Date }
  /** `transaction` moved the money; null where no log says how the nonce was used. */
  | { kind: "paid"; transaction: string | null }
  /** The payer cancelled it, or used its nonce for another transfer. */
  | { kind: "void" };

/** Reads the chain. Never throws. */
export interface Chain {
  /** Null when it does not answer. */
  transferState(signed: SignedTransfer): Promise<TransferState | null>;
  /** Whether the transaction is in a block and moved nothing; false as well where it is not known, or no node answers. */
  wasReverted(transaction: string): Promise<boolean>;
}
