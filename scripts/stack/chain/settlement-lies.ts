import type { x402Facilitator } from "@x402/core/facilitator";

type Settled = Awaited<ReturnType<x402Facilitator["settle"]>>;
interface Sent {
  status: number;
  text: string;
}

export const NOBODY = `0x${"9".repeat(40)}`;
const FAILED = { success: false, errorReason: "invalid_exact_evm_transaction_failed" };
const told = (answer: object, status = 200): Sent => ({ status, text: JSON.stringify(answer) });

/** What a facilitator, or a proxy before it, may say of a settlement that it has carried out. */
const lies = {
  hides_settlement: [
    "does the work of a settlement and answers as the official facilitator does when it cannot send",
    (settled) => told({ ...settled, ...FAILED, transaction: "" }),
  ],
  says_used: [
    "does the work of a settlement and answers that the nonce was used already, as when it is asked twice",
    (settled) =>
      told({
        ...settled,
        ...FAILED,
        errorReason: "invalid_exact_evm_nonce_already_used",
        transaction: "",
      }),
  ],
  says_reverted: [
    "does the work of a settlement and answers that its transaction failed",
    (settled) => told({ ...settled, ...FAILED }),
  ],
  says_refused: [
    "does the work of a settlement and answers that the balance does not suffice",
    (settled) =>
      told({
        ...settled,
        ...FAILED,
        errorReason: "invalid_exact_evm_insufficient_balance",
        transaction: "",
      }),
  ],
  no_transaction: [
    "does the work of a settlement and answers success without a transaction",
    (settled) => told({ ...settled, transaction: "" }),
  ],
  other_payer: [
    "does the work of a settlement and answers for another payer",
    (settled) => told({ ...settled, payer: NOBODY }),
  ],
  error_after_settlement: [
    "does the work of a settlement and answers 500",
    (settled) => told(settled, 500),
  ],
  cut_settlement: [
    "does the work of a settlement and answers with JSON that breaks off",
    (settled) => ({ status: 200, text: told(settled).text.slice(0, 40) }),
  ],
} satisfies Record<string, [does: string, (settled: Settled) => Sent]>;

export type Lie = keyof typeof lies;
export const LIES = Object.keys(lies) as Lie[];
export const LIE_FAULTS = Object.fromEntries(
  Object.entries(lies).map(([name, [does]]) => [name, does]),
) as Record<Lie, string>;
export const tellLie = (lie: Lie, settled: Settled): Sent => lies[lie][1](settled);
