import type {
  CreditMoveOfOrder,
  OrderChange,
  OrderColumns,
  OrderRow,
  ReversalRow,
} from "#db/billing/payments.ts";
import type { CheckoutSession, Reversal } from "#src/providers/payments/index.ts";

/** The provider's news of an order: from an event, or from a request. */
export interface News {
  session?: CheckoutSession;
  reversals?: Reversal[];
  /** There is no session, and none will come. */
  ended?: "failed" | "expired";
}

export interface PlannedChange extends OrderChange {
  /** Unexpected states that the operator has to look at. */
  alarms: string[];
  /** False when the order says all of it already. */
  changes: boolean;
}

type Status = OrderRow["status"];

/** A later status only counts if its rank is higher: events come in any order, and a payment stays paid. */
const RANK: Record<Status, number> = { open: 0, expired: 1, failed: 1, mismatch: 2, paid: 3 };

const SAID: Record<CheckoutSession["state"], Status> = {
  open: "open",
  processing: "open",
  paid: "paid",
  failed: "failed",
  expired: "expired",
};

/** Pure. The same news in any order, and any number of times, leads to the same order and the same credits. */
export function planChange(order: OrderRow, news: News): PlannedChange {
  const { session, reversals = [] } = news;
  const faults = session === undefined ? [] : faultsOf(order, session);
  const status = statusAfter(order, news, faults);
  const own = session !== undefined && isOwn(order, session) ? session : undefined;
  const sessionId = order.sessionId ?? own?.id ?? null;
  const fresh = freshReversals(order, reversals);
  const moves = status === "paid" ? movesOf({ ...order, sessionId }, fresh) : [];
  const after = {
    status,
    clickKey: status === "open" && (own?.state ?? "open") === "open" ? order.clickKey : null,
    sessionId,
    paymentId: order.paymentId ?? own?.paymentId ?? null,
    checkAt: status === "expired" || status === "failed" ? null : order.checkAt,
  };
  const keys = Object.keys(after) as (keyof typeof after)[];
  return {
    ...after,
    reversals: fresh,
    moves,
    alarms: [
      ...(session !== undefined && statusOf(order, session, faults) === "mismatch"
        ? faults.map((fault) => `another ${fault}`)
        : []),
      ...alarmsOfReversals(order, reversals),
    ],
    changes: fresh.length > 0 || keys.some((key) => after[key] !== order[key]),
  };
}

const isOwn = (order: OrderColumns, { id }: CheckoutSession) =>
  order.sessionId === null || order.sessionId === id;

/** The fields in which a session differs from its order. */
export function faultsOf(order: OrderColumns, session: CheckoutSession): string[] {
  const agrees = {
    order: session.orderId === order.id,
    session: isOwn(order, session),
    pack: session.packId === order.packId,
    amount: session.amountCents === order.amountCents,
    currency: session.currency === order.currency,
  };
  return Object.entries(agrees).flatMap(([name, isSame]) => (isSame ? [] : [name]));
}

function statusAfter(order: OrderRow, { session, ended }: News, faults: string[]): Status {
  const said = session === undefined ? (ended ?? order.status) : statusOf(order, session, faults);
  return RANK[said] > RANK[order.status] ? said : order.status;
}

/** Another session of the order matters only if it was paid; one that has ended has no faults any more. */
function statusOf(order: OrderRow, session: CheckoutSession, faults: string[]): Status {
  const said = SAID[session.state];
  if (said !== "paid" && !isOwn(order, session)) return order.status;
  const isOver = said === "failed" || said === "expired";
  return faults.length > 0 && !isOver ? "mismatch" : said;
}

/** Reversals that are new, or were withdrawn. */
function freshReversals(order: OrderRow, reversals: Reversal[]): ReversalRow[] {
  const known = new Map(order.reversals.map((reversal) => [reversal.id, reversal]));
  const fresh = new Map<string, ReversalRow>();
  for (const { currency, ...reversal } of reversals) {
    const before = fresh.get(reversal.id) ?? known.get(reversal.id);
    const isNews = before === undefined || (before.standing && !reversal.standing);
    if (currency === order.currency && isNews)
      fresh.set(reversal.id, { ...(before ?? reversal), standing: reversal.standing });
  }
  return [...fresh.values()];
}

/** The credits to give for the payment, and to take back or give again for each reversal made or withdrawn. */
function movesOf(order: OrderRow, fresh: ReversalRow[]): CreditMoveOfOrder[] {
  const isPaidNow = order.status !== "paid";
  const before = isPaidNow ? [] : order.reversals;
  const steps = isPaidNow ? merged(order.reversals, fresh) : fresh;
  const grant: CreditMoveOfOrder = {
    kind: "grant",
    amount: order.credits,
    ref: { type: "purchase", id: order.sessionId ?? order.id },
  };
  const moves = isPaidNow ? [grant] : [];
  let state = before;
  for (const step of steps) {
    const next = merged(state, [step]);
    const taken = creditsBack(order, next) - creditsBack(order, state);
    if (taken !== 0) moves.push(reversalMove(step, taken));
    state = next;
  }
  return moves;
}

const GIVES_BACK = { refund: "refund_failed", dispute: "dispute_won" } as const;

const reversalMove = ({ id, kind }: ReversalRow, taken: number): CreditMoveOfOrder => ({
  kind: taken > 0 ? kind : GIVES_BACK[kind],
  amount: Math.abs(taken),
  ref: { type: kind, id },
});

const merged = (rows: ReversalRow[], fresh: ReversalRow[]): ReversalRow[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of fresh) byId.set(row.id, row);
  return [...byId.values()];
};

/**
 * Credits to take back for refunded money, in proportion, and never more than were bought. A fraction of a
 * credit stays with the customer until the rest of the money is refunded too.
 */
export function creditsBack(
  { credits, amountCents }: Pick<OrderRow, "credits" | "amountCents">,
  reversals: ReversalRow[],
): number {
  const cents = Math.min(amountCents, centsBack(reversals));
  return Math.floor((credits * cents) / amountCents);
}

/**
 * Money that came for an order after its workspace was deleted goes back, what is left of it. One refund that did not
 * arrive is enough: from then on it is a person's affair.
 */
export const isRefundDue = (order: OrderRow): boolean =>
  order.closedAt !== null &&
  order.status === "paid" &&
  centsBack(order.reversals) < order.amountCents &&
  !order.reversals.some(hasNotArrived);

const hasNotArrived = ({ kind, standing }: ReversalRow) => kind === "refund" && !standing;

const centsBack = (reversals: ReversalRow[]) =>
  reversals.reduce((sum, row) => sum + (row.standing ? row.amountCents : 0), 0);

function alarmsOfReversals(order: OrderRow, reversals: Reversal[]): string[] {
  const foreign = reversals.filter(({ currency }) => currency !== order.currency);
  const all = merged(order.reversals, freshReversals(order, reversals));
  const refunds = all.filter(({ kind }) => kind === "refund");
  return [
    ...foreign.map(({ id, currency }) => `${id} is in ${currency}`),
    ...(reversals.length > 0 && centsBack(refunds) > order.amountCents
      ? ["more refunded than was paid"]
      : []),
    ...(order.closedAt === null
      ? []
      : freshReversals(order, reversals)
          .filter(hasNotArrived)
          .map(({ id }) => `refund ${id} of a deleted workspace's purchase did not arrive`)),
  ];
}
