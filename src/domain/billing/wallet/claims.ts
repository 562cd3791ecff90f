import {
  claimWalletPayment,
  findWalletPayment,
  keepWalletAnswer,
  releaseWalletPayment,
  type WalletPayment,
} from "#db/billing/wallet-payments.ts";
import type { Json } from "#db/schema/columns.ts";
import type { Deps } from "#src/deps.ts";
import { ANSWER_KEPT_MS, PAID_CALLS, type PaidCall, SETTLE_RESERVE_SECONDS } from "./prices.ts";
import type { SignedPayment } from "./read-payment.ts";
import { resumeSettlement, SETTLE_LEASE_MS, type Settlement, settlePayment } from "./settle.ts";

/** The call that a payment is spent on. */
export interface Question {
  call: PaidCall;
  /** SHA-256 (hex) of the request's body. */
  bodyHash: string;
}

export interface Claim {
  payer: string;
  nonce: string;
  claimToken: string;
  payment: Json;
  requirements: Json;
  validBefore: Date;
  /** When the handler has to be done, so that the money can still be moved. */
  deadline: Date;
}

export interface KeptAnswer {
  status: number;
  body: string;
  payer: string;
  transaction: string | null;
  /** When the money moved, as far as is known here. */
  at: Date;
}

/** The state of a payment that was seen before. */
export type Known =
  | { kind: "new" }
  | { kind: "answer"; answer: KeptAnswer }
  | { kind: "refused"; reason: string }
  /** Its settlement is under way, or in doubt. */
  | { kind: "pending" };

/**
 * The answer that this payment has paid for, when it comes back for the same question: an answer lost on its way is no
 * lost money. A settlement in doubt is taken up again here.
 */
export async function findAnswer(
  deps: Deps,
  signed: SignedPayment,
  { call, bodyHash }: Question,
): Promise<Known> {
  const known = await findWalletPayment(deps.db, signed);
  if (known === undefined || known.state === "claimed") return { kind: "new" };
  const isSame =
    known.paymentHash === signed.hash && known.call === call && known.bodyHash === bodyHash;
  if (!isSame) return { kind: "refused", reason: "payment_already_used" };
  if (known.state === "settled") return keptAnswer(deps, known, known.transaction);
  const settlement = await resumeSettlement(deps, known, { mayCharge: true });
  if (settlement === null || settlement.kind === "unknown") return { kind: "pending" };
  if (settlement.kind === "refused") return settlement;
  return keptAnswer(deps, { ...known, settledAt: deps.clock.now() }, settlement.transaction);
}

function keptAnswer(
  { clock }: Deps,
  { answerBody, answerStatus, settledAt, payer }: WalletPayment,
  transaction: string | null,
): Known {
  const isKept =
    answerBody !== null &&
    answerStatus !== null &&
    settledAt !== null &&
    clock.now().getTime() - settledAt.getTime() < ANSWER_KEPT_MS;
  return isKept
    ? {
        kind: "answer",
        answer: { status: answerStatus, body: answerBody, payer, transaction, at: settledAt },
      }
    : { kind: "refused", reason: "payment_already_used" };
}

/** Takes a verified payment for this question; null while another request has it. */
export async function claimPayment(
  deps: Deps,
  signed: SignedPayment,
  { call, bodyHash }: Question,
  requirements: object,
): Promise<Claim | null> {
  const now = deps.clock.now();
  const { amount, seconds } = PAID_CALLS[call];
  const deadline = new Date(
    Math.min(
      now.getTime() + seconds * 1000,
      signed.validBefore.getTime() - SETTLE_RESERVE_SECONDS * 1000,
    ),
  );
  const claim = {
    payer: signed.payer,
    nonce: signed.nonce,
    claimToken: deps.ids.uuid(),
    payment: signed.payment,
    requirements: requirements as Json,
    validBefore: signed.validBefore,
  };
  const isMine = await claimWalletPayment(deps.db, {
    ...claim,
    paymentHash: signed.hash,
    bodyHash,
    call,
    amount,
    leaseUntil: new Date(now.getTime() + seconds * 1000 + SETTLE_LEASE_MS),
    now,
  });
  return isMine ? { ...claim, deadline } : null;
}

/** Releases a payment uncharged: it may be used again. */
export const releaseClaim = ({ db }: Deps, claim: Claim): Promise<void> =>
  releaseWalletPayment(db, claim);

/** Keeps the answer, then moves the money. */
export async function chargeFor(
  deps: Deps,
  claim: Claim,
  answer: { status: number; body: string },
): Promise<Settlement> {
  const leaseUntil = new Date(deps.clock.now().getTime() + SETTLE_LEASE_MS);
  if (!(await keepWalletAnswer(deps.db, claim, { ...answer, leaseUntil })))
    return { kind: "refused", reason: "payment_already_in_use" };
  return settlePayment(deps, claim);
}
