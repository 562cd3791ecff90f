import { and, asc, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { campaignsUsing, notUsed, usesAlias } from "../campaigns/uses.ts";
import { commit, type Db } from "../client.ts";
import { type DomainShare, domainShareOf } from "../engine.ts";
import { instantParam } from "../instants.ts";
import { campaignSenders, mailAliases, mailDomains, senderLanes } from "../schema/index.ts";
import type { NewOwned } from "../sender-profiles.ts";

export type AliasRow = typeof mailAliases.$inferSelect;
/** An alias with what its lane has counted on its present accounting day. */
export type AliasWithLane = AliasRow & {
  used: number;
  dayCap: number;
  dayFrom: Date | null;
  dayUntil: Date | null;
  /** Null where its domain has no daily limit. */
  domainShare: DomainShare | null;
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
  domainShare: sql<DomainShare | null>`${domainShareOf(sql`${mailAliases.id}`, sql`${mailAliases.domainId}`)}`,
};

export async function listAliases(db: Db, workspaceId: string): Promise<AliasWithLane[]> {
  const rows = await db
    .select(withLane)
    .from(mailAliases)
    .innerJoin(senderLanes, eq(senderLanes.id, mailAliases.id))
    .where(eq(mailAliases.workspaceId, workspaceId))
    .orderBy(asc(mailAliases.id));
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
    .where(and(eq(mailAliases.workspaceId, workspaceId), eq(mailAliases.id, id)));
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
    .where(and(eq(mailDomains.workspaceId, workspaceId), eq(mailDomains.id, id)));
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

/** The alias and its sender lane, in one transaction; the first alias of a workspace becomes its default. */
export async function insertAlias(
  db: Db,
  owner: NewOwned,
  content: AliasContent,
  { asDefault, dayCap }: { asDefault: boolean; dayCap: number },
): Promise<void> {
  const { id, workspaceId, userId, now } = owner;
  const isFirst = sql<boolean>`not exists (select 1 from mail_aliases where workspace_id = ${workspaceId})`;
  await commit(db, [
    clearDefaultStatement(db, workspaceId, asDefault ? id : null, now),
    db.insert(mailAliases).values({
      ...content,
      id,
      workspaceId,
      userId,
      isDefault: asDefault ? true : isFirst,
      createdAt: now,
      updatedAt: now,
    }),
    db.insert(senderLanes).values({
      id,
      workspaceId,
      kind: "email",
      open: content.status === "active",
      nextSlotAt: null,
      slotNo: 0,
      minIntervalSeconds: content.minIntervalSeconds ?? null,
      dayCap,
      used: 0,
      failures: 0,
      updatedAt: now,
    }),
  ]);
}

/** Takes the default mark from every other alias; does nothing when there is no new default. */
export function clearDefaultStatement(
  db: Db,
  workspaceId: string,
  newDefault: string | null,
  now: Date,
  condition?: SQL,
) {
  return db
    .update(mailAliases)
    .set({ isDefault: false, updatedAt: now })
    .where(
      newDefault === null
        ? sql`false`
        : and(
            eq(mailAliases.workspaceId, workspaceId),
            eq(mailAliases.isDefault, true),
            ne(mailAliases.id, newDefault),
            condition,
          ),
    );
}

/**
 * Deletes alias and lane unless a campaign under way uses it; answers those campaigns, or whether
 * there was such an alias. If it was the default, the oldest of the others becomes it.
 */
export async function deleteAlias(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<{ deleted: boolean; usedBy: string[] }> {
  const isGone = sql`not exists (select 1 from mail_aliases a where a.id = ${id})`;
  const [rows] = await commit(db, [
    db
      .delete(mailAliases)
      .where(
        and(
          eq(mailAliases.workspaceId, workspaceId),
          eq(mailAliases.id, id),
          notUsed(workspaceId, usesAlias(id)),
        ),
      )
      .returning({ id: mailAliases.id }),
    db
      .delete(senderLanes)
      .where(and(eq(senderLanes.workspaceId, workspaceId), eq(senderLanes.id, id), isGone)),
    db
      .delete(campaignSenders)
      .where(
        and(
          eq(campaignSenders.laneId, id),
          sql`not exists (select 1 from sender_lanes lane where lane.id = ${id})`,
        ),
      ),
    db.execute(sql`
      update mail_aliases set is_default = true, updated_at = ${instantParam(now)}
      where id = (select a.id from mail_aliases a where a.workspace_id = ${workspaceId} order by a.id limit 1)
        and not exists (select 1 from mail_aliases a where a.workspace_id = ${workspaceId} and a.is_default)`),
  ]);
  if (rows.length > 0) return { deleted: true, usedBy: [] };
  return { deleted: false, usedBy: await campaignsUsing(db, workspaceId, usesAlias(id)) };
}
