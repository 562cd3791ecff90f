import { type SQL, sql } from "drizzle-orm";
import { canTake, transition } from "../base/fragments/transitions.ts";
import { commit, type Db, type Statement } from "../base/client.ts";
import {
  closeLanes,
  lockLanesStatement,
  lockSuppressionsStatement,
  openLanes,
} from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { rowReader, text } from "../base/rows.ts";

/** The error of jobs that a deletion ended, where their record has a column for it. */
const ENDED = "The workspace was deleted.";

/** The workspace, if it is deleted: what follows changes nothing of one that was restored meanwhile. */
const deleted = (id: string): SQL =>
  sql`(select w.id from workspaces w where w.id = ${id} and w.deleted_at is not null)`;

/**
 * Marks the workspace deleted and stops whatever it does, in one transaction: keys are revoked, no message of it begins
 * behind this. The lock of its suppressions waits for the begins that are being committed, and holds off the next.
 */
export async function markDeleted(db: Db, id: string, now: Date): Promise<void> {
  const at = instantParam(now);
  await commit(db, [
    lockSuppressionsStatement(db, id),
    db.execute(sql`
      update workspaces set deleted_at = ${at}, updated_at = ${at} where id = ${id} and deleted_at is null`),
    ...stopStatements(db, id, now),
  ]);
}

/** The same for a workspace that was deleted already, but in which a faster request has started work. */
export async function stopDeleted(db: Db, id: string, now: Date): Promise<void> {
  await commit(db, [lockSuppressionsStatement(db, id), ...stopStatements(db, id, now)]);
}

/**
 * Closes all senders, so that a campaign that a faster request resumes sends nothing. A transaction of its own, because
 * a claim locks senders before campaigns.
 */
export async function closeSenders(db: Db, id: string, now: Date): Promise<void> {
  const lanes = {
    from: sql`workspaces w`,
    where: sql`w.id = ${deleted(id)} and lane.workspace_id = w.id and lane.open`,
  };
  await commit(db, [lockLanesStatement(db, id), db.execute(closeLanes(lanes, instantParam(now)))]);
}

const stopStatements = (db: Db, id: string, now: Date): Statement[] =>
  [
    sql`select id from campaigns where workspace_id = ${deleted(id)} order by id for update`,
    ...STOPS.map((stop) => stop(deleted(id), instantParam(now))),
  ].map((statement) => db.execute(statement));

/** Each of them leaves what has come to its end as it is. */
const STOPS: ((workspace: SQL, at: SQL) => SQL)[] = [
  (workspace, at) => sql`
    update api_keys set revoked_at = ${at}, updated_at = ${at} where workspace_id = ${workspace} and revoked_at is null`,
  (workspace, at) => sql`
    ${transition("pause", sql`paused_from = c.status, paused_reason = 'user_requested', updated_at = ${at}`)} and c.workspace_id = ${workspace}`,
  (workspace, at) => sql`
    ${transition("unschedule", sql`schedule_generation = c.schedule_generation + 1, updated_at = ${at}`)} and c.workspace_id = ${workspace}`,
  (workspace, at) => sql`
    ${transition("fail_launch", sql`launch_error = ${ENDED}, updated_at = ${at}`)} and c.workspace_id = ${workspace}`,
  (workspace, at) => sql`
    update emails set state = 'cancelled', attachments = '[]', updated_at = ${at}
    where workspace_id = ${workspace} and state in ('queued', 'scheduled')`,
  (workspace, at) => sql`
    update placement_mails set state = case when state = 'queued' then 'not_sent' else 'unknown' end, note = ${ENDED}, due_at = ${at}, ended_at = ${at}
    where workspace_id = ${workspace} and state in ('queued', 'looking')`,
  // One that is being handed over ends by itself; none is counted any more.
  (workspace, at) => sql`
    update social_posts set
      status = case when status in ('scheduled', 'publishing') then 'failed' else status end,
      last_error = case when status in ('scheduled', 'publishing') then ${ENDED} else last_error end,
      due_at = null, updated_at = ${at}
    where workspace_id = ${workspace} and due_at is not null and begun_at is null`,
  (workspace, at) => sql`
    update connected_accounts set status = 'disconnected', checkpoint_pending = false, next_sync_at = null, updated_at = ${at},
      status_since = case when status = 'connected' then ${at} else status_since end
    where workspace_id = ${workspace} and (status <> 'disconnected' or checkpoint_pending or next_sync_at is not null)`,
  (workspace, at) => sql`
    update sheet_imports set status = 'failed', error = ${ENDED}, version = version + 1, updated_at = ${at}
    where workspace_id = ${workspace} and status = 'running'`,
  // An import that is being read finds its chunks gone when it would be taken over.
  (workspace) => sql`
    delete from lead_import_chunks where dataset_id in (select id from datasets where workspace_id = ${workspace})`,
  (workspace, at) => sql`
    update dataset_verifications set status = 'cancelled', updated_at = ${at}
    where workspace_id = ${workspace} and status in ('pending', 'running')`,
  (workspace, at) => sql`
    update verification_jobs set status = 'failed', error = ${ENDED}, updated_at = ${at}
    where workspace_id = ${workspace} and status in ('pending', 'running')`,
  // A worker that comes for a text of a batch sees the batch's mark; one for a step that is due has none.
  (workspace, at) => sql`
    update generations set status = 'cancelled', updated_at = ${at}
    where kind = 'send_time' and status = 'pending' and campaign_id in (select id from campaigns where workspace_id = ${workspace})`,
  (workspace, at) => sql`
    update generation_batches set cancelled_at = ${at}, updated_at = ${at} where workspace_id = ${workspace} and cancelled_at is null`,
  // The provider hears of it afterwards; what was paid before is the workspace's own affair.
  (workspace, at) => sql`
    update payment_orders set closed_at = ${at}, click_key = null, updated_at = ${at},
      check_at = case when status = 'open' then ${at} else check_at end
    where workspace_id = ${workspace} and status <> 'paid' and closed_at is null`,
];

/** Sessions at the network's provider that a deleted workspace has still. */
export async function sessionsOfDeleted(db: Db, id: string): Promise<string[]> {
  const { rows } = await db.execute(sql`
    select provider_account_id as session from connected_accounts where workspace_id = ${deleted(id)} and provider_account_id <> ''
    union select provider_account_id from account_checkpoints where workspace_id = ${deleted(id)} and provider_account_id <> ''`);
  return rows.map((row) => readSession(row).session);
}
const readSession = rowReader({ session: text });

/** After the provider was asked to end them: deletes the workspace's session ids. */
export async function forgetSessions(db: Db, id: string): Promise<void> {
  await commit(db, [
    db.execute(sql`delete from account_checkpoints where workspace_id = ${deleted(id)}`),
    db.execute(sql`
      update connected_accounts set provider_account_id = '', person_id = null where workspace_id = ${deleted(id)}`),
  ]);
}

/** Holds for work that a deletion ended, by their reference. */
export async function openHoldsOfDeleted(db: Db, id: string, limit: number) {
  const { rows } = await db.execute(sql`
    select ref_type, ref_id from credit_holds where workspace_id = ${deleted(id)} and returned_at is null order by ref_type limit ${limit}`);
  return rows.map(readHold);
}
const readHold = rowReader({ refType: text, refId: text });

/** Deleted workspaces with work still under way. */
export async function unstoppedWorkspaces(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select w.id from workspaces w
    where w.deleted_at is not null and w.erased_at is null and (
      exists (select 1 from sender_lanes lane where lane.workspace_id = w.id and lane.open)
      or exists (select 1 from campaigns c where c.workspace_id = w.id and c.deleted_at is null
        and (c.${canTake("pause")} or c.${canTake("unschedule")} or c.${canTake("fail_launch")}))
      or exists (select 1 from emails e where e.workspace_id = w.id and e.state in ('queued', 'scheduled'))
      or exists (select 1 from api_keys k where k.workspace_id = w.id and k.revoked_at is null)
      or exists (select 1 from social_posts p where p.workspace_id = w.id and p.due_at is not null and p.begun_at is null)
      or exists (select 1 from connected_accounts a where a.workspace_id = w.id and (a.provider_account_id <> '' or a.status <> 'disconnected'))
      or exists (select 1 from payment_orders o where o.workspace_id = w.id and o.status <> 'paid' and o.closed_at is null)
      or exists (select 1 from credit_holds h where h.workspace_id = w.id and h.returned_at is null))
    order by w.deleted_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Takes a deletion back, while nothing is erased; false when it is too late, or nothing was deleted. Senders in order
 * send again once a campaign is resumed; keys stay revoked, and sessions ended. What was paid meanwhile and has not gone
 * back yet is its own again, with the credits.
 */
export async function restoreWorkspace(db: Db, id: string, now: Date): Promise<boolean> {
  const at = instantParam(now);
  const lanes = {
    from: sql`mail_aliases a`,
    where: sql`lane.id = a.id and a.workspace_id = ${id} and a.status = 'active'
      and exists (select 1 from workspaces w where w.id = ${id} and w.deleted_at is null and w.updated_at = ${at})`,
  };
  const [, restored] = await commit(db, [
    // A key that was made while the deletion was being committed is none of the new times.
    db.execute(sql`
      update api_keys set revoked_at = ${at}, updated_at = ${at} where workspace_id = ${deleted(id)} and revoked_at is null`),
    db.execute(sql`
      update workspaces set deleted_at = null, updated_at = ${at}
      where id = ${id} and deleted_at is not null and erasure_began_at is null returning id`),
    db.execute(openLanes(lanes, at)),
    db.execute(sql`
      update payment_orders set closed_at = null, updated_at = ${at} where closed_at is not null
        and workspace_id = (select w.id from workspaces w where w.id = ${id} and w.deleted_at is null)`),
  ]);
  return restored.rows.length > 0;
}
