import { claimOrderChecks } from "#db/billing/order-checks.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { PaymentsFailure } from "#src/providers/payments/index.ts";
import { attendToOrder, CALLS_OF_ORDER } from "./attend.ts";

/** Orders of one run, where the platform grants it enough calls. */
const MOST_ORDERS = 20;

/**
 * Asks the provider about orders without recent news: open ones whose webhook may be lost, paid ones that may have
 * been refunded. Stops at the first failure; each order's next look is scheduled already.
 */
export async function reconcilePayments(deps: Deps): Promise<void> {
  const { payments, settings } = deps;
  if (payments === null) return;
  const most = Math.floor(settings.tick.limits.calls / CALLS_OF_ORDER);
  const limit = Math.max(1, Math.min(MOST_ORDERS, most));
  for (const id of await claimOrderChecks(deps.db, deps.clock.now(), limit)) {
    try {
      await attendToOrder(deps, payments, id);
    } catch (error) {
      deps.log.error("payment_reconciliation_failed", { order_id: id, ...describeError(error) });
      // A session missing at the provider says nothing of other orders.
      if (!(error instanceof PaymentsFailure) || error.kind !== "not_found") return;
    }
  }
}
