import {
  leaveSettlement,
  recordSettled,
  releaseWalletPayment,
  takeOverSettlement,
  type WalletPayment,
} from "#db/wallet-payments.ts";
import type { Deps } from "#src/deps.ts";
import type { SettleAnswer } from "#src/providers/facilitator/index.ts";

/** Longer than a facilitator is waited for. */
export const SETTLE_LEASE_MS = 20_000;

export type Settlement =
  | { kind: "settled"; transaction: string | null }
  | { kind: "refused"; reason: string }
  /** The money may have moved. The row stays, and the next to ask settles again. */
  | { kind: "unknown" };

type Claimed = Pick<
  WalletPayment,
  "payer" | "nonce" | "claimToken" | "payment" | "requirements" | "validBefore"
>;

const NONCE_USED = /nonce_already_used|authorization_?(is_)?used/;

/**
 * Moves the money of a payment whose answer is kept, and records what came of it. `again`: it was asked for before and
 * nobody knows what became of that; then the chain itself decides, and where it cannot be asked, doubt is the buyer's
 * benefit: they have an answer that they may have paid for.
 */
export async function settlePayment(
  deps: Deps,
  claimed: Claimed,
  { again }: { again: boolean },
): Promise<Settlement> {
  const { db, clock, log } = deps;
  const answer = await askToSettle(deps, claimed);
  const settlement = again ? await resolveDoubt(deps, claimed, answer) : firstAnswer(answer);
  const now = clock.now();
  if (settlement.kind === "settled")
    await recordSettled(db, claimed, { transaction: settlement.transaction, now });
  else if (settlement.kind === "refused") await releaseWalletPayment(db, claimed);
  else {
    await leaveSettlement(db, claimed, now);
    log.error("settlement_unknown", {
      payer: claimed.payer,
      nonce: claimed.nonce,
      answer: answer.kind === "unknown" ? answer.detail : answer.kind,
    });
  }
  return settlement;
}

function askToSettle(
  { facilitator }: Deps,
  { payment, requirements }: Claimed,
): Promise<SettleAnswer> {
  type ProtocolObject = Record<string, unknown>;
  if (facilitator === null)
    return Promise.resolve({ kind: "unknown", detail: "no facilitator is configured" });
  return facilitator.settle(payment as ProtocolObject, requirements as ProtocolObject);
}

function firstAnswer(answer: SettleAnswer): Settlement {
  switch (answer.kind) {
    case "settled":
      return { kind: "settled", transaction: answer.transaction };
    case "refused":
      return { kind: "refused", reason: answer.reason };
    case "unknown":
      return { kind: "unknown" };
  }
}

async function resolveDoubt(
  { chain, clock }: Deps,
  { payer, nonce, validBefore }: Claimed,
  answer: SettleAnswer,
): Promise<Settlement> {
  if (answer.kind === "settled") return { kind: "settled", transaction: answer.transaction };
  const state = chain === null ? null : await chain.authorization(payer, nonce);
  if (state === "paid") return { kind: "settled", transaction: null };
  if (state === "cancelled") return { kind: "refused", reason: "authorization_cancelled" };
  if (answer.kind === "unknown") return { kind: "unknown" };
  const isUsed = NONCE_USED.test(answer.reason);
  if (state === "unused") return { kind: "refused", reason: answer.reason };
  // Without the chain: used is most likely our own use; an expired one was perhaps used before it expired.
  const hasExpired = validBefore.getTime() <= clock.now().getTime() + SETTLE_LEASE_MS;
  return isUsed || hasExpired
    ? { kind: "settled", transaction: null }
    : { kind: "refused", reason: answer.reason };
}

/** Settles again what nobody knows the end of; null while another is at it. */
export async function resumeSettlement(
  deps: Deps,
  payment: WalletPayment,
): Promise<Settlement | null> {
  const now = deps.clock.now();
  const claimToken = deps.ids.uuid();
  const leaseUntil = new Date(now.getTime() + SETTLE_LEASE_MS);
  if (!(await takeOverSettlement(deps.db, payment, { claimToken, leaseUntil, now }))) return null;
  return settlePayment(deps, { ...payment, claimToken }, { again: true });
}
