import { type CreditEntryRow, getBalance, listEntries } from "#db/credits.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";

export { CREDIT_KINDS } from "#db/schema/index.ts";
export type CreditEntry = CreditEntryRow;

export async function requireBalance(deps: Deps, { workspaceId }: Principal) {
  const balance = await getBalance(deps.db, workspaceId);
  if (balance === undefined) throw notFound("Workspace");
  return balance;
}

export function listLedger(
  deps: Deps,
  { workspaceId }: Principal,
  before: string | undefined,
  limit: number,
): Promise<CreditEntry[]> {
  return listEntries(deps.db, workspaceId, before, limit);
}
