import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { claimDueStatement, type JobQueue, WORK_ROW } from "../base/job-queue.ts";
import { paymentOrders } from "../schema/index.ts";

/** Some of an order's money is still here. */
export const holdsMoney = sql`(payment_orders.status = 'paid' and payment_orders.amount_cents > (
  select coalesce(sum(r.amount_cents), 0) from payment_reversals r where r.order_id = payment_orders.id and r.standing))`;

/**
 * An order is asked about after a quarter of an hour, then each time it has become twice as old, for so long. One that can
 * be paid, and a deleted workspace's that is not refunded, each hour: what was paid counts within the hour (contract, 12.3).
 */
const FIRST_CHECK = "15 minutes";
const LONGEST_WAIT = "30 days";
const LAST_CHECK = "180 days";
const PAID_FOR_WAIT = "1 hour";

/** Orders that the provider is asked about. Their changes are numbered: of two workers at one order one is overtaken. */
const ORDER_CHECKS: JobQueue<typeof paymentOrders> = {
  table: paymentOrders,
  fields: { ...WORK_ROW, dueAt: "checkAt", lease: "checkAt", claimToken: null },
};

/** One of each workspace, longest due first, then a second of each: one that opens pages without end keeps no other waiting. */
const inTurn = (at: SQL, limit: number): SQL => sql`${paymentOrders.id} in (
  select id from (
    select id, check_at, row_number() over (partition by workspace_id order by check_at, id) as turn
    from payment_orders where check_at <= ${at}
  ) due order by turn, check_at, id limit ${limit})`;

/** Takes the orders to ask the provider about, and puts each off to its next time whatever becomes of it. */
export async function claimOrderChecks(db: Db, now: Date, limit: number): Promise<string[]> {
  const at = instantParam(now);
  const age = sql`${at} - payment_orders.created_at`;
  const until = sql`case when ${age} < ${LAST_CHECK}::interval
    then ${at} + least(greatest(${age}, ${FIRST_CHECK}::interval),
      case when payment_orders.status = 'open' or (payment_orders.closed_at is not null and ${holdsMoney})
        then ${PAID_FOR_WAIT}::interval else ${LONGEST_WAIT}::interval end) end`;
  const which = { limit, where: inTurn(at, limit), thenBy: paymentOrders.id };
  const rows = await claimDueStatement(db, ORDER_CHECKS, { now, until }, which);
  return rows.map(({ id }) => id);
}

/** Whether its workspace was deleted before the order was paid. */
export async function isClosed(db: Db, id: string): Promise<boolean> {
  const isIt = and(eq(paymentOrders.id, id), isNotNull(paymentOrders.closedAt));
  return (await db.select({ id: paymentOrders.id }).from(paymentOrders).where(isIt)).length > 0;
}

/** Orders of a deleted workspace whose checkout may still be paid. */
export async function listOpenClosed(
  db: Db,
  workspaceId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: paymentOrders.id })
    .from(paymentOrders)
    .where(
      and(
        eq(paymentOrders.workspaceId, workspaceId),
        eq(paymentOrders.status, "open"),
        isNotNull(paymentOrders.closedAt),
      ),
    )
    .orderBy(paymentOrders.id)
    .limit(limit);
  return rows.map(({ id }) => id);
}
