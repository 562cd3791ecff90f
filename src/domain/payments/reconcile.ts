import { claimOrderChecks, findOrder } from "#db/payments.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { type Payments, PaymentsFailure } from "#src/providers/payments/index.ts";
import type { News } from "./plan-change.ts";
import { recordNews } from "./record.ts";

/** Orders of one run, where the platform grants it enough calls. */
const MOST_ORDERS = 20;
/** Calls that one order takes, to the provider and to the database. */
const CALLS_EACH = 8;

/**
 * Asks the provider about orders from which nothing was heard: open ones whose webhook may be lost, paid ones
 * whose money may have gone back. Stops at the first failure; each order has been put off already and comes again.
 */
export async function reconcilePayments(deps: Deps): Promise<void> {
  const { payments, settings } = deps;
  if (payments === null) return;
  const most = Math.floor(settings.tick.limits.calls / CALLS_EACH);
  const limit = Math.max(1, Math.min(MOST_ORDERS, most));
  for (const id of await claimOrderChecks(deps.db, deps.clock.now(), limit)) {
    try {
      await recordNews(deps, { id }, { type: "reconciled" }, await askAbout(deps, payments, id));
    } catch (error) {
      deps.log.error("payment_reconciliation_failed", { order_id: id, ...describeError(error) });
      // One that is gone over there says nothing of the others.
      if (!(error instanceof PaymentsFailure) || error.kind !== "not_found") return;
    }
  }
}

async function askAbout(deps: Deps, payments: Payments, id: string): Promise<News> {
  const order = await findOrder(deps.db, { id });
  if (order === undefined) return {};
  const { sessionId, paymentId, status, expiresAt } = order;
  // Without a session nobody was given a page to pay on; until it would have ended a click may still ask for it.
  if (sessionId === null) return expiresAt <= deps.clock.now() ? { ended: "expired" } : {};
  if (status === "paid" && paymentId !== null)
    return { reversals: await payments.listReversals(paymentId) };
  const session = await payments.getSession(sessionId);
  if (session.state !== "paid" || session.paymentId === null) return { session };
  return { session, reversals: await payments.listReversals(session.paymentId) };
}
