import { auditNextPiece, type CreditDiscrepancy } from "#db/billing/credit-audit.ts";
import type { Deps } from "#src/deps.ts";

/** Workspaces that one statement audits. */
const PIECE = 1_000;
/** The pieces that one full check audits at most; the next check goes on from there. */
const PIECES_AT_ONCE = 20;
const ENTRIES_AT_ONCE = 1_000_000;

/**
 * Makes up every workspace's balance from its entries and its open holds, in bounded pieces. What
 * does not add up is kept for the status page until it does, and said in the log each time it is seen.
 */
export async function auditLedger({ db, clock, log }: Deps): Promise<void> {
  const total = { workspaces: 0, entries: 0, wrong: 0 };
  let isLast = false;
  for (
    let pieces = 0;
    !isLast && pieces < PIECES_AT_ONCE && total.entries < ENTRIES_AT_ONCE;
    pieces++
  ) {
    const piece = await auditNextPiece(db, clock.now(), PIECE);
    for (const each of piece.examples) log.error("ledger_discrepancy", fieldsOf(each));
    total.workspaces += piece.workspaces;
    total.entries += piece.entries;
    total.wrong += piece.wrong;
    isLast = piece.isLast;
  }
  log.info("ledger_audited", { ...total, round_complete: isLast });
}

const fieldsOf = (wrong: CreditDiscrepancy) => ({
  message: "The balance is not the sum of its entries, or what is held not the sum of open holds.",
  workspace_id: wrong.workspaceId,
  available_off: wrong.availableOff,
  held_off: wrong.heldOff,
  owed_off: wrong.owedOff,
  holds_off: wrong.holdsOff,
});
