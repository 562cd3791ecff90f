import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../../base/client.ts";
import { instantParam } from "../../base/instants.ts";
import { newId } from "../../base/new-id.ts";
import { textArray } from "../../base/text-array.ts";
import { webhookDeliveries, type WebhookDeliveryState, webhooks } from "../../schema/index.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** The newest first, one more than `limit`. */
export const listDeliveries = (
  db: Db,
  webhookId: string,
  {
    state,
    before,
    limit,
  }: {
    state?: WebhookDeliveryState | undefined;
    before?: { at: Date; id: string } | undefined;
    limit: number;
  },
): Promise<DeliveryRow[]> =>
  db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        state === undefined ? undefined : eq(webhookDeliveries.state, state),
        before === undefined
          ? undefined
          : sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (${instantParam(before.at)}, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limit + 1);

/** Ends the receiver's rest after what failed, where `condition` holds: its owner has mended it, or wants to see. */
const endRest = (db: Db, webhookId: string, now: Date, condition: SQL) =>
  db
    .update(webhooks)
    .set({ dueAt: sql`least(${webhooks.dueAt}, ${instantParam(now)})` })
    .where(and(eq(webhooks.id, webhookId), condition));

/** Makes the delivery due now, with attempts of its own; undefined where the receiver has none of that id. */
export async function redeliver(
  db: Db,
  webhookId: string,
  id: string,
  now: Date,
): Promise<DeliveryRow | undefined> {
  const isIt = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id));
  const [rows] = await commit(db, [
    db
      .update(webhookDeliveries)
      .set({ state: "waiting", attempts: 0, nextAt: now, updatedAt: now })
      .where(isIt)
      .returning(),
    endRest(db, webhookId, now, sql`exists (select 1 from ${webhookDeliveries} where ${isIt})`),
  ]);
  return rows[0];
}

/**
 * Deliveries for events of before the receiver's place, due now; those that wait already are left out. Answers how many events there
 * are, and makes nothing where they are more than `limit`.
 */
export async function replayEvents(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  order: { since: Date; until: Date; types: readonly string[]; now: Date; limit: number },
): Promise<number> {
  const at = instantParam(order.now);
  const { rows } = await db.execute<{ count: number }>(sql`
    with found as materialized (
      select e.id, e.type, e.tx, e.seq from events e join webhooks w on w.id = ${id}
      where e.workspace_id = ${workspaceId} and (e.tx, e.seq) <= (w.tx, w.seq)
        and e.at between ${instantParam(order.since)} and ${instantParam(order.until)} and e.type = any(${textArray(order.types)})
      order by e.tx, e.seq limit ${order.limit + 1}
    ), made as (
      insert into webhook_deliveries (id, workspace_id, webhook_id, event_id, event_type, tx, seq, state, attempts, next_at, created_at, updated_at)
      select ${newId(at)}, ${workspaceId}, ${id}, f.id, f.type, f.tx, f.seq, 'waiting', 0, ${at}, ${at}, ${at} from found f
      where (select count(*) from found) <= ${order.limit}
        and not exists (select 1 from webhook_deliveries d where d.webhook_id = ${id} and d.state = 'waiting' and d.event_id = f.id)
      returning 1
    ), woken as (
      update webhooks set due_at = least(due_at, ${at}) where id = ${id} and exists (select 1 from made)
    )
    select count(*)::int as count from found`);
  return rows[0]!.count;
}
