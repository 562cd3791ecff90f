import { getDomainKey } from "#db/senders/domain-keys.ts";
import type { AliasRow } from "#db/senders/aliases.ts";
import type { Deps } from "#src/deps.ts";
import { TRANSPORT_TRAITS } from "#src/providers/mail/index.ts";
import type { DkimSigner } from "#src/mime/dkim.ts";
import { openDomainSigners } from "./domain-signers.ts";
import { trackingBaseOf } from "./tracking-base.ts";

/** What mail from an alias gets from its domain record, as far as its provider leaves it: signatures, the host of its return path, and where its links go. */
export async function aliasDomain(
  deps: Deps,
  {
    workspaceId,
    domainId,
    transportKind,
  }: Pick<AliasRow, "workspaceId" | "domainId" | "transportKind">,
): Promise<{ dkim: DkimSigner[]; returnPath: string | null; trackingBaseUrl: string }> {
  const domain = domainId === null ? undefined : await getDomainKey(deps.db, workspaceId, domainId);
  const trackingBaseUrl = trackingBaseOf(deps.settings, domain);
  if (domain === undefined) return { dkim: [], returnPath: null, trackingBaseUrl };
  const { keepsMessage, takesReturnPath } = TRANSPORT_TRAITS[transportKind];
  return {
    dkim: keepsMessage ? await openDomainSigners(deps, domain) : [],
    returnPath: takesReturnPath ? domain.returnPath : null,
    trackingBaseUrl,
  };
}
