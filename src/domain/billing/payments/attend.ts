import { findOrder, type OrderRow } from "#db/billing/payments.ts";
import { listOpenClosed } from "#db/billing/order-checks.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import {
  type CheckoutSession,
  type Payments,
  PaymentsFailure,
} from "#src/providers/payments/index.ts";
import { isRefundDue, type News } from "./plan-change.ts";
import { recordNews } from "./record.ts";

/** Calls that it takes for one order at most, to the provider and to the database. */
export const CALLS_OF_ORDER = 14;

/**
 * Asks the provider about an order and records the answer. Of a deleted workspace's order it ends the page as well, and
 * gives back what was paid nonetheless.
 */
export async function attendToOrder(deps: Deps, payments: Payments, id: string): Promise<void> {
  const order = await findOrder(deps.db, { id });
  if (order === undefined) return;
  await recordNews(deps, { id }, { type: "reconciled" }, await askAbout(deps, payments, order));
  if (order.closedAt !== null) await refundIfDue(deps, payments, id);
}

async function askAbout(deps: Deps, payments: Payments, order: OrderRow): Promise<News> {
  const { sessionId, paymentId, status, expiresAt, closedAt } = order;
  // Without a session the customer got no page to pay on; until the order expires a click may still open one.
  if (sessionId === null) return expiresAt <= deps.clock.now() ? { ended: "expired" } : {};
  if (status === "paid" && paymentId !== null)
    return { reversals: await payments.listReversals(paymentId) };
  const session = await (closedAt !== null && status === "open"
    ? endPage(payments, sessionId)
    : payments.getSession(sessionId));
  if (session.state !== "paid" || session.paymentId === null) return { session };
  return { session, reversals: await payments.listReversals(session.paymentId) };
}

/** The session once it can no more be paid: expired, or as the customer had ended it before. */
async function endPage(payments: Payments, sessionId: string): Promise<CheckoutSession> {
  try {
    return await payments.expireSession(sessionId);
  } catch (error) {
    if (!isKind(error, "refused")) throw error;
    return payments.getSession(sessionId);
  }
}

/**
 * Runs after the reversals were read, so that a refund whose answer was lost is found and not made again. Two refunds at
 * once are one by the provider's idempotency key, and no charge can be refunded beyond its amount.
 */
async function refundIfDue(deps: Deps, payments: Payments, id: string): Promise<void> {
  const order = await findOrder(deps.db, { id });
  if (order === undefined || order.paymentId === null || !isRefundDue(order)) return;
  try {
    const refund = await payments.refund({ orderId: id, paymentId: order.paymentId });
    await recordNews(deps, { id }, { type: "refunded" }, { reversals: [refund] });
  } catch (error) {
    // Charged back, say, or an error that the provider repeats under this key for a day: other orders must not wait for it.
    if (!isKind(error, "refused", "broken")) throw error;
    deps.log.error("payment_refund_failed", { order_id: id, ...describeError(error) });
  }
}

const isKind = (error: unknown, ...kinds: PaymentsFailure["kind"][]) =>
  error instanceof PaymentsFailure && kinds.includes(error.kind);

/** Pages of one deletion; further ones have their turn with the next checks. */
const PAGES_AT_ONCE = 20;

/** Ends the pages of a deleted workspace. What fails here is due already, and done by the next check. */
export async function closeCheckouts(deps: Deps, workspaceId: string): Promise<void> {
  const { payments } = deps;
  if (payments === null) return;
  for (const id of await listOpenClosed(deps.db, workspaceId, PAGES_AT_ONCE))
    await attendToOrder(deps, payments, id);
}
