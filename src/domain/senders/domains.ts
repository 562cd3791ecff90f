import type { Part } from "#db/base/part.ts";
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION, violates } from "#db/base/client.ts";
import {
  aliasesOfDomain,
  deleteMailDomain,
  getMailDomain,
  insertMailDomain,
  listMailDomains,
  type MailDomainRow,
} from "#db/senders/domains.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { newOwned, requireFound } from "#src/domain/owned.ts";
import { conflict, notFound } from "#src/errors.ts";
import { generateDkimKey } from "#src/mime/dkim.ts";
import { type DomainRecord, wantedRecords, withSeen } from "./domain-records.ts";
import { dkimKeyContext, ed25519KeyContext } from "./domain-signers.ts";

export { dkimKeyContext } from "./domain-signers.ts";

export interface MailDomain extends Omit<MailDomainRow, "records"> {
  records: DomainRecord[];
}

/** From the record's id, so that two workspaces with one domain, or another sender service, do not collide. */
const selectorOf = (id: string) => `overture-${id.slice(-8)}`;

export async function readDomains(
  deps: Deps,
  { workspaceId }: Principal,
  part?: Part,
): Promise<MailDomain[]> {
  return (await listMailDomains(deps.db, workspaceId, part)).map((row) => withRecords(deps, row));
}

export async function requireDomain(
  deps: Deps,
  { workspaceId }: Pick<Principal, "workspaceId">,
  id: string,
): Promise<MailDomain> {
  const found = await getMailDomain(deps.db, workspaceId, id);
  return withRecords(deps, requireFound(found, "Mail domain"));
}

/** Makes the domain's DKIM keys, RSA-2048 and Ed25519; the private halves are only ever stored sealed. */
export async function createDomain(
  deps: Deps,
  principal: Principal,
  domain: string,
): Promise<MailDomain> {
  const owner = newOwned(deps, principal);
  const [rsa, ed25519] = await Promise.all([generateDkimKey("rsa"), generateDkimKey("ed25519")]);
  const content = {
    domain,
    dkimSelector: selectorOf(owner.id),
    dkimPublicKey: rsa.publicKey,
    dkimPrivateKey: await deps.vault.seal(rsa.privateKey, dkimKeyContext(owner.id)),
    ed25519Selector: `${selectorOf(owner.id)}-ed25519`,
    ed25519PublicKey: ed25519.publicKey,
    ed25519PrivateKey: await deps.vault.seal(ed25519.privateKey, ed25519KeyContext(owner.id)),
  };
  try {
    return withRecords(deps, await insertMailDomain(deps.db, owner, content));
  } catch (error) {
    if (!violates(error, UNIQUE_VIOLATION, "mail_domains_name")) throw error;
    throw conflict("DOMAIN_EXISTS", `The workspace has the domain ${domain} already.`);
  }
}

export async function removeDomain(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  try {
    if (await deleteMailDomain(deps.db, workspaceId, id)) return;
  } catch (error) {
    if (!violates(error, FOREIGN_KEY_VIOLATION)) throw error;
    throw conflict("IN_USE", "Mail aliases use this domain; delete them or take it from them.", {
      detail: { alias_ids: await aliasesOfDomain(deps.db, workspaceId, id) },
    });
  }
  throw notFound("Mail domain");
}

const withRecords = (deps: Deps, row: MailDomainRow): MailDomain => ({
  ...row,
  records: withSeen(wantedRecords(row, deps.settings), row.records),
});
