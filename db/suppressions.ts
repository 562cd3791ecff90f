import { and, asc, eq, gt, ilike, sql, type SQL } from "drizzle-orm";
import type { Db } from "./client.ts";
import { type SuppressionKind, type SuppressionReason, suppressions } from "./schema/index.ts";
import type { NewOwned } from "./sender-profiles.ts";

export type SuppressionRow = typeof suppressions.$inferSelect;

export interface SuppressionFilter {
  kind?: SuppressionKind | undefined;
  reason?: SuppressionReason | undefined;
  /** Part of the value, case-insensitive. */
  q?: string | undefined;
}

/** `limit + 1` rows after the id `after`, in the order they were made. */
export async function listSuppressions(
  db: Db,
  workspaceId: string,
  filter: SuppressionFilter,
  page: { after: string | undefined; limit: number },
): Promise<SuppressionRow[]> {
  const conditions: (SQL | undefined)[] = [
    eq(suppressions.workspaceId, workspaceId),
    filter.kind && eq(suppressions.kind, filter.kind),
    filter.reason && eq(suppressions.reason, filter.reason),
    filter.q === undefined
      ? undefined
      : ilike(suppressions.value, `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`),
    page.after === undefined ? undefined : gt(suppressions.id, page.after),
  ];
  return db
    .select()
    .from(suppressions)
    .where(and(...conditions))
    .orderBy(asc(suppressions.id))
    .limit(page.limit + 1);
}

export async function getSuppression(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<SuppressionRow | undefined> {
  const [row] = await db
    .select()
    .from(suppressions)
    .where(and(eq(suppressions.workspaceId, workspaceId), eq(suppressions.id, id)));
  return row;
}

export interface SuppressionContent {
  value: string;
  valueHash: string;
  kind: SuppressionKind;
  reason: SuppressionReason;
  expiresAt: Date | null;
}

/**
 * Suppresses a value, or renews what was there. Built, not run: others put it
 * into their own transaction. A reason that came from the person written to
 * (unsubscribe, complaint) is never weakened, nor given an end.
 */
export function suppressStatement(db: Db, owner: NewOwned, content: SuppressionContent) {
  const { id, workspaceId, userId, now } = owner;
  return db
    .insert(suppressions)
    .values({ ...content, id, workspaceId, userId, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [suppressions.workspaceId, suppressions.kind, suppressions.valueHash],
      set: {
        value: content.value,
        reason: keepPersonal("reason"),
        expiresAt: keepPersonal("expires_at"),
        updatedAt: now,
      },
    })
    .returning();
}

const keepPersonal = (column: "reason" | "expires_at") =>
  sql`case when ${suppressions.reason} in ('unsubscribe', 'complaint') then ${sql.raw(`suppressions.${column}`)} else ${sql.raw(`excluded.${column}`)} end`;

export async function deleteSuppression(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(suppressions)
    .where(and(eq(suppressions.workspaceId, workspaceId), eq(suppressions.id, id)))
    .returning({ id: suppressions.id });
  return rows.length > 0;
}
