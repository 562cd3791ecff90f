import * as z from "zod";
import {
  leaveSettlement,
  recordSettled,
  releaseWalletPayment,
  takeOverSettlement,
  type WalletPayment,
} from "#db/billing/wallet-payments.ts";
import type { Deps } from "#src/deps.ts";
import { newClaim } from "#src/domain/job.ts";
import type { SettleAnswer } from "#src/providers/facilitator/index.ts";

/** Longer than facilitator and chain are waited for. */
export const SETTLE_LEASE_MS = 20_000;

export type Settlement =
  | { kind: "settled"; transaction: string | null }
  | { kind: "refused"; reason: string }
  /** The money may have moved, or may move yet. The row stays, and the next to ask finds out. */
  | { kind: "unknown"; detail: string };

type Claimed = Pick<
  WalletPayment,
  "payer" | "nonce" | "claimToken" | "payment" | "requirements" | "validBefore"
>;

/** Settles a payment whose call's answer is stored, and records the result. */
export async function settlePayment(deps: Deps, claimed: Claimed): Promise<Settlement> {
  return record(deps, claimed, await settleFirst(deps, claimed));
}

/** Finds out what became of a settlement, and settles again where `mayCharge`; null while another is at it. */
export async function resumeSettlement(
  deps: Deps,
  payment: WalletPayment,
  { mayCharge }: { mayCharge: boolean },
): Promise<Settlement | null> {
  const claim = newClaim(deps, SETTLE_LEASE_MS);
  if (!(await takeOverSettlement(deps.db, payment, claim))) return null;
  const mine = { ...payment, claimToken: claim.token };
  return record(deps, mine, await settleAgain(deps, mine, mayCharge));
}

/**
 * The facilitator's word counts if no settlement was sent before, and the chain's before the facilitator's: a
 * settlement that it refuses now may have been carried out when a proxy repeated the request.
 */
async function settleFirst(deps: Deps, claimed: Claimed): Promise<Settlement> {
  const answer = await askToSettle(deps, claimed);
  if (answer.kind === "settled") return answer;
  const proven = await askChain(deps, claimed);
  if (proven !== null) return proven;
  if (answer.kind === "refused") return answer;
  const isReverted =
    answer.kind === "reverted" && ((await deps.chain?.wasReverted(answer.transaction)) ?? true);
  return isReverted ? { kind: "refused", reason: answer.reason } : inDoubt(answer);
}

/**
 * After a doubt only the chain ends it: what was sent before may wait for its block as long as the authorization is
 * valid, whatever the facilitator says of the next try. Where there is no chain to ask, doubt is the buyer's benefit:
 * they have an answer that they may have paid for.
 */
async function settleAgain(deps: Deps, claimed: Claimed, mayCharge: boolean): Promise<Settlement> {
  const known = await askChain(deps, claimed);
  if (known !== null) return known;
  if (!mayCharge) return { kind: "unknown", detail: "nobody has come back for it" };
  const answer = await askToSettle(deps, claimed);
  if (answer.kind === "settled") return answer;
  const proven = await askChain(deps, claimed);
  if (proven !== null) return proven;
  if (deps.chain !== null || answer.kind === "unknown") return inDoubt(answer);
  const hasEnded = claimed.validBefore <= deps.clock.now();
  return answer.kind === "used" || hasEnded
    ? { kind: "settled", transaction: null }
    : inDoubt(answer);
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

const asked = z.object({ payTo: z.string(), amount: z.string() });

/** The transfer's final state on the chain; null while it has none. Unused is final once no block can hold the transfer any more. */
async function askChain(
  { chain }: Deps,
  { payer, nonce, requirements, validBefore }: Claimed,
): Promise<Settlement | null> {
  const { payTo: to, amount } = asked.parse(requirements);
  const state = await chain?.transferState({ payer, nonce, to, amount: BigInt(amount) });
  switch (state?.kind) {
    case "paid":
      return { kind: "settled", transaction: state.transaction };
    case "void":
      return { kind: "refused", reason: "invalid_exact_evm_nonce_already_used" };
    case "unused":
      return state.asOf >= validBefore
        ? { kind: "refused", reason: "invalid_exact_evm_payload_authorization_valid_before" }
        : null;
    case undefined:
      return null;
  }
}

const inDoubt = (answer: Exclude<SettleAnswer, { kind: "settled" }>): Settlement => ({
  kind: "unknown",
  detail: answer.kind === "unknown" ? answer.detail : `${answer.kind}, ${answer.reason}`,
});

async function record(
  { db, clock, log }: Deps,
  claimed: Claimed,
  settlement: Settlement,
): Promise<Settlement> {
  const now = clock.now();
  if (settlement.kind === "settled")
    await recordSettled(db, claimed, { transaction: settlement.transaction, now });
  else if (settlement.kind === "refused") await releaseWalletPayment(db, claimed);
  else {
    await leaveSettlement(db, claimed, now);
    const { payer, nonce } = claimed;
    log.error("settlement_unknown", { payer, nonce, answer: settlement.detail });
  }
  return settlement;
}
