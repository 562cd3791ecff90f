import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { newId } from "../base/new-id.ts";
import { bool, rowReader, text } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";

/**
 * After a database was restored to how it was at `since`: what may have gone out between then and `now`, of which it
 * knows nothing, becomes unknown, and so is never sent again by itself.
 */
export interface Restored {
  since: Date;
  now: Date;
  /** Of all that run; or of this one, whatever its status. */
  campaignId: string | null;
}

/** Leads that wait for a person, of whose next step the person knows that it went out. */
interface Known {
  now: Date;
  leadIds: readonly string[];
}

/** How the ledger says it, of a send and of a single message. */
export const RESTORED = "The database was restored to ";
export const restoredReason = (since: Date): string =>
  `${RESTORED}${since.toISOString()}; this may have gone out after that.`;

/** The hold of a lead whose next step but one may have gone out, too: it waits for a person. */
export const RESTORED_HOLD = "restored";

/** A lead that is passed over costs its sender no slot, so more are reached than there are slots. */
const REACH = 2;

/** A send that has become unknown by the restore. */
export type MarkedSend = ReturnType<typeof readMarked>;
const readMarked = rowReader({
  id: text,
  /** Not on a network. */
  isMail: bool,
});

/** Under way or due since, as far as the gaps of its senders let a campaign come. The engine must not run meanwhile. */
export async function markRestored(db: Db, restored: Restored): Promise<MarkedSend[]> {
  const [, , under, due] = await commit(db, [
    db.execute(sql`select id from sender_lanes order by id for update`),
    db.execute(sql`select id from campaigns order by id for update`),
    db.execute(markUnderWay(restored)),
    db.execute(markDue(restored)),
  ]);
  return [...under.rows, ...due.rows].map(readMarked);
}

/** The next steps of these leads; to be settled as sent. */
export async function markKnown(db: Db, { now, leadIds }: Known): Promise<MarkedSend[]> {
  const [, , { rows }] = await commit(db, [
    db.execute(sql`select id from sender_lanes order by id for update`),
    db.execute(sql`select id from campaigns order by id for update`),
    db.execute(markDue({ since: now, now, campaignId: null }, leadIds)),
  ]);
  return rows.map(readMarked);
}

const sinceOf = ({ since }: Restored) => instantParam(since);
const isOurs = ({ campaignId }: Restored): SQL =>
  campaignId === null
    ? sql`c.deleted_at is null`
    : sql`c.deleted_at is null and c.id = ${campaignId}::uuid`;

/** Whether the step behind `step`, which went out at `from` or later, can have been due by now: a day is 23 hours long at least. */
const isFollowed = ({ now }: Restored, step: SQL, from: SQL): SQL => sql`
  coalesce(${from} + (c.steps -> ${step} ->> 'delay_days')::int * interval '23 hours' <= ${instantParam(now)}, false)`;

/** A send that was unknown by then may have been settled since, and its next step sent: such a lead is held, too. */
const markUnderWay = (restored: Restored): SQL => sql`
  with marked as (
    update sends s
    set state = 'unknown', reason = ${restoredReason(restored.since)}, lease_until = null, alone = null, claims = 0,
        attempts = s.attempts + (s.state = 'claimed')::int,
        transmitting_at = case when s.state = 'claimed' then ${sinceOf(restored)} else s.transmitting_at end,
        claimed_at = ${instantParam(restored.now)}, updated_at = ${instantParam(restored.now)}
    from campaigns c
    where c.id = s.campaign_id and s.state in ('claimed', 'transmitting') and ${isOurs(restored)}
    returning s.id, s.campaign_lead_id, s.lane_id, ${isFollowed(restored, sql`s.step`, sinceOf(restored))} as is_followed
  ), followed as (
    select campaign_lead_id from marked where is_followed
    union all
    select s.campaign_lead_id from sends s join campaigns c on c.id = s.campaign_id
    where s.state = 'unknown' and ${isOurs(restored)} and ${isFollowed(restored, sql`s.step`, sql`s.transmitting_at`)}
  ), held as (
    update campaign_leads l
    set hold_reason = ${RESTORED_HOLD}, hold_until = null, updated_at = ${instantParam(restored.now)}
    from followed f where l.id = f.campaign_lead_id and l.status = 'active' and l.hold_reason is null
  )
  select m.id, lane.kind = 'email' as is_mail from marked m join sender_lanes lane on lane.id = m.lane_id`;

/**
 * sender   how many leads each sender of a campaign may have come to.
 * queued   the leads that were or fell due, each in the order of the claim among those of the same sender, or of none.
 *          A hold that ended by itself has ended; a text that a lead waited for may have come.
 * reached  those of them that a sender may have come to. Which one a lead without one had is not known: they take turns.
 */
const markDue = (restored: Restored, known: readonly string[] = []): SQL => {
  const now = instantParam(restored.now);
  const since = sinceOf(restored);
  const isKnown = known.length > 0;
  const runs =
    restored.campaignId === null && !isKnown
      ? sql`c.status in ('active', 'draining')`
      : sql`c.launched_at is not null`;
  const isDue = isKnown
    ? sql`l.id = any(${uuidArray(known)}) and l.hold_reason = ${RESTORED_HOLD} and l.next_action_at is not null`
    : sql`l.next_action_at <= ${now} and (l.hold_reason is null or l.hold_reason = 'awaiting_draft' or l.hold_until <= ${now})`;
  return sql`
  with sender as materialized (
    select cs.campaign_id, lane.id as lane_id, lane.kind, lane.day_until,
           ${sql.raw(String(REACH))} * (1 + floor(extract(epoch from ${now} - ${since})
             / greatest(1, lane.min_interval_seconds, c.min_interval_seconds)))::int as room,
           row_number() over (partition by c.id, lane.kind order by lane.id) as place,
           count(*) over (partition by c.id, lane.kind) as of_kind
    from campaigns c join campaign_senders cs on cs.campaign_id = c.id join sender_lanes lane on lane.id = cs.lane_id
    where ${runs} and ${isOurs(restored)}
  ), queued as materialized (
    select l.id, l.campaign_id, l.status, l.next_step, l.next_budget, l.email_key,
           case when l.status = 'active' then l.alias_id end as lane_id,
           case when l.status = 'active' then l.next_channel else c.first_channel end as kind,
           row_number() over (partition by l.campaign_id, l.status, case when l.status = 'active' then l.alias_id end, l.next_channel
                              order by l.next_action_at, l.row_index, l.id) as place
    from campaign_leads l join campaigns c on c.id = l.campaign_id
    where ${runs} and ${isOurs(restored)} and ${isDue} and l.next_step is not null
      and (l.status = 'active' or (l.status = 'pending' and c.status <> 'draining'))
  ), reached as materialized (
    select q.*, s.lane_id as sender_id, s.day_until
    from queued q join sender s on s.campaign_id = q.campaign_id
      and case when q.lane_id is not null then s.lane_id = q.lane_id else s.kind = q.kind and s.place = 1 + (q.place - 1) % s.of_kind end
    where ${isKnown} or q.place <= case when q.lane_id is not null then s.room
                          else (select sum(room) from sender pool where pool.campaign_id = q.campaign_id and pool.kind = q.kind) end
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at,
                       campaign_day, lane_day_until, budget, is_new, claimed_at, claims, attempts, transmitting_at, reason,
                       opens, clicks, machine_opens, machine_clicks, updated_at)
    select ${newId(now)}, c.workspace_id, c.id, r.id, r.next_step, r.sender_id, 'unknown', case when lane.kind = 'email' then r.email_key end,
           c.config_version, ${since}, coalesce(c.open_day, (${now} at time zone 'UTC')::date), coalesce(r.day_until, ${now}), r.next_budget,
           r.status = 'pending', ${now}, 0, 1, ${since}, ${restoredReason(restored.since)}, 0, 0, 0, 0, ${now}
    from reached r join campaigns c on c.id = r.campaign_id join sender_lanes lane on lane.id = r.sender_id
    on conflict (campaign_lead_id, step) do update
    set state = 'unknown', lane_id = excluded.lane_id, slot_at = excluded.slot_at, campaign_day = excluded.campaign_day,
        lane_day_until = excluded.lane_day_until, budget = excluded.budget, is_new = excluded.is_new, claimed_at = excluded.claimed_at, claims = 0, alone = null,
        attempts = sends.attempts + 1, transmitting_at = excluded.transmitting_at, reason = excluded.reason, lease_until = null,
        worker_token = null, updated_at = excluded.updated_at
    where sends.state in ('released', 'retry_wait')
    returning sends.id, sends.campaign_id, sends.campaign_lead_id, sends.step, sends.lane_id, sends.is_new, sends.budget
  ), lead as (
    update campaign_leads l
    set status = 'active', alias_id = m.lane_id, next_action_at = null, hold_until = null, last_error = ${restoredReason(restored.since)},
        hold_reason = case when ${isFollowed(restored, sql`m.step`, since)} then ${RESTORED_HOLD} end, updated_at = ${now}
    from ledger m join campaigns c on c.id = m.campaign_id where l.id = m.campaign_lead_id
  ), counted as (
    update campaigns c set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select campaign_id, count(*)::int as actions, (count(*) filter (where is_new))::int as new_leads from ledger group by 1) sums
    where c.id = sums.campaign_id
  ), lane as (
    update sender_lanes lane set used = lane.used + sums.actions, connections_used = lane.connections_used + sums.connections,
      last_begun_at = greatest(lane.last_begun_at, ${now})
    from (select lane_id, count(*)::int as actions, (count(*) filter (where budget = 'connection'))::int as connections from ledger group by 1) sums
    where lane.id = sums.lane_id
  )
  select m.id, lane.kind = 'email' as is_mail from ledger m join sender_lanes lane on lane.id = m.lane_id`;
};

/** What is known of a forgotten mail, since it is written the same whenever it is written. */
export interface WrittenMail {
  id: string;
  /** By which answers, reports and logs name it. */
  messageId: string;
  subject: string | null;
  variantLabel: string | null;
}

export async function describeRestored(db: Db, mails: readonly WrittenMail[]): Promise<void> {
  const records = mails.map(({ id, messageId, subject, variantLabel }) => ({
    id,
    message_id: messageId,
    subject,
    variant_label: variantLabel,
  }));
  await db.execute(sql`
    update sends s set message_id = m.message_id, subject = m.subject, variant_label = m.variant_label
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as m(id uuid, message_id text, subject text, variant_label text)
    where s.id = m.id and s.state = 'unknown' and s.message_id is null`);
}
