import { and, asc, eq, ne, sql } from "drizzle-orm";
import { campaignsUsing, notUsed, usesAlias } from "./campaign-uses.ts";
import { commit, type Db } from "./client.ts";
import { mailAliases, mailDomains, senderLanes } from "./schema/index.ts";
import type { NewOwned } from "./sender-profiles.ts";

export type AliasRow = typeof mailAliases.$inferSelect;
/** An alias with what its lane has counted on its present accounting day. */
export type AliasWithLane = AliasRow & {
  used: number;
  dayFrom: Date | null;
  dayUntil: Date | null;
};

export type AliasContent = Omit<
  typeof mailAliases.$inferInsert,
  "id" | "workspaceId" | "userId" | "createdAt" | "updatedAt" | "isDefault"
>;

const withLane = {
  alias: mailAliases,
  used: senderLanes.used,
  dayFrom: senderLanes.dayFrom,
  dayUntil: senderLanes.dayUntil,
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
  return row && { ...row.alias, used: row.used, dayFrom: row.dayFrom, dayUntil: row.dayUntil };
}

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

/**
 * Changes an alias and keeps its lane in step. An opened lane looks for work at
 * once, but not before the gap after its last action is over.
 */
export async function updateAlias(
  db: Db,
  workspaceId: string,
  id: string,
  change: Partial<AliasContent> & { isDefault?: true },
  lane: { open: boolean; dayCap: number; minIntervalSeconds: number | null },
  now: Date,
): Promise<boolean> {
  const nowText = sql`${now.toISOString()}::timestamptz`;
  const [, rows] = await commit(db, [
    clearDefaultStatement(db, workspaceId, change.isDefault === true ? id : null, now),
    db
      .update(mailAliases)
      .set({ ...change, updatedAt: now })
      .where(and(eq(mailAliases.workspaceId, workspaceId), eq(mailAliases.id, id)))
      .returning({ id: mailAliases.id }),
    db
      .update(senderLanes)
      .set({
        open: lane.open,
        dayCap: lane.dayCap,
        minIntervalSeconds: lane.minIntervalSeconds,
        closedUntil: null,
        failures: lane.open ? 0 : senderLanes.failures,
        nextSlotAt: lane.open
          ? sql`greatest(${nowText}, ${senderLanes.lastSlotAt} + make_interval(secs => coalesce(${lane.minIntervalSeconds}::int, 60)))`
          : null,
        updatedAt: now,
      })
      .where(and(eq(senderLanes.workspaceId, workspaceId), eq(senderLanes.id, id))),
  ]);
  return (rows as unknown[]).length > 0;
}

function clearDefaultStatement(db: Db, workspaceId: string, newDefault: string | null, now: Date) {
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
          ),
    );
}

/** Notes the result of an account test; a good one heals an alias in error. */
export async function noteAliasTest(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  failure: string | null,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    with alias as (
      update mail_aliases set last_error = ${failure}, updated_at = ${now.toISOString()}::timestamptz,
        status = case when ${failure}::text is null and status in ('error', 'pending') then 'active' else status end
      where id = ${id} and workspace_id = ${workspaceId} returning id, status
    )
    update sender_lanes lane
    set open = alias.status = 'active' or (alias.status = 'error' and lane.open), closed_until = null, failures = 0,
        next_slot_at = case when alias.status = 'active' then coalesce(lane.next_slot_at, greatest(${now.toISOString()}::timestamptz, lane.last_slot_at + interval '60 seconds')) else lane.next_slot_at end
    from alias where lane.id = alias.id and ${failure}::text is null`);
}

/** Deletes alias and lane unless a campaign under way uses it; answers those campaigns, or whether there was such an alias. */
export async function deleteAlias(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ deleted: boolean; usedBy: string[] }> {
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
      .where(
        and(
          eq(senderLanes.workspaceId, workspaceId),
          eq(senderLanes.id, id),
          sql`not exists (select 1 from mail_aliases a where a.id = ${id})`,
        ),
      ),
  ]);
  if ((rows as unknown[]).length > 0) return { deleted: true, usedBy: [] };
  return { deleted: false, usedBy: await campaignsUsing(db, workspaceId, usesAlias(id)) };
}
