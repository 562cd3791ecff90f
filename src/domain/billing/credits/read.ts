import { type CreditEntryRow, getBalance, listEntries } from "#db/billing/credit-ledger.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { inWorkspace, requireFound } from "#src/domain/owned.ts";

export { CREDIT_KINDS } from "#db/schema/index.ts";
export type CreditEntry = CreditEntryRow;

export async function requireBalance(deps: Deps, { workspaceId }: Principal) {
  return requireFound(await getBalance(deps.db, workspaceId), "Workspace");
}

export const listLedger = inWorkspace(listEntries);
