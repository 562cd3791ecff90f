import { commit, type Statement } from "#db/base/client.ts";
import {
  allCapturedStatement,
  captureStatement,
  type CreditMove,
  holdStatement,
  isInsufficient,
  releaseStatement,
} from "#db/billing/credits.ts";
import type { Deps } from "#src/deps.ts";
import { type AppError, forbidden } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import { CREDIT_COSTS, type CreditUse } from "./packs.ts";

/** Pieces of work of one kind, each by the id of its attempt: an id is held for once, whatever becomes of it. */
export interface Charge {
  workspaceId: string;
  refType: CreditUse;
  refIds: string[];
}

/** Whether the work delivered what is paid for. Failed, unknown and skipped are not spent. */
export interface Delivery<Value> {
  spent: boolean;
  value: Value;
}

/** How long credits stay reserved for work whose worker died before it settled. */
export const HELD_MS = { call: 15 * MINUTE_MS, batch: 24 * 60 * MINUTE_MS };

/**
 * Work done while the caller waits: its credit is held, then spent or given back as the work
 * says. A throw gives it back and goes on to the caller. Too few credits: 403, before the work begins.
 */
export function chargeFor<Value>(
  deps: Deps,
  principal: { workspaceId: string },
  { refType, refId }: { refType: CreditUse; refId: string },
  work: () => Promise<Delivery<Value>>,
): Promise<Value> {
  return chargeForEach(deps, principal, { refType, refIds: [refId] }, async () => {
    const { spent, value } = await work();
    return { spent: spent ? 1 : 0, value };
  });
}

/**
 * The same for work that delivers up to so many things, or none: `spent` of them are paid for, the rest is given back.
 * "settled": the work stored its result in a transaction that ended the holds too.
 */
export async function chargeForEach<Value>(
  deps: Deps,
  { workspaceId }: { workspaceId: string },
  { refType, refIds }: { refType: CreditUse; refIds: string[] },
  work: () => Promise<{ spent: number | "settled"; value: Value }>,
): Promise<Value> {
  const charge = { workspaceId, refType, refIds };
  // Of nothing too: it is the write that uses the request's key.
  const held = await hold(deps, charge, HELD_MS.call).catch(throwInsufficient(charge));
  if (held.rows.length === 0 && refIds.length > 0)
    throw new Error(`${refType} ${refIds[0]} was charged before.`);
  let spent: number | "settled" = 0;
  try {
    const delivery = await work();
    ({ spent } = delivery);
    return delivery.value;
  } finally {
    if (spent !== "settled") await settleQuietly(deps, charge, spent);
  }
}

/** A failed settlement is logged, not thrown: delivered work is answered all the same, and the hold expires. */
async function settleQuietly(deps: Deps, charge: Charge, spent: number): Promise<void> {
  const paid = new Set(charge.refIds.slice(0, spent));
  try {
    const [first, ...others] = settle(deps, charge, (refId) => paid.has(refId));
    if (first !== undefined) await commit(deps.db, [first, ...others]);
  } catch (error) {
    const { workspaceId, refType, refIds } = charge;
    const about = { workspace_id: workspaceId, ref_type: refType, ref_id: refIds[0], spent };
    deps.log.error("charge_not_settled", { ...about, ...describeError(error) });
  }
}

/**
 * Work done later, in a batch: joins the transaction that enqueues it, as its last statement, since the
 * workspace's balance is locked from there on. `.catch(throwInsufficient(charge))` belongs to that commit.
 */
export function hold(deps: Deps, charge: Charge, heldMs: number = HELD_MS.batch) {
  return holdStatement(deps.db, {
    ...creditMove(deps, charge),
    amount: CREDIT_COSTS[charge.refType],
    expiresAt: new Date(deps.clock.now().getTime() + heldMs),
  });
}

/**
 * Ends the holds of a batch, some or all: joins, as the last statements, the transaction that stores the
 * work's results, so that no result is without its charge. Safe to repeat; ended holds move no credit.
 */
export function settle(
  deps: Pick<Deps, "db" | "clock" | "ids">,
  { refIds, ...charge }: Charge,
  isSpent: (refId: string) => boolean,
): Statement[] {
  const some = (ids: string[], build: typeof captureStatement) =>
    ids.length === 0 ? [] : [build(deps.db, creditMove(deps, { ...charge, refIds: ids }))];
  const unspent = refIds.filter((id) => !isSpent(id));
  return [...some(refIds.filter(isSpent), captureStatement), ...some(unspent, releaseStatement)];
}

/**
 * The same where a statement before it says how many of the references are spent, the first ones: the transaction's answer
 * may be lost, and its results stay. Who takes it for failed gives the holds back; if it was only late, it fails by that.
 */
export function settleFirst(
  deps: Deps,
  charge: Charge,
  spent: NonNullable<CreditMove["first"]>,
): Statement[] {
  if (charge.refIds.length === 0) return [];
  const move = { ...creditMove(deps, charge), first: spent };
  return [
    captureStatement(deps.db, move),
    allCapturedStatement(deps.db, move),
    releaseStatement(deps.db, creditMove(deps, charge)),
  ];
}

export function creditMove(
  deps: Pick<Deps, "clock" | "ids">,
  charge: Omit<CreditMove, "items" | "first" | "now"> & { refIds: readonly string[] },
): CreditMove {
  const { workspaceId, refType, refIds } = charge;
  const items = [...new Set(refIds)].map((refId) => ({ entryId: deps.ids.uuid(), refId }));
  return { workspaceId, refType, items, now: deps.clock.now() };
}

/** For the `catch` of a `commit` with a hold: turns a balance that is too small into 403. */
export function throwInsufficient({ refType, refIds }: Charge): (error: unknown) => never {
  return (error) => {
    throw isInsufficient(error)
      ? insufficientCredits(refIds.length * CREDIT_COSTS[refType])
      : error;
  };
}

/** For callers that check the balance before a hold of many parts, so that a refused request leaves no trace. */
export function insufficientCredits(needed: number): AppError {
  const credits = needed === 1 ? "1 credit" : `${needed} credits`;
  return forbidden(
    "INSUFFICIENT_CREDITS",
    `This needs ${credits}, more than are available; GET /api/v1/payments/packs lists what can be bought.`,
  );
}
