import { getDomainKey } from "#db/domain-keys.ts";
import type { AliasRow } from "#db/mail-aliases.ts";
import type { Deps } from "#src/deps.ts";
import { type DkimSigner, importDkimKey } from "./dkim.ts";

/** The signatures that mail from an alias carries: those of its domain record, or none. */
export async function aliasSigners(
  { db, vault }: Deps,
  { workspaceId, domainId }: Pick<AliasRow, "workspaceId" | "domainId">,
): Promise<DkimSigner[]> {
  const domain = domainId === null ? undefined : await getDomainKey(db, workspaceId, domainId);
  if (domain === undefined) return [];
  const privateKey = await vault.open(
    domain.sealedKey,
    `mail_domains:${domain.id}:dkim_private_key`,
  );
  return [await importDkimKey(domain.name, domain.selector, { kind: "rsa", privateKey })];
}
