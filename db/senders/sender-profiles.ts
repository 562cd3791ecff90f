import { and, asc, eq, sql } from "drizzle-orm";
import { deleteUnused, usesSenderProfile } from "../base/fragments/uses.ts";
import { commit, type Db } from "../base/client.ts";
import { clearDefaultStatement, isMarked, lockDefaultMark } from "./default-mark.ts";
import { findOwned, type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { ALL, isAbove } from "../base/part.ts";
import { senderProfiles } from "../schema/index.ts";

export type SenderProfileRow = typeof senderProfiles.$inferSelect;
export type SenderProfileContent = Omit<
  typeof senderProfiles.$inferInsert,
  "id" | "workspaceId" | "userId" | "createdAt" | "updatedAt" | "version" | "isDefault"
>;

export async function listSenderProfiles(
  db: Db,
  workspaceId: string,
  part = ALL,
): Promise<SenderProfileRow[]> {
  return db
    .select()
    .from(senderProfiles)
    .where(and(eq(senderProfiles.workspaceId, workspaceId), isAbove(senderProfiles.id, part)))
    .orderBy(asc(senderProfiles.id))
    .limit(part.limit);
}

export const getSenderProfile = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, senderProfiles, workspaceId, id);

/** The first profile of a workspace becomes the default whatever is asked; a new default takes the place of the old one. */
export async function insertSenderProfile(
  db: Db,
  owner: NewOwned,
  content: SenderProfileContent,
  asDefault: boolean,
): Promise<SenderProfileRow> {
  const { workspaceId, now } = owner;
  const insert = db
    .insert(senderProfiles)
    .values({
      ...content,
      ...newRow(owner),
      isDefault: isMarked(senderProfiles, workspaceId, asDefault),
      version: 1,
    })
    .returning();
  const [, , rows] = await commit(db, [
    lockDefaultMark(db, workspaceId),
    clearDefaultStatement(db, senderProfiles, workspaceId, asDefault ? owner.id : null, now),
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
    .where(ownedBy(senderProfiles, workspaceId, id))
    .returning();
  const isThere = sql`exists (select 1 from sender_profiles p where p.workspace_id = ${workspaceId} and p.id = ${id})`;
  const newDefault = change.isDefault === true ? id : null;
  const [, , rows] = await commit(db, [
    lockDefaultMark(db, workspaceId),
    clearDefaultStatement(db, senderProfiles, workspaceId, newDefault, now, isThere),
    update,
  ]);
  return rows[0];
}

export const deleteSenderProfile = (db: Db, workspaceId: string, id: string) =>
  deleteUnused(db, senderProfiles, workspaceId, id, usesSenderProfile(id));
