import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../../base/client.ts";
import { instantParam } from "../../base/instants.ts";
import {
  claimJob,
  endJobStatement,
  type JobClaim,
  type JobQueue,
  stillMineStatement,
} from "../../base/job-queue.ts";
import { type OutboxEffect, outboxStatement } from "../../base/fragments/outbox.ts";
import { integer, rowReader, text } from "../../base/rows.ts";
import { webhooks } from "../../schema/index.ts";
import type { EventPlace } from "../events/feed.ts";
import type { EventType } from "../events/types.ts";
import type { WebhookRow, WebhookSet } from "./webhooks.ts";

/** One receiver is served by one worker at a time. */
const RECEIVERS: JobQueue<typeof webhooks> = {
  table: webhooks,
  fields: { key: ["id"], dueAt: "dueAt", claimToken: "workerToken", lease: "leaseUntil" },
  isOpen: sql`${webhooks.status} = 'active'`,
};

const isBehind = sql`exists (select 1 from events e where e.workspace_id = w.workspace_id and (e.tx, e.seq) > (w.tx, w.seq)
    and e.tx < pg_snapshot_xmin(pg_current_snapshot()))`;
const hasDue = (at: SQL): SQL =>
  sql`exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting' and d.next_at <= ${at})`;

/** Receivers that there is something to send to, those that waited longest first. */
export async function receiversWithNews(db: Db, now: Date, limit: number): Promise<string[]> {
  const at = instantParam(now);
  const { rows } = await db.execute<{ id: string }>(sql`
    select w.id from webhooks w
    where w.status = 'active' and w.due_at <= ${at} and (w.lease_until is null or w.lease_until <= ${at})
      and exists (select 1 from workspaces ws where ws.id = w.workspace_id and ws.deleted_at is null)
      and (${isBehind} or ${hasDue(at)})
    order by w.due_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

export const claimReceiver = (db: Db, id: string, claim: JobClaim) =>
  claimJob(db, RECEIVERS, id, claim);

/** A delivery whose turn it is. */
export type DueDelivery = ReturnType<typeof readDue>;
const readDue = rowReader({ id: text, eventId: text, tx: text, seq: text, attempts: integer });

/** One whose event is not kept any more comes too: it ends. */
export async function dueDeliveries(
  db: Db,
  webhookId: string,
  now: Date,
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await db.execute(sql`
    select id, event_id, tx::text, seq::text, attempts from webhook_deliveries
    where webhook_id = ${webhookId} and state = 'waiting' and next_at <= ${instantParam(now)}
    order by next_at, id limit ${limit}`);
  return rows.map(readDue);
}

/** Of the events that failed since the receiver's last success, as many as tell whether it is down; one of before that was redelivered has not been tried yet. */
export async function failedSince(
  db: Db,
  webhookId: string,
  since: Date | null,
  limit: number,
): Promise<string[]> {
  if (since === null) return [];
  const { rows } = await db.execute<{ event_id: string }>(sql`
    select distinct event_id from webhook_deliveries
    where webhook_id = ${webhookId} and state <> 'delivered' and error is not null and updated_at >= ${instantParam(since)}
      and (attempts > 0 or created_at >= ${instantParam(since)}) limit ${limit}`);
  return rows.map((row) => row.event_id);
}

/** What became of one event in a round: of one that got through at once there is nothing to keep. */
export interface Attempt {
  /** The delivery's; of an event's first failure that of the row which is made. */
  id: string;
  isNew: boolean;
  eventId: string;
  type: EventType;
  place: EventPlace;
  state: "waiting" | "delivered" | "dead";
  attempts: number;
  nextAt: Date | null;
  status: number | null;
  error: string | null;
}

export interface RoundEnd {
  /** Up to where events were sent, or failed and have a delivery. */
  place: EventPlace;
  attempts: readonly Attempt[];
  set: WebhookSet;
  /** Something got through to a receiver that was down: what waits for its next attempt has it now, but for what just failed. */
  recovered: boolean;
  /** When the round began. */
  since: Date;
  /** What its owner is told. */
  notices: readonly OutboxEffect<"webhook_failing" | "webhook_disabled">[];
  now: Date;
}

/**
 * Keeps the end of a round: all of it, or nothing where another worker has the receiver by now (`isFenced`) or its owner stopped it.
 * What its owner asked for again meanwhile stays as they made it, and ends the rest: answers whether there is such.
 */
export async function endRound(
  db: Db,
  { id, workspaceId }: Pick<WebhookRow, "id" | "workspaceId">,
  token: string,
  { place, attempts, set, recovered, since, notices, now }: RoundEnd,
): Promise<boolean> {
  const at = instantParam(now);
  const records = attempts.map((each) => ({
    id: each.id,
    is_new: each.isNew,
    event_id: each.eventId,
    event_type: each.type,
    tx: each.place.tx,
    seq: each.place.seq,
    state: each.state,
    attempts: each.attempts,
    next_at: each.nextAt,
    status: each.status,
    error: each.error,
  }));
  const rows = sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
    as a(id uuid, is_new boolean, event_id uuid, event_type text, tx text, seq text, state text, attempts int, next_at timestamptz, status int, error text)`;
  const results = await commit(db, [
    stillMineStatement(db, RECEIVERS, { id, token }),
    db.execute(sql`
      insert into webhook_deliveries (id, workspace_id, webhook_id, event_id, event_type, tx, seq, state, attempts, next_at, status, error, created_at, updated_at)
      select a.id, ${workspaceId}, ${id}, a.event_id, a.event_type, a.tx::xid8, a.seq::bigint, a.state, a.attempts, a.next_at, a.status, a.error, ${at}, ${at}
      from ${rows} where a.is_new`),
    db.execute(sql`
      update webhook_deliveries d set state = a.state, attempts = a.attempts, next_at = a.next_at, status = a.status, error = a.error, updated_at = ${at}
      from ${rows} where d.id = a.id and not a.is_new and d.attempts in (a.attempts, a.attempts - 1)`),
    ...(recovered
      ? [
          db.execute(sql`
            update webhook_deliveries set next_at = ${at}, updated_at = ${at}
            where webhook_id = ${id} and state = 'waiting' and next_at > ${at} and attempts > 0
              and id <> all(${sql.param(attempts.map((each) => each.id))}::uuid[])`),
        ]
      : []),
    ...notices.map((effect) => outboxStatement(db, effect)),
    endJobStatement(
      db,
      RECEIVERS,
      { id, token },
      {
        ...set,
        tx: place.tx,
        seq: BigInt(place.seq),
        updatedAt: now,
      },
    ),
    db.execute(sql`
      update webhooks w set due_at = ${at}
      where w.id = ${id} and w.due_at > ${at} and exists (
        select 1 from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting' and d.attempts = 0 and d.updated_at >= ${instantParam(since)})
      returning w.id`),
  ]);
  return (results.at(-1) as { rows: unknown[] }).rows.length > 0;
}

/** When the receiver's next delivery is due; null where none waits. */
export async function nextDeliveryAt(db: Db, webhookId: string): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select min(next_at) as at from webhook_deliveries where webhook_id = ${webhookId} and state = 'waiting'`);
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}
