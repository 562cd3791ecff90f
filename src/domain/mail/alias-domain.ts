import { getDomainKey } from "#db/domain-keys.ts";
import type { AliasRow } from "#db/mail-aliases.ts";
import type { Deps } from "#src/deps.ts";
import type { DkimSigner } from "./dkim.ts";
import { openDomainSigners } from "./domain-signers.ts";

/** What mail from an alias gets from its domain record: signatures, and the host of its return path, if any. */
export async function aliasDomain(
  deps: Deps,
  { workspaceId, domainId }: Pick<AliasRow, "workspaceId" | "domainId">,
): Promise<{ dkim: DkimSigner[]; returnPath: string | null }> {
  const domain = domainId === null ? undefined : await getDomainKey(deps.db, workspaceId, domainId);
  if (domain === undefined) return { dkim: [], returnPath: null };
  return { dkim: await openDomainSigners(deps, domain), returnPath: domain.returnPath };
}
