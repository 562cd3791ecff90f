import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import { commit, type Db } from "./client.ts";
import { campaigns, senderProfiles } from "./schema/index.ts";

export type SenderProfileRow = typeof senderProfiles.$inferSelect;
export type SenderProfileContent = Omit<
  typeof senderProfiles.$inferInsert,
  "id" | "workspaceId" | "userId" | "createdAt" | "updatedAt" | "version" | "isDefault"
>;

export async function listSenderProfiles(db: Db, workspaceId: string): Promise<SenderProfileRow[]> {
  return db
    .select()
    .from(senderProfiles)
    .where(eq(senderProfiles.workspaceId, workspaceId))
    .orderBy(asc(senderProfiles.id));
}

export async function getSenderProfile(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<SenderProfileRow | undefined> {
  const [row] = await db
    .select()
    .from(senderProfiles)
    .where(and(eq(senderProfiles.workspaceId, workspaceId), eq(senderProfiles.id, id)));
  return row;
}

export interface NewOwned {
  id: string;
  workspaceId: string;
  userId: string;
  now: Date;
}

/** The first profile of a workspace becomes the default whatever is asked; a new default takes the place of the old one. */
export async function insertSenderProfile(
  db: Db,
  owner: NewOwned,
  content: SenderProfileContent,
  asDefault: boolean,
): Promise<SenderProfileRow> {
  const { workspaceId, now } = owner;
  const isFirst = sql<boolean>`not exists (select 1 from sender_profiles where workspace_id = ${workspaceId})`;
  const insert = db
    .insert(senderProfiles)
    .values({
      ...content,
      id: owner.id,
      workspaceId,
      userId: owner.userId,
      isDefault: asDefault ? true : isFirst,
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  const [, rows] = await commit(db, [
    clearDefaultStatement(db, workspaceId, asDefault ? owner.id : null, now),
    insert,
  ]);
  return rows[0]!;
}

/** Undefined when there is none of that id. The version grows with each change. */
export async function updateSenderProfile(
  db: Db,
  workspaceId: string,
  id: string,
  change: Partial<SenderProfileContent> & { isDefault?: true },
  now: Date,
): Promise<SenderProfileRow | undefined> {
  const update = db
    .update(senderProfiles)
    .set({ ...change, version: sql`${senderProfiles.version} + 1`, updatedAt: now })
    .where(and(eq(senderProfiles.workspaceId, workspaceId), eq(senderProfiles.id, id)))
    .returning();
  const [, rows] = await commit(db, [
    clearDefaultStatement(db, workspaceId, change.isDefault ? id : null, now),
    update,
  ]);
  return rows[0];
}

/** Takes the default mark from every other profile, when `newDefault` exists or is about to. */
function clearDefaultStatement(db: Db, workspaceId: string, newDefault: string | null, now: Date) {
  return db
    .update(senderProfiles)
    .set({ isDefault: false, updatedAt: now })
    .where(
      newDefault === null
        ? sql`false`
        : and(
            eq(senderProfiles.workspaceId, workspaceId),
            eq(senderProfiles.isDefault, true),
            ne(senderProfiles.id, newDefault),
          ),
    );
}

export async function deleteSenderProfile(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .delete(senderProfiles)
    .where(and(eq(senderProfiles.workspaceId, workspaceId), eq(senderProfiles.id, id)))
    .returning({ id: senderProfiles.id });
  return rows.length > 0;
}

/** Ids of the campaigns under way whose steps name this profile. */
export async function campaignsUsingSenderProfile(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string[]> {
  const rows = await db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), usesSenderProfile(id), underWay()))
    .orderBy(desc(campaigns.id))
    .limit(100);
  return rows.map((row) => row.id);
}

const usesSenderProfile = (id: string) =>
  sql`${campaigns.steps} @> ${JSON.stringify([{ variants: [{ sender_profile_id: id }] }])}::jsonb`;

/** Campaigns whose parts must not be deleted under them (contract section 0). */
export const underWay = () =>
  sql`${campaigns.deletedAt} is null and ${campaigns.status} in ('scheduled', 'launching', 'active', 'draining', 'paused')`;
