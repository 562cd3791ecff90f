import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { notUsed, usesTemplate } from "./campaigns/uses.ts";
import type { Db } from "./client.ts";
import { templates } from "./schema/index.ts";
import type { NewOwned } from "./sender-profiles.ts";

export type TemplateRow = typeof templates.$inferSelect;
export type TemplateContent = Pick<
  TemplateRow,
  "name" | "channel" | "subject" | "body" | "format" | "variables" | "tags" | "archivedAt"
>;

const owned = (workspaceId: string, id: string) =>
  and(eq(templates.workspaceId, workspaceId), eq(templates.id, id));

export async function listTemplates(
  db: Db,
  workspaceId: string,
  archived: boolean | undefined,
): Promise<TemplateRow[]> {
  const condition =
    archived === true ? isNotNull(templates.archivedAt) : isNull(templates.archivedAt);
  return db
    .select()
    .from(templates)
    .where(
      and(eq(templates.workspaceId, workspaceId), archived === undefined ? undefined : condition),
    )
    .orderBy(asc(templates.id));
}

export async function getTemplate(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<TemplateRow | undefined> {
  const [row] = await db.select().from(templates).where(owned(workspaceId, id));
  return row;
}

export async function insertTemplate(
  db: Db,
  { now, ...ids }: NewOwned,
  content: TemplateContent,
): Promise<TemplateRow> {
  const [row] = await db
    .insert(templates)
    .values({ ...content, ...ids, version: 1, createdAt: now, updatedAt: now })
    .returning();
  return row!;
}

/** Undefined when the row is no longer as it was read: gone, or changed by somebody else. */
export async function updateTemplate(
  db: Db,
  read: TemplateRow,
  content: TemplateContent,
  version: number,
  now: Date,
): Promise<TemplateRow | undefined> {
  const [row] = await db
    .update(templates)
    .set({ ...content, version, updatedAt: now })
    .where(
      and(
        owned(read.workspaceId, read.id),
        eq(templates.version, read.version),
        eq(templates.updatedAt, read.updatedAt),
      ),
    )
    .returning();
  return row;
}

/** False when there is none, or a campaign under way uses it. */
export async function deleteTemplate(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(templates)
    .where(and(owned(workspaceId, id), notUsed(workspaceId, usesTemplate(id))))
    .returning({ id: sql<string>`id` });
  return rows.length > 0;
}
