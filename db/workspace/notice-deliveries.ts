import { inArray, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import {
  claimDueStatement,
  endJobStatement,
  isMine,
  type JobQueue,
  WORK_ROW,
} from "../base/job-queue.ts";
import { isInUseHere } from "../base/moving.ts";
import { preferencesIn, readPreferences } from "../base/fragments/preferences.ts";
import { instant, integer, nested, orNull, rowReader, text, typed } from "../base/rows.ts";
import { type NoticeChannel, noticeDeliveries, type Role } from "../schema/index.ts";

/** Deliveries that have not begun, of all workspaces. */
const DELIVERIES: JobQueue<typeof noticeDeliveries> = {
  table: noticeDeliveries,
  fields: { ...WORK_ROW, claimToken: "workerToken" },
  isOpen: sql`${noticeDeliveries.state} = 'waiting'`,
  begun: (now) => ({ attempts: sql`${noticeDeliveries.attempts} + 1`, updatedAt: now }),
};

/** A delivery that a worker has claimed, with its recipient as of now; without a role they have left the workspace. */
export type ClaimedDelivery = ReturnType<typeof readClaimed>;
const readClaimed = rowReader({
  id: text,
  noticeId: text,
  workspaceId: text,
  channel: typed<NoticeChannel>(),
  attempts: integer,
  createdAt: instant,
  role: orNull(typed<Role>()),
  userEmail: orNull(text),
  preferences: orNull(nested(readPreferences)),
});

/** Claims what is due, each for one worker; what a dead worker had claimed falls due again at `claimedUntil`. */
export async function claimDeliveries(
  db: Db,
  order: { now: Date; workerToken: string; claimedUntil: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const { now, workerToken: token, claimedUntil: until, limit } = order;
  // Those of a workspace that is being moved would be passed over, and take the places of others.
  const where = isInUseHere(sql`${noticeDeliveries.workspaceId}`);
  const { rows } = await db.execute(sql`
    with mine as ${claimDueStatement(db, DELIVERIES, { token, now, until }, { limit, where })}
    select mine.*, m.role, u.email as user_email, ${preferencesIn(sql`p`, sql`w.id`)} as preferences
    from mine join workspaces w on w.id = mine.workspace_id join users u on u.id = coalesce(mine.user_id, w.owner_user_id)
      left join workspace_members m on m.workspace_id = w.id and m.user_id = u.id
      left join notification_preferences p on p.user_id = u.id
    order by mine.created_at`);
  return rows.map(readClaimed);
}

export interface DeliveryOrder {
  id: string;
  now: Date;
  workerToken: string;
}

/** Committed before anything is handed over: true for the one worker that may. */
export async function beginDelivery(
  db: Db,
  { id, now, workerToken }: DeliveryOrder,
  leaseUntil: Date,
): Promise<boolean> {
  const rows = await db
    .update(noticeDeliveries)
    .set({ state: "transmitting", leaseUntil, updatedAt: now })
    .where(isMine(DELIVERIES, { id, token: workerToken }))
    .returning({ id: noticeDeliveries.id });
  return rows.length > 0;
}

export type DeliveryEnd =
  | { kind: "sent" }
  | { kind: "unknown" | "undeliverable" | "dead"; error: string }
  | { kind: "again"; dueAt: Date; error: string };

/** Records how it ended, if it is still this worker's; an acceptance counts also after the lease ended. */
export async function endDelivery(
  db: Db,
  { id, now, workerToken }: DeliveryOrder,
  end: DeliveryEnd,
): Promise<void> {
  const states = ["transmitting", end.kind === "sent" ? "unknown" : "waiting"] as const;
  const held = { ...DELIVERIES, isOpen: inArray(noticeDeliveries.state, [...states]) };
  await endJobStatement(
    db,
    held,
    { id, token: workerToken },
    {
      state: end.kind === "again" ? "waiting" : end.kind,
      leaseUntil: null,
      error: end.kind === "sent" ? null : end.error.slice(0, 1000),
      ...(end.kind === "again" && { dueAt: end.dueAt }),
      updatedAt: now,
    },
  );
}

/**
 * What dead workers left: whether a message that was being handed over arrived is not known, so it is never
 * repeated; one that was claimed once too often has ended a worker each time, and is given up.
 */
export async function sweepDeliveries(db: Db, now: Date, mostAttempts: number): Promise<void> {
  const at = instantParam(now);
  await db.execute(sql`
    update notice_deliveries
    set state = case state when 'transmitting' then 'unknown' else 'dead' end,
        error = case state when 'transmitting' then 'The worker stopped while this was being handed over; it may have arrived.'
                           else coalesce(error, 'The worker stopped each time this was to be delivered.') end,
        lease_until = null, updated_at = ${at}
    where (state = 'transmitting' and lease_until <= ${at})
       or (state = 'waiting' and due_at <= ${at} and attempts >= ${mostAttempts})`);
}

/** How the outbox stands; what failed is counted since `failedSince`. */
export type OutboxState = ReturnType<typeof readState>;
const readState = rowReader({
  waiting: integer,
  oldestAt: orNull(instant),
  unknown: integer,
  undeliverable: integer,
  dead: integer,
});

/** `waitingBefore`: what is younger may be on its way, or gathered for a digest. */
export async function readOutboxState(
  db: Db,
  order: { waitingBefore: Date; failedSince: Date },
): Promise<OutboxState> {
  const before = instantParam(order.waitingBefore);
  const { rows } = await db.execute(sql`
    with waiting as (
      select created_at from outbox where delivered_at is null and created_at <= ${before}
      union all select created_at from notice_deliveries where state in ('waiting', 'transmitting') and created_at <= ${before}
    ), failed as (
      select state from notice_deliveries
      where state in ('unknown', 'undeliverable', 'dead') and updated_at > ${instantParam(order.failedSince)}
    )
    select (select count(*) from waiting) as waiting, (select min(created_at) from waiting) as oldest_at,
      count(*) filter (where state = 'unknown') as unknown, count(*) filter (where state = 'undeliverable') as undeliverable,
      count(*) filter (where state = 'dead') as dead
    from failed`);
  return readState(rows[0]!);
}
