import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { deleteUnused, usesTemplate } from "../base/fragments/uses.ts";
import type { Db } from "../base/client.ts";
import { findOwned, type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { ALL, isAbove } from "../base/part.ts";
import { templates } from "../schema/index.ts";

export type TemplateRow = typeof templates.$inferSelect;
export type TemplateContent = Pick<
  TemplateRow,
  "name" | "channel" | "subject" | "body" | "format" | "variables" | "tags" | "archivedAt"
>;

export async function listTemplates(
  db: Db,
  workspaceId: string,
  archived: boolean | undefined,
  part = ALL,
): Promise<TemplateRow[]> {
  const condition =
    archived === true ? isNotNull(templates.archivedAt) : isNull(templates.archivedAt);
  return db
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.workspaceId, workspaceId),
        archived === undefined ? undefined : condition,
        isAbove(templates.id, part),
      ),
    )
    .orderBy(asc(templates.id))
    .limit(part.limit);
}

export const getTemplate = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, templates, workspaceId, id);

export async function insertTemplate(
  db: Db,
  owner: NewOwned,
  content: TemplateContent,
): Promise<TemplateRow> {
  const [row] = await db
    .insert(templates)
    .values({ ...content, ...newRow(owner), version: 1 })
    .returning();
  return row!;
}

/** Undefined when the row is no longer as it was read: deleted, or changed by another request. */
export async function updateTemplate(
  db: Db,
  read: TemplateRow,
  content: TemplateContent,
  version: number,
  now: Date,
): Promise<TemplateRow | undefined> {
  const [row] = await db
    .update(templates)
    .set({ ...content, version, revision: sql`${templates.revision} + 1`, updatedAt: now })
    .where(
      and(
        ownedBy(templates, read.workspaceId, read.id),
        eq(templates.version, read.version),
        eq(templates.updatedAt, read.updatedAt),
      ),
    )
    .returning();
  return row;
}

export const deleteTemplate = (db: Db, workspaceId: string, id: string) =>
  deleteUnused(db, templates, workspaceId, id, usesTemplate(id));
