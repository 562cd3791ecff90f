import {
  beginErasures,
  ERASED,
  erasePiece,
  erasuresUnderWay,
  finishErasure,
} from "#db/workspace/workspace-erasure.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";

/** So long an operator can restore it, and links in mail that was sent go on working. */
export const GRACE_DAYS = 30;

/** Rows of one statement, and pieces of one full check: a workspace of a million leads takes some hours, and delays no other work. */
export const ERASURE = { rowsAtOnce: 1_000, pieces: 300 };
const WORKSPACES_AT_ONCE = 10;

/**
 * Erases workspaces deleted longer ago than the grace, table by table and piece by piece. Each piece is a transaction
 * that is safe to repeat: after a worker's death the next full check goes on. Answers how many workspaces it finished.
 */
export async function eraseDeletedWorkspaces(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  await beginErasures(deps.db, new Date(now.getTime() - GRACE_DAYS * DAY_MS), now);
  const budget = { pieces: ERASURE.pieces };
  let erased = 0;
  for (const id of await erasuresUnderWay(deps.db, WORKSPACES_AT_ONCE)) {
    if (!(await eraseRows(deps, id, budget))) return erased;
    await finishErasure(deps.db, id, deps.clock.now());
    deps.log.info("workspace_erased", { workspace_id: id });
    erased += 1;
  }
  return erased;
}

/** False when the budget was used up before the end. */
async function eraseRows({ db }: Deps, id: string, budget: { pieces: number }): Promise<boolean> {
  for (const table of ERASED) {
    let rows: number;
    do {
      if (budget.pieces-- <= 0) return false;
      rows = await erasePiece(db, table, id, ERASURE.rowsAtOnce);
    } while (rows === ERASURE.rowsAtOnce);
  }
  return true;
}
