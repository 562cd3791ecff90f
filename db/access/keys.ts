import { and, desc, eq, getTableColumns, isNull, lt, or, sql } from "drizzle-orm";
import { commit, type Db, prepared } from "../base/client.ts";
import { ALL, isBelow } from "../base/part.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { hasRoleThere } from "./members.ts";
import { apiKeys, type Role, workspaceMembers, workspaces } from "../schema/index.ts";

const keyByHash = prepared((db) =>
  db
    .select({
      id: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      userId: apiKeys.userId,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
      expiresAt: apiKeys.expiresAt,
      scopes: apiKeys.scopes,
      confirm: apiKeys.confirm,
      plan: workspaces.plan,
      // The member who made it; null where they have left.
      role: sql<Role | null>`coalesce(${workspaceMembers.role}, case when ${workspaces.ownerUserId} = ${apiKeys.userId} then 'owner' end)`,
      workspaceDeletedAt: workspaces.deletedAt,
      frozenAt: workspaces.frozenAt,
      cell: workspaces.cell,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .leftJoin(
      workspaceMembers,
      and(
        eq(workspaceMembers.workspaceId, apiKeys.workspaceId),
        eq(workspaceMembers.userId, apiKeys.userId),
      ),
    )
    .where(eq(apiKeys.keyHash, sql.placeholder("keyHash"))),
);

/** The key of that hash with its workspace, revoked or not; undefined for a stranger. */
export async function findKey(db: Db, keyHash: string) {
  const [row] = await keyByHash(db, { keyHash });
  return row;
}

/** Writes the time of last use, unless it was written after `unlessAfter`. */
export async function touchKey(db: Db, id: string, now: Date, unlessAfter: Date): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(
      and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, unlessAfter))),
    );
}

export type KeyRow = Omit<typeof apiKeys.$inferSelect, "keyHash">;

const { keyHash: _, ...shownColumns } = getTableColumns(apiKeys);

/** Undefined where its maker has left the workspace. */
export async function insertKey(
  db: Db,
  owner: NewOwned,
  key: Pick<
    typeof apiKeys.$inferInsert,
    "name" | "keyPrefix" | "keyHash" | "scopes" | "expiresAt" | "confirm"
  >,
): Promise<KeyRow | undefined> {
  const [, [row], left] = await commit(db, [
    // Who is taken out is so before, or behind, when this key is revoked with the others.
    db.execute(sql`select id from workspaces where id = ${owner.workspaceId}::uuid for update`),
    db
      .insert(apiKeys)
      .values({ ...key, ...newRow(owner) })
      .returning(shownColumns),
    db.execute(
      sql`delete from api_keys where id = ${owner.id}::uuid and not ${hasRoleThere(owner, "viewer")} returning id`,
    ),
  ]);
  return left.rows.length === 0 ? row : undefined;
}

/** Newest first, revoked ones included. */
export async function listKeys(db: Db, workspaceId: string, part = ALL): Promise<KeyRow[]> {
  return db
    .select(shownColumns)
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, workspaceId), isBelow(apiKeys.id, part)))
    .orderBy(desc(apiKeys.id))
    .limit(part.limit);
}

/** False when there is no key of that id. The first revocation's time stays. */
export async function revokeKey(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now.toISOString()}::timestamptz)` })
    .where(ownedBy(apiKeys, workspaceId, id))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}
