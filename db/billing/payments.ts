import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement, UNIQUE_VIOLATION, violates } from "../base/client.ts";
import { type CreditRef, grantStatement, takeBackStatement } from "./credits.ts";
import { instantParam } from "../base/instants.ts";
import type { NewOwned } from "../base/owned.ts";
import type { CREDIT_KINDS, OrderStatus } from "../schema/index.ts";
import { paymentEvents, paymentOrders, paymentReversals } from "../schema/index.ts";
import { holdsMoney } from "./order-checks.ts";

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
 * `reusableUntil` gives way to a new one. Undefined when it was closed in between, or the workspace deleted.
 */
export async function openOrder(
  db: Db,
  order: NewOrder,
  reusableUntil: Date,
): Promise<OrderColumns | undefined> {
  const isThis = eq(paymentOrders.clickKey, order.clickKey);
  const [, , rows] = await commit(db, [
    db
      .update(paymentOrders)
      .set({ clickKey: null })
      .where(and(isThis, lt(paymentOrders.expiresAt, reusableUntil))),
    insertStatement(db, order),
    db.select().from(paymentOrders).where(isThis),
  ]);
  return rows[0];
}

/** A deletion of the workspace waits for this transaction and then finds the order, or this one finds the deletion. */
const insertStatement = (db: Db, order: NewOrder): Statement =>
  db.execute(sql`
    insert into payment_orders (id, workspace_id, user_id, created_at, updated_at, pack_id, credits, amount_cents, currency,
      success_url, cancel_url, status, click_key, expires_at, check_at)
    select ${order.id}::uuid, w.id, ${order.userId}::uuid, ${instantParam(order.now)}, ${instantParam(order.now)},
      ${order.packId}, ${order.credits}::int, ${order.amountCents}::int, ${order.currency}, ${order.successUrl}, ${order.cancelUrl},
      'open', ${order.clickKey}, ${instantParam(order.expiresAt)}, ${order.checkAt === null ? null : instantParam(order.checkAt)}
    from workspaces w where w.id = ${order.workspaceId}::uuid and w.deleted_at is null for share
    on conflict (click_key) do nothing`);

/** An order by its own id, or by the provider's id of its payment. */
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
  /** New reversals, and those that were withdrawn. */
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
        .set({
          status,
          sessionId,
          paymentId,
          updatedAt: event.now,
          // Otherwise as they are: a deletion may have changed them meanwhile.
          ...(clickKey === null && { clickKey }),
          ...(checkAt === null && { checkAt }),
          ...(status === "paid" && { checkAt: atOnceIfClosed(event.now) }),
        })
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

/** Money that came for an order of a deleted workspace, or is here again, is to go back. */
const atOnceIfClosed = (now: Date): SQL =>
  sql`case when closed_at is not null then ${instantParam(now)} else check_at end`;

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
        select 1 from payment_orders where payment_orders.workspace_id = ${workspaceId}::uuid and ${holdsMoney}
      ) then 'paid' else 'free' end as plan
    ) decided
    where w.id = ${workspaceId}::uuid and w.plan <> decided.plan`);
