import { getDomainKey } from "#db/domain-keys.ts";
import type { AliasRow } from "#db/mail-aliases.ts";
import type { Deps } from "#src/deps.ts";
import type { DkimSigner } from "./dkim.ts";
import { openDomainSigners } from "./domain-signers.ts";

/** The signatures that mail from an alias carries: those of its domain record, or none. */
export async function aliasSigners(
  deps: Deps,
  { workspaceId, domainId }: Pick<AliasRow, "workspaceId" | "domainId">,
): Promise<DkimSigner[]> {
  if (domainId === null) return [];
  const domain = await getDomainKey(deps.db, workspaceId, domainId);
  return domain === undefined ? [] : openDomainSigners(deps, domain);
}
