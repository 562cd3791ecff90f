import { getDomainKey } from "#db/domain-keys.ts";
import type { AliasRow } from "#db/mail-aliases.ts";
import type { Deps } from "#src/deps.ts";
import { TRANSPORT_TRAITS } from "#src/providers/mail/index.ts";
import type { DkimSigner } from "./dkim.ts";
import { openDomainSigners } from "./domain-signers.ts";

/** What mail from an alias gets from its domain record, as far as its provider leaves it: signatures, and the host of its return path. */
export async function aliasDomain(
  deps: Deps,
  {
    workspaceId,
    domainId,
    transportKind,
  }: Pick<AliasRow, "workspaceId" | "domainId" | "transportKind">,
): Promise<{ dkim: DkimSigner[]; returnPath: string | null }> {
  const domain = domainId === null ? undefined : await getDomainKey(deps.db, workspaceId, domainId);
  if (domain === undefined) return { dkim: [], returnPath: null };
  const { keepsMessage, takesReturnPath } = TRANSPORT_TRAITS[transportKind];
  return {
    dkim: keepsMessage ? await openDomainSigners(deps, domain) : [],
    returnPath: takesReturnPath ? domain.returnPath : null,
  };
}
