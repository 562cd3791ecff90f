import { commit } from "#db/base/client.ts";
import { expireStatement } from "#db/billing/credits.ts";
import { type DueHold, dueHolds } from "#db/billing/credit-ledger.ts";
import type { Deps } from "#src/deps.ts";

const BATCH = 500;
/** 10,000 holds a check, nearly a million a day. */
const BATCHES_AT_ONCE = 20;

/**
 * Gives back expired holds. Safe beside other sweepers and captures: each hold is given back once, and
 * a captured one is not. Answers how many were due.
 */
export async function expireHolds(deps: Deps): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < BATCHES_AT_ONCE; batch++) {
    const due = await dueHolds(deps.db, deps.clock.now(), BATCH);
    await giveBack(deps, due);
    total += due.length;
    if (due.length < BATCH) break;
  }
  if (total > 0) deps.log.info("credit_holds_expired", { holds: total });
  return total;
}

/** All of a batch in one transaction, whose balances every sweeper locks in the same order. */
async function giveBack({ db, ids, clock }: Deps, due: DueHold[]): Promise<void> {
  const now = clock.now();
  const groups = Map.groupBy(due, ({ workspaceId, refType }) => `${workspaceId} ${refType}`);
  const [first, ...rest] = [...groups.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, holds]) => {
      const { workspaceId, refType } = holds[0]!;
      const items = holds.map(({ refId }) => ({ entryId: ids.uuid(), refId }));
      return expireStatement(db, { workspaceId, refType, items, now });
    });
  if (first !== undefined) await commit(db, [first, ...rest]);
}
