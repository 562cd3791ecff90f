import { openSettlements, sweepWalletPayments } from "#db/billing/wallet-payments.ts";
import type { Deps } from "#src/deps.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import { ANSWER_KEPT_MS } from "./prices.ts";
import { resumeSettlement } from "./settle.ts";

/** Each is perhaps a call to the facilitator, and some to the chain. */
const SETTLEMENTS_A_RUN = 20;

/**
 * Ends settlements in doubt that no buyer came back for, and deletes payments no longer needed. It charges no wallet: a
 * buyer that went away may have paid for another call since, so the facilitator is asked only about payments that can
 * no longer move money.
 */
export async function reconcileWalletPayments(deps: Deps): Promise<void> {
  const now = deps.clock.now().getTime();
  if (deps.facilitator !== null)
    for (const payment of await openSettlements(
      deps.db,
      new Date(now - MINUTE_MS),
      SETTLEMENTS_A_RUN,
    ))
      await resumeSettlement(deps, payment, { mayCharge: payment.validBefore.getTime() < now });
  await sweepWalletPayments(deps.db, {
    deadBefore: new Date(now - 60 * MINUTE_MS),
    answersBefore: new Date(now - ANSWER_KEPT_MS),
  });
}
