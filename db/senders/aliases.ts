import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { type Deletion, deletionOf, notUsed, usesAlias } from "../base/fragments/uses.ts";
import { commit, type Db, type Statement } from "../base/client.ts";
import { clearDefaultStatement, isMarked, lockDefaultMark } from "./default-mark.ts";
import { deleteLane, type DomainQuota, domainQuotaOf, insertLane } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { ALL, isAbove } from "../base/part.ts";
import {
  inboxes,
  type InboxRow,
  mailAliases,
  mailDomains,
  mailLogins,
  senderLanes,
  workspaces,
} from "../schema/index.ts";
import {
  aliasChangedAt,
  type LoginContent,
  putLoginStatement,
  type ShownLogin,
  shownLogin,
} from "./logins.ts";

export type AliasRow = typeof mailAliases.$inferSelect;
/** An alias with what its lane has counted on its present accounting day. */
export type AliasWithLane = AliasRow & {
  used: number;
  dayCap: number;
  dayFrom: Date | null;
  dayUntil: Date | null;
  /** The workspace's zone: the alias's caps count by its dates. */
  timezone: string;
  /** Null where its domain has no daily limit. */
  domainQuota: DomainQuota | null;
  inbox: InboxRow | null;
  /** Its login by OAuth; null where it has none. */
  login: ShownLogin | null;
};

export type AliasContent = Omit<
  typeof mailAliases.$inferInsert,
  "id" | "workspaceId" | "userId" | "createdAt" | "updatedAt" | "isDefault"
>;

const withLane = {
  alias: mailAliases,
  used: senderLanes.used,
  dayCap: senderLanes.dayCap,
  dayFrom: senderLanes.dayFrom,
  dayUntil: senderLanes.dayUntil,
  timezone: workspaces.timezone,
  inbox: inboxes,
  domainQuota: sql<DomainQuota | null>`${domainQuotaOf(sql`${mailAliases.id}`, sql`${mailAliases.domainId}`)}`,
  login: shownLogin,
};

export async function listAliases(
  db: Db,
  workspaceId: string,
  part = ALL,
): Promise<AliasWithLane[]> {
  const rows = await db
    .select(withLane)
    .from(mailAliases)
    .innerJoin(senderLanes, eq(senderLanes.id, mailAliases.id))
    .innerJoin(workspaces, eq(workspaces.id, mailAliases.workspaceId))
    .leftJoin(inboxes, eq(inboxes.aliasId, mailAliases.id))
    .leftJoin(mailLogins, eq(mailLogins.aliasId, mailAliases.id))
    .where(and(eq(mailAliases.workspaceId, workspaceId), isAbove(mailAliases.id, part)))
    .orderBy(asc(mailAliases.id))
    .limit(part.limit);
  return rows.map(({ alias, ...lane }) => ({ ...alias, ...lane }));
}

export async function getAlias(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<AliasWithLane | undefined> {
  const [row] = await db
    .select(withLane)
    .from(mailAliases)
    .innerJoin(senderLanes, eq(senderLanes.id, mailAliases.id))
    .innerJoin(workspaces, eq(workspaces.id, mailAliases.workspaceId))
    .leftJoin(inboxes, eq(inboxes.aliasId, mailAliases.id))
    .leftJoin(mailLogins, eq(mailLogins.aliasId, mailAliases.id))
    .where(ownedBy(mailAliases, workspaceId, id));
  if (row === undefined) return undefined;
  const { alias, ...lane } = row;
  return { ...alias, ...lane };
}

/** The name of a mail domain of the workspace. */
export async function getAliasDomain(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ domain: mailDomains.domain })
    .from(mailDomains)
    .where(ownedBy(mailDomains, workspaceId, id));
  return row?.domain;
}

/** The workspace's record for a host or the nearest domain above it. */
export async function findDomainOf(
  db: Db,
  workspaceId: string,
  host: string,
): Promise<string | undefined> {
  const labels = host.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const [row] = await db
    .select({ id: mailDomains.id })
    .from(mailDomains)
    .where(and(eq(mailDomains.workspaceId, workspaceId), inArray(mailDomains.domain, names)))
    .orderBy(desc(sql`length(${mailDomains.domain})`))
    .limit(1);
  return row?.id;
}

/** The alias and its sender lane, in one transaction with what else belongs to it; the first alias of a workspace becomes its default. */
export async function insertAlias(
  db: Db,
  owner: NewOwned,
  content: AliasContent,
  { asDefault, dayCap, login }: { asDefault: boolean; dayCap: number; login: LoginContent | null },
  more: Statement[] = [],
): Promise<void> {
  const { id, workspaceId, now } = owner;
  await commit(db, [
    lockDefaultMark(db, workspaceId),
    clearDefaultStatement(db, mailAliases, workspaceId, asDefault ? id : null, now),
    db.insert(mailAliases).values({
      ...content,
      ...newRow(owner),
      isDefault: isMarked(mailAliases, workspaceId, asDefault),
    }),
    insertLane(
      db,
      {
        id,
        workspaceId,
        kind: "email",
        open: content.status === "active",
        minIntervalSeconds: content.minIntervalSeconds ?? null,
        dayCap,
      },
      now,
    ),
    ...more,
    ...(login === null
      ? []
      : [putLoginStatement(db, id, login, aliasChangedAt(id, workspaceId, now))]),
  ]);
}

/**
 * Deletes alias and lane unless a campaign under way uses it. If it was the default, the oldest
 * remaining alias becomes it.
 */
export async function deleteAlias(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<Deletion> {
  const [, rows] = await commit(db, [
    lockDefaultMark(db, workspaceId),
    db
      .delete(mailAliases)
      .where(and(ownedBy(mailAliases, workspaceId, id), notUsed(workspaceId, usesAlias(id))))
      .returning({ id: mailAliases.id }),
    deleteLane(db, id),
    db.execute(sql`
      update mail_aliases set is_default = true, updated_at = ${instantParam(now)}
      where id = (select a.id from mail_aliases a where a.workspace_id = ${workspaceId} order by a.id limit 1)
        and not exists (select 1 from mail_aliases a where a.workspace_id = ${workspaceId} and a.is_default)`),
  ]);
  return deletionOf(db, workspaceId, usesAlias(id), rows.length > 0);
}
