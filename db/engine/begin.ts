import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { ADDRESS_GUARD } from "./address-guard.ts";
import { usedAfterRefunds } from "./budgets.ts";
import { pacedOn } from "./operator-rates.ts";
import type { BeginSend } from "./store.ts";
import { judged } from "./verdict.ts";
import { type Judged, lanesConcerned, refundCampaigns } from "./given-back.ts";
import { earliestSlot, lateBy, slotGivenBack } from "./lane-slots.ts";

const JUDGED: Judged = {
  rows: "verdict",
  as: "v",
  gaveBack: (prefix) => `${prefix}refusal is not null`,
};

/**
 * Serialises begins to one address, which the address guard needs, and begins
 * with suppressions of their workspace: the next statement of the transaction
 * then sees what the other committed. Locked in one order, so that two workers
 * cannot wait for each other.
 */
export const addressLocks = (): SQL => sql`
  with mine as (
    select s.workspace_id, s.email_key from sends s where s.id = any(v_begin)
  ), workspace as materialized (
    select pg_advisory_xact_lock_shared(k) from (
      select distinct ${suppressionKey(sql`workspace_id`)} as k from mine order by k
    ) keys
  ), address as materialized (
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended(workspace_id::text || email_key, 0) as k from mine where email_key is not null order by k
    ) keys, (select count(*) from workspace) first
  )
  select (select count(*) from workspace) + (select count(*) from address) into v_count`;

const suppressionKey = (workspaceId: SQL): SQL =>
  sql`hashtextextended(${workspaceId}::text || ':suppressions', 0)`;

/** To be run before a single message begins, in the same transaction: waits for suppressions that are being committed. */
export function holdSuppressionsStatement(db: Db, workspaceId: string): Statement {
  return db.execute(
    sql`select pg_advisory_xact_lock_shared(${suppressionKey(sql`${workspaceId}::uuid`)})`,
  );
}

/**
 * To be run before a suppression is written, in the same transaction: waits for
 * the begins of this workspace that are being committed, and holds off the next.
 * So nothing begins to a suppressed address once the suppression is committed.
 */
export function lockSuppressionsStatement(db: Db, workspaceId: string): Statement {
  return db.execute(
    sql`select pg_advisory_xact_lock(${suppressionKey(sql`${workspaceId}::uuid`)})`,
  );
}

/**
 * The guard before DATA. Everything that may stop a send is looked at again
 * here, under locks that wait for a stop which is being committed: after a
 * pause, reply or unsubscribe was committed nothing begins. Those that pass
 * are `transmitting` once this commits; the others are given back in the same
 * statement, with lead and counters as if they had not been claimed. A begin
 * that comes again is answered as it was, and changes nothing.
 */
export function beginStatement(): SQL {
  const at = sql`p_now`;
  return sql`
  with ${judged(at)}, ${transmitting(at, sql`true`)}, ${pacedOn(at)}, refused as (
    update sends s
    set state = case when v.refusal in ('lead_not_active', 'suppressed') then 'canceled' else 'released' end,
        claims = 0, alone = null, lease_until = null, reason = v.refusal, updated_at = ${at}
    from verdict v where s.id = v.id and v.refusal is not null
    returning s.id
  ), lead_back as (
    update campaign_leads l
    set status = case
          when v.refusal = 'suppressed' then case v.suppression when 'unsubscribe' then 'unsubscribed' when 'complaint' then 'complained'
                                                                when 'hard_bounce' then 'bounced' else 'stopped' end
          when v.is_new then 'pending' else l.status end,
        stop_reason = case when v.refusal = 'suppressed' then 'suppressed' else l.stop_reason end,
        next_step = case when v.refusal = 'suppressed' then null else l.next_step end,
        alias_id = case when v.is_new or l.next_channel is not null then null else l.alias_id end,
        next_action_at = case when v.refusal = 'suppressed' then null
                              when v.refusal = 'address_recently_mailed' then coalesce(v.mailed_until, ${at} + ${ADDRESS_GUARD})
                              else ${at} end,
        updated_at = ${at}
    from verdict v
    where l.id = any(array(select verdict.campaign_lead_id from verdict where verdict.refusal is not null))
      and l.id = v.campaign_lead_id and v.refusal is not null and l.status = 'active'
  ), lane as (
    update sender_lanes lane
    set used = ${usedAfterRefunds.used}, connections_used = ${usedAfterRefunds.connectionsUsed},
        last_begun_at = case when x.begins then ${at} else lane.last_begun_at end,
        last_slot_at = case when x.begins then greatest(lane.last_slot_at, x.slot_at + ${lateBy(at, sql`x.slot_at`)}) when ${givesBack} then lane.last_begun_at else lane.last_slot_at end,
        next_slot_at = least(x.wake_at, case when ${givesBack} then ${slotGivenBack(at)} end,
          case when x.begins then lane.next_slot_at + ${lateBy(at, sql`x.slot_at`)} else lane.next_slot_at end)
    from (
      select look.lane_id, bool_or(look.is_own and v.refusal is null) as begins, max(v.slot_at) filter (where look.is_own and v.refusal is null) as slot_at, max(v.lane_day_until) filter (where look.is_own) as day_until,
             count(*) filter (where look.is_own and v.refusal is not null) as refunds,
             count(*) filter (where look.is_own and v.refusal is not null and v.budget = 'connection') as connection_refunds,
             min(${earliestSlot(at)}) filter (where v.refusal is not null) as wake_at
      from ${lanesConcerned(JUDGED, at)}
    ) x
    where lane.id = x.lane_id
  ), campaign_back as (${refundCampaigns(JUDGED)}
  )
  select w.id, case when v.id is not null then v.refusal when not ${isOwnBegin} then 'lease_lost' end as refusal, null::jsonb as plan
  from wanted w left join verdict v on v.id = w.id`;
}

/** A proxy may repeat a statement whose answer it lost: a begin with the same worker token and Message-ID is this worker's own. */
const isOwnBegin = sql`exists (
    select 1 from sends own
    where own.id = any(v_begin) and own.id = w.id and own.state = 'transmitting' and own.worker_token = p_worker
      and own.message_id is not distinct from w.message_id)`;

/** Marks the sends that may begin as `transmitting`, under a condition on all of them, and stores their texts. */
const transmitting = (at: SQL, condition: SQL): SQL => sql`
  begun as (
    update sends s
    set state = 'transmitting', claims = 0, alone = null, attempts = s.attempts + 1, transmitting_at = ${at}, lease_until = w.lease_until,
        message_id = w.message_id, subject = w.subject, variant_label = w.variant_label, arm = w.arm, weights_version = w.weights_version, template_id = w.template_id,
        template_version = w.template_version, sender_profile_id = w.sender_profile_id, reason = null, updated_at = ${at}
    from wanted w join verdict v on v.id = w.id
    where s.id = any(v_begin) and s.id = w.id and v.refusal is null and ${condition}
    returning s.id
  ), written as (
    insert into send_bodies (send_id, html, written_at)
    select w.id, w.html, ${at} from wanted w join begun on begun.id = w.id where w.html is not null
    on conflict (send_id) do update set html = excluded.html, written_at = excluded.written_at
  )`;

/**
 * The common case of `beginStatement`, of none to a slow pair: nothing stands against any of them, and of a lane only its last begin
 * changes. Answers how many began, which is all or none.
 */
export function plainBeginStatement(): SQL {
  const at = sql`p_now`;
  return sql`
  with ${judged(at)}, clear as materialized (
    select count(*) = cardinality(v_begin) and bool_and(refusal is null) as of_all from verdict
  ), ${transmitting(at, sql`(select clear.of_all from clear)`)}, lane as (
    update sender_lanes lane
    set last_begun_at = ${at}, last_slot_at = greatest(lane.last_slot_at, v.slot_at + ${lateBy(at, sql`v.slot_at`)}),
        next_slot_at = lane.next_slot_at + ${lateBy(at, sql`v.slot_at`)}
    from verdict v where lane.id = any(array(select verdict.lane_id from verdict)) and lane.id = v.lane_id and (select clear.of_all from clear)
  )
  select count(*) into v_count from begun`;
}

/** A lane of which nothing began has its slot back: the refusal cost no message. */
const givesBack = sql`(x.refunds > 0 and not x.begins)`;

export function beginRecord(send: BeginSend): Record<string, unknown> {
  return {
    id: send.id,
    message_id: send.messageId,
    subject: send.subject,
    html: send.html,
    variant_label: send.variantLabel,
    // Absent is null.
    ...(send.drawn && { arm: send.drawn.arm, weights_version: send.drawn.version }),
    template_id: send.templateId,
    template_version: send.templateVersion,
    sender_profile_id: send.senderProfileId,
    lease_until: send.leaseUntil,
  };
}
