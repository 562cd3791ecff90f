import {
  captureStatement,
  type CreditMove,
  type CreditRef,
  grantStatement,
  holdStatement,
  isInsufficient,
  releaseStatement,
} from "#db/credits.ts";
import { commit } from "#db/client.ts";
import type { Deps } from "#src/deps.ts";
import { type AppError, forbidden } from "#src/errors.ts";

/** Whose credits, and what they are moved for: one credit for each reference. */
type Charge = [workspaceId: string, refType: string, refIds: string[]];

/** A move of credits for these references, ready for the `xStatement` builders of `db/credits.ts`. */
export function creditMove(deps: Deps, ...[workspaceId, refType, refIds]: Charge): CreditMove {
  return {
    workspaceId,
    refType,
    items: refIds.map((refId) => ({ entryId: deps.ids.uuid(), refId })),
    now: deps.clock.now(),
  };
}

export async function grantCredits(
  deps: Deps,
  workspaceId: string,
  amount: number,
  ref: CreditRef,
): Promise<void> {
  const grant = { id: deps.ids.uuid(), workspaceId, amount, ref, now: deps.clock.now() };
  await commit(deps.db, [grantStatement(deps.db, grant)]);
}

/** Reserves one credit for each reference: for all of them, or 403 and for none. */
export async function holdCredits(deps: Deps, ...charge: Charge): Promise<void> {
  const hold = holdStatement(deps.db, { ...creditMove(deps, ...charge), amount: 1 });
  await commit(deps.db, [hold]).catch(throwInsufficient(charge[2].length));
}

/** Spends what was held; to be called when the thing was delivered. Safe to repeat. */
export async function captureCredits(deps: Deps, ...charge: Charge): Promise<void> {
  await commit(deps.db, [captureStatement(deps.db, creditMove(deps, ...charge))]);
}

/** Gives back what was held; to be called on failure, unknown or skip. Safe to repeat. */
export async function releaseCredits(deps: Deps, ...charge: Charge): Promise<void> {
  await commit(deps.db, [releaseStatement(deps.db, creditMove(deps, ...charge))]);
}

/** For the `catch` of a `commit` that holds `needed` credits: turns a balance that is too small into 403. */
export function throwInsufficient(needed: number): (error: unknown) => never {
  return (error) => {
    throw isInsufficient(error) ? insufficientCredits(needed) : error;
  };
}

export function insufficientCredits(needed: number): AppError {
  const credits = needed === 1 ? "1 credit" : `${needed} credits`;
  return forbidden(
    "INSUFFICIENT_CREDITS",
    `This needs ${credits}, more than are available; GET /api/v1/payments/packs lists what can be bought.`,
  );
}
