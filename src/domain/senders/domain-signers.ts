import type { SigningDomain } from "#db/base/fragments/domain-keys.ts";
import type { Deps } from "#src/deps.ts";
import { type DkimSigner, importDkimKey } from "#src/mime/dkim.ts";

/** The contexts under which the vault seals a domain's private keys. */
export const dkimKeyContext = (domainId: string) => `mail_domains:${domainId}:dkim_private_key`;
export const ed25519KeyContext = (domainId: string) =>
  `mail_domains:${domainId}:ed25519_private_key`;

/** The signatures of a domain's mail: RSA always, Ed25519 beside it once its record is published. */
export async function openDomainSigners(
  { vault }: Pick<Deps, "vault">,
  { id, name, selector, sealedKey, ed25519 }: SigningDomain,
): Promise<DkimSigner[]> {
  const rsa = await vault.open(sealedKey, dkimKeyContext(id));
  const signers = [await importDkimKey(name, selector, { kind: "rsa", privateKey: rsa })];
  if (ed25519 === null) return signers;
  const privateKey = await vault.open(ed25519.sealedKey, ed25519KeyContext(id));
  const second = await importDkimKey(name, ed25519.selector, { kind: "ed25519", privateKey });
  return [...signers, second];
}
