import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION, violates } from "#db/client.ts";
import {
  aliasesOfDomain,
  deleteMailDomain,
  getMailDomain,
  insertMailDomain,
  listMailDomains,
  type MailDomainRow,
} from "#db/mail-domains.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";
import { generateDkimKey } from "./dkim.ts";
import { type WantedRecord, wantedRecords } from "./domain-records.ts";

/** A name of our own, so that it does not meet the selector of another sender of the domain. */
const FIRST_SELECTOR = "overture1";

/** The context under which the vault seals a domain's private key. */
export const dkimKeyContext = (domainId: string) => `mail_domains:${domainId}:dkim_private_key`;

export interface MailDomain extends MailDomainRow {
  records: WantedRecord[];
}

export async function readDomains(deps: Deps, { workspaceId }: Principal): Promise<MailDomain[]> {
  return (await listMailDomains(deps.db, workspaceId)).map((row) => withRecords(deps, row));
}

export async function requireDomain(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<MailDomain> {
  const found = await getMailDomain(deps.db, workspaceId, id);
  if (found === undefined) throw notFound("Mail domain");
  return withRecords(deps, found);
}

/** Makes the domain's DKIM key, RSA-2048; the private half is only ever stored sealed. */
export async function createDomain(
  deps: Deps,
  { workspaceId, userId }: Principal,
  domain: string,
): Promise<MailDomain> {
  const owner = { id: deps.ids.uuid(), workspaceId, userId, now: deps.clock.now() };
  const { publicKey, privateKey } = await generateDkimKey("rsa");
  const content = {
    domain,
    dkimSelector: FIRST_SELECTOR,
    dkimPublicKey: publicKey,
    dkimPrivateKey: await deps.vault.seal(privateKey, dkimKeyContext(owner.id)),
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
  records: wantedRecords(row, deps.settings),
});
