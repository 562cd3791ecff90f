import { and, eq, lt, sql } from "drizzle-orm";
import { commit, type Db, type Statement, UNIQUE_VIOLATION, violates } from "./client.ts";
import { type CreditRef, grantStatement, takeBackStatement } from "./credits.ts";
import { instantParam } from "./instants.ts";
import { newRow, type NewOwned } from "./owned.ts";
import type { CREDIT_KINDS, OrderStatus } from "./schema/index.ts";
import { paymentEvents, paymentOrders, paymentReversals } from "./schema/index.ts";

export type OrderColumns = typeof paymentOrders.$inferSelect;
export type ReversalRow = Pick<
  typeof paymentReversals.$inferSelect,
  "id" | "kind" | "amountCents" | "standing"
>;

/** An order with what went back of its money. */
export interface OrderRow extends OrderColumns {
  /** How many changes it has seen. */
  version: number;
  reversals: ReversalRow[];
}

export type NewOrder = NewOwned &
  Pick<
    OrderColumns,
    | "packId"
    | "credits"
    | "amountCents"
    | "currency"
    | "successUrl"
    | "cancelUrl"
    | "expiresAt"
    | "checkAt"
  > & { clickKey: string };

/**
 * The open order of this click key, made if there is none; clicks at once share it. One that ends before
 * `reusableUntil` gives way to a new one. Undefined when it was closed in between.
 */
export async function openOrder(
  db: Db,
  order: NewOrder,
  reusableUntil: Date,
): Promise<OrderColumns | undefined> {
  const { clickKey, ...fields } = order;
  const isThis = eq(paymentOrders.clickKey, clickKey);
  const [, , rows] = await commit(db, [
    db
      .update(paymentOrders)
      .set({ clickKey: null })
      .where(and(isThis, lt(paymentOrders.expiresAt, reusableUntil))),
    db
      .insert(paymentOrders)
      .values({ ...fields, ...newRow(order), clickKey, status: "open" })
      .onConflictDoNothing({ target: paymentOrders.clickKey }),
    db.select().from(paymentOrders).where(isThis),
  ]);
  return rows[0];
}

/** By its own id, or by the provider's of its payment. */
export async function findOrder(
  db: Db,
  by: { id: string } | { paymentId: string },
): Promise<OrderRow | undefined> {
  const isIt = "id" in by ? eq(paymentOrders.id, by.id) : eq(paymentOrders.paymentId, by.paymentId);
  // The version is read no later than the rest: what comes between makes the change that is decided on it fail.
  const [rows, reversals] = await commit(db, [
    db
      .select({
        order: paymentOrders,
        version: sql<number>`(
          select count(*)::int from payment_events e where e.order_id = payment_orders.id)`,
      })
      .from(paymentOrders)
      .where(isIt),
    db
      .select({
        id: paymentReversals.id,
        kind: paymentReversals.kind,
        amountCents: paymentReversals.amountCents,
        standing: paymentReversals.standing,
      })
      .from(paymentReversals)
      .innerJoin(paymentOrders, eq(paymentOrders.id, paymentReversals.orderId))
      .where(isIt)
      .orderBy(paymentReversals.id),
  ]);
  const row = rows[0];
  return row === undefined ? undefined : { ...row.order, version: row.version, reversals };
}

/** Credits that one change of an order gives or takes. */
export interface CreditMoveOfOrder {
  kind: Exclude<(typeof CREDIT_KINDS)[number], "hold" | "capture" | "release" | "expire">;
  amount: number;
  ref: CreditRef;
}

export interface OrderChange {
  status: OrderStatus;
  clickKey: string | null;
  sessionId: string | null;
  paymentId: string | null;
  checkAt: Date | null;
  /** New ones, and those that no longer stand. */
  reversals: ReversalRow[];
  moves: CreditMoveOfOrder[];
}

export interface OrderEvent {
  id: string;
  type: string;
  now: Date;
  newId(): string;
}

/**
 * Records what an event changes, with its credits and the workspace's plan, in one transaction: `replayed`
 * when the event was recorded before, `overtaken` when the order has changed since it was read.
 */
export async function recordOrderChange(
  db: Db,
  order: OrderRow,
  event: OrderEvent,
  change: OrderChange,
): Promise<"recorded" | "replayed" | "overtaken"> {
  const { status, clickKey, sessionId, paymentId, checkAt } = change;
  try {
    await commit(db, [
      db.insert(paymentEvents).values({
        id: event.id,
        orderId: order.id,
        version: order.version + 1,
        type: event.type,
        createdAt: event.now,
      }),
      db
        .update(paymentOrders)
        .set({ status, clickKey, sessionId, paymentId, checkAt, updatedAt: event.now })
        .where(eq(paymentOrders.id, order.id)),
      ...change.reversals.map((reversal) => reversalStatement(db, order.id, reversal, event.now)),
      ...change.moves.map((move) => moveStatement(db, order.workspaceId, event, move)),
      ...(change.moves.length > 0 ? [planStatement(db, order.workspaceId, event.now)] : []),
    ]);
    return "recorded";
  } catch (error) {
    if (violates(error, UNIQUE_VIOLATION, "payment_events_pkey")) return "replayed";
    if (violates(error, UNIQUE_VIOLATION, "payment_events_version")) return "overtaken";
    throw error;
  }
}

const reversalStatement = (db: Db, orderId: string, reversal: ReversalRow, now: Date): Statement =>
  db
    .insert(paymentReversals)
    .values({ ...reversal, orderId, createdAt: now })
    .onConflictDoUpdate({ target: paymentReversals.id, set: { standing: reversal.standing } });

function moveStatement(
  db: Db,
  workspaceId: string,
  { now, newId }: OrderEvent,
  { kind, amount, ref }: CreditMoveOfOrder,
): Statement {
  const change = { id: newId(), workspaceId, amount, ref, now };
  return kind === "refund" || kind === "dispute"
    ? takeBackStatement(db, { ...change, kind })
    : grantStatement(db, { ...change, kind });
}

/**
 * A workspace is on the paid plan while some of the money of any purchase is still here. To stand behind a move
 * of credits, which the last of an order's money never goes or comes without: that has locked the balance, so
 * that two orders of one workspace that change at once see each other.
 */
const planStatement = (db: Db, workspaceId: string, now: Date): Statement =>
  db.execute(sql`
    update workspaces w set plan = decided.plan, updated_at = ${instantParam(now)}
    from (
      select case when exists (
        select 1 from payment_orders o
        where o.workspace_id = ${workspaceId}::uuid and o.status = 'paid' and o.amount_cents > (
          select coalesce(sum(r.amount_cents), 0) from payment_reversals r
          where r.order_id = o.id and r.standing)
      ) then 'paid' else 'free' end as plan
    ) decided
    where w.id = ${workspaceId}::uuid and w.plan <> decided.plan`);

/** An order is asked about after a quarter of an hour, then each time it has become twice as old, for so long. */
const FIRST_CHECK = "15 minutes";
const LONGEST_WAIT = "30 days";
const LAST_CHECK = "180 days";

/** Takes the orders to ask the provider about, longest due first, and puts each off to its next time whatever becomes of it. */
export async function claimOrderChecks(db: Db, now: Date, limit: number): Promise<string[]> {
  const at = instantParam(now);
  const { rows } = await db.execute<{ id: string }>(sql`
    update payment_orders o
    set check_at = case when ${at} - o.created_at < ${LAST_CHECK}::interval
      then ${at} + least(greatest(${at} - o.created_at, ${FIRST_CHECK}::interval), ${LONGEST_WAIT}::interval) end
    where o.id in (
      select id from payment_orders where check_at <= ${at} order by check_at, id limit ${limit}
      for update skip locked)
    returning o.id`);
  return rows.map(({ id }) => id);
}
