import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../base/client.ts";
import { deleteOwned, findOwned, type NewOwned, ownedBy } from "../../base/owned.ts";
import { ALL, isAbove } from "../../base/part.ts";
import { webhookDeliveries, webhooks } from "../../schema/index.ts";

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookSet = Partial<
  Omit<typeof webhooks.$inferInsert, "id" | "workspaceId" | "userId" | "createdAt" | "updatedAt">
>;

export const listWebhooks = (db: Db, workspaceId: string, part = ALL): Promise<WebhookRow[]> =>
  db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.workspaceId, workspaceId), isAbove(webhooks.id, part)))
    .orderBy(asc(webhooks.id))
    .limit(part.limit);

export const getWebhook = (db: Db, workspaceId: string, id: string) =>
  findOwned(db, webhooks, workspaceId, id);

export const deleteWebhook = (db: Db, workspaceId: string, id: string) =>
  deleteOwned(db, webhooks, workspaceId, id);

/** Its place is the present one: what happened before is sent where that is asked for (`replay`). */
export async function insertWebhook(
  db: Db,
  owner: NewOwned,
  content: Pick<WebhookRow, "url" | "description" | "types" | "secret">,
  most: number,
): Promise<WebhookRow | undefined> {
  const { id, workspaceId, userId, now } = owner;
  // Of two at once the second waits, and counts the first.
  const room = sql`(select count(*) from (select 1 from webhooks w where w.workspace_id = ${workspaceId} for update) there) < ${most}`;
  const [, rows] = await db.batch([
    db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`${workspaceId}:webhooks`}, 0))`,
    ),
    db.execute<{ id: string }>(sql`
      insert into webhooks (id, workspace_id, user_id, created_at, updated_at, url, description, types, status, secret, tx, seq, due_at)
      select ${id}, ${workspaceId}, ${userId}, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz, ${content.url}, ${content.description},
        ${content.types === null ? null : sql.param(content.types)}::text[], 'active', ${content.secret},
        (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8, 9223372036854775807, ${now.toISOString()}::timestamptz
      where ${room} returning id`),
  ]);
  return rows.rows.length === 0 ? undefined : getWebhook(db, workspaceId, id);
}

/** `expect`: only where its secret still is this one; of two rotations at once the second takes the first one's along. */
export async function updateWebhook(
  db: Db,
  workspaceId: string,
  id: string,
  set: WebhookSet,
  now: Date,
  expect?: { secret: string },
): Promise<WebhookRow | undefined> {
  const [row] = await db
    .update(webhooks)
    .set({ ...set, updatedAt: now })
    .where(and(ownedBy(webhooks, workspaceId, id), expect && eq(webhooks.secret, expect.secret)))
    .returning();
  return row;
}

/** Forgets how its receiver failed: what waits for another attempt has it now, as what was not sent yet. */
export async function restartWebhook(
  db: Db,
  workspaceId: string,
  id: string,
  more: WebhookSet,
  now: Date,
): Promise<WebhookRow | undefined> {
  const set = { ...more, failingSince: null, dueAt: now };
  const [[row]] = await db.batch([
    db
      .update(webhooks)
      .set({ ...set, updatedAt: now })
      .where(ownedBy(webhooks, workspaceId, id))
      .returning(),
    db
      .update(webhookDeliveries)
      .set({ nextAt: now, updatedAt: now })
      .where(
        and(
          eq(webhookDeliveries.workspaceId, workspaceId),
          eq(webhookDeliveries.webhookId, id),
          eq(webhookDeliveries.state, "waiting"),
        ),
      ),
  ]);
  return row;
}

/** Whether any workspace has a receiver. */
export async function hasActiveWebhooks(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select 1 from webhooks where status = 'active') as any`,
  );
  return rows[0]!.any;
}
