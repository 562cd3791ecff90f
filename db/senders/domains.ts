import { and, asc, eq } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { deleteOwned, type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { ALL, isAbove } from "../base/part.ts";
import { mailAliases, mailDomains } from "../schema/index.ts";

export type MailDomainRow = Omit<
  typeof mailDomains.$inferSelect,
  "dkimPrivateKey" | "ed25519PrivateKey"
>;

/** All columns but the sealed private keys, which only the sending code reads. */
export const mailDomainColumns = {
  id: mailDomains.id,
  workspaceId: mailDomains.workspaceId,
  userId: mailDomains.userId,
  createdAt: mailDomains.createdAt,
  updatedAt: mailDomains.updatedAt,
  domain: mailDomains.domain,
  status: mailDomains.status,
  dkimSelector: mailDomains.dkimSelector,
  dkimPublicKey: mailDomains.dkimPublicKey,
  ed25519Selector: mailDomains.ed25519Selector,
  ed25519PublicKey: mailDomains.ed25519PublicKey,
  records: mailDomains.records,
  checkedAt: mailDomains.checkedAt,
  failingSince: mailDomains.failingSince,
  dailyLimit: mailDomains.dailyLimit,
  revision: mailDomains.revision,
};

export async function listMailDomains(
  db: Db,
  workspaceId: string,
  part = ALL,
): Promise<MailDomainRow[]> {
  return db
    .select(mailDomainColumns)
    .from(mailDomains)
    .where(and(eq(mailDomains.workspaceId, workspaceId), isAbove(mailDomains.id, part)))
    .orderBy(asc(mailDomains.id))
    .limit(part.limit);
}

export async function getMailDomain(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<MailDomainRow | undefined> {
  const [row] = await db
    .select(mailDomainColumns)
    .from(mailDomains)
    .where(ownedBy(mailDomains, workspaceId, id));
  return row;
}

/** A second record of a domain is a unique violation of `mail_domains_name`. */
export async function insertMailDomain(
  db: Db,
  owner: NewOwned,
  content: Pick<
    typeof mailDomains.$inferInsert,
    | "domain"
    | "dkimSelector"
    | "dkimPublicKey"
    | "dkimPrivateKey"
    | "ed25519Selector"
    | "ed25519PublicKey"
    | "ed25519PrivateKey"
  >,
): Promise<MailDomainRow> {
  const [row] = await db
    .insert(mailDomains)
    .values({ ...content, ...newRow(owner), status: "pending" })
    .returning(mailDomainColumns);
  return row!;
}

/** False when there is none; a foreign key violation when an alias uses it. */
export const deleteMailDomain = (db: Db, workspaceId: string, id: string) =>
  deleteOwned(db, mailDomains, workspaceId, id);

export async function aliasesOfDomain(
  db: Db,
  workspaceId: string,
  domainId: string,
): Promise<string[]> {
  const rows = await db
    .select({ id: mailAliases.id })
    .from(mailAliases)
    .where(and(eq(mailAliases.workspaceId, workspaceId), eq(mailAliases.domainId, domainId)))
    .orderBy(asc(mailAliases.id))
    .limit(100);
  return rows.map(({ id }) => id);
}
