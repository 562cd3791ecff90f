import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../client.ts";
import { suppressionReason } from "../suppression-reason.ts";
import { ADDRESS_GUARD, addressGuardOf } from "./address-guard.ts";
import { usedAfterRefunds } from "./budgets.ts";
import type { BeginSend } from "./store.ts";
import {
  bareGapAfter,
  earliestSlot,
  heirs,
  lateBy,
  mayUse,
  serves,
  sharedInterval,
  slotGivenBack,
} from "./lanes.ts";

/**
 * Serialises begins to one address, which the address guard needs, and begins
 * with suppressions of their workspace: the next statement of the transaction
 * then sees what the other committed. Locked in one order, so that two workers
 * cannot wait for each other.
 */
export const addressLocks = (): SQL => sql`
  with mine as (
    select s.workspace_id, s.email_key from sends s
    where s.id in (select (b ->> 'id')::uuid from jsonb_array_elements(p_begin) b) and s.email_key is not null
  ), workspace as materialized (
    select pg_advisory_xact_lock_shared(k) from (
      select distinct ${suppressionKey(sql`workspace_id`)} as k from mine order by k
    ) keys
  ), address as materialized (
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended(workspace_id::text || email_key, 0) as k from mine order by k
    ) keys, (select count(*) from workspace) first
  )
  select count(*) into v_count from address`;

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
 * statement, with lead and counters as if they had not been claimed.
 */
export function beginStatement(): SQL {
  const at = sql`p_now`;
  return sql`
  with wanted as materialized (
    select * from jsonb_to_recordset(p_begin) as b(
      id uuid, message_id text, subject text, html text, variant_label text, template_id uuid, template_version int,
      sender_profile_id uuid, lease_until timestamptz)
  ), locked as materialized (
    select s.* from sends s where s.id = any(array(select wanted.id from wanted)) for update of s
  ), mine as materialized (
    select * from locked where state = 'claimed' and worker_token = p_worker and locked.lease_until > ${at}
  ), campaign as materialized (
    select c.id, c.status, c.deleted_at, c.open_from, c.open_until, c.use_lead_timezone, c.min_interval_seconds from campaigns c
    where c.id = any(array(select mine.campaign_id from mine)) order by c.id for share
  ), lead as materialized (
    select l.id, l.status, l.hold_reason, l.hold_until, l.zone from campaign_leads l
    where l.id = any(array(select mine.campaign_lead_id from mine)) order by l.id for share
  ), zone as materialized (
    select z.* from (
      select distinct c.id as campaign_id, l.zone from mine m join campaign c on c.id = m.campaign_id and c.use_lead_timezone
      join lead l on l.id = m.campaign_lead_id
    ) own join campaign_zones z on z.campaign_id = own.campaign_id and z.zone = own.zone
    order by z.campaign_id, z.zone for share of z
  ), sender as materialized (
    select lane.id, lane.open, lane.closed_until, lane.last_begun_at, lane.min_interval_seconds from sender_lanes lane
    where lane.id = any(array(select mine.lane_id from mine)) order by lane.id for update
  ), verdict as materialized (
    select m.*, recent.until as mailed_until, sup.reason as suppression,
      case
        when c.status not in ('active', 'draining') or c.deleted_at is not null then 'campaign_not_running'
        when c.status = 'draining' and m.is_new then 'campaign_draining'
        when l.status <> 'active' then 'lead_not_active'
        when l.hold_reason is not null and (l.hold_until is null or l.hold_until > ${at}) then 'lead_held'
        when sup.reason is not null then 'suppressed'
        when ${at} < c.open_from or ${at} >= c.open_until then 'window_closed'
        when c.use_lead_timezone and (${at} >= z.open_from and ${at} < z.open_until) is not true then 'window_closed'
        when not lane.open or not ${serves(sql`m`)} then 'sender_not_active'
        when lane.closed_until > ${at} then 'sender_resting'
        when ${at} < ${bareGapAfter(sql`lane.last_begun_at`, sharedInterval)}
          or row_number() over (partition by m.lane_id order by m.slot_at, m.id) > 1 then 'sender_too_soon'
        when m.email_key is not null and (recent.until is not null
          or row_number() over (partition by m.workspace_id, m.email_key order by m.slot_at, m.lane_id, m.id) > 1) then 'address_recently_mailed'
      end as refusal
    from mine m
    join campaign c on c.id = m.campaign_id
    join lead l on l.id = m.campaign_lead_id
    left join zone z on z.campaign_id = m.campaign_id and z.zone = l.zone
    join sender lane on lane.id = m.lane_id
    left join lateral (select ${suppressionReason(sql`m.workspace_id`, sql`m.email_key`, at)} as reason) sup on true
    left join lateral ${addressGuardOf(sql`m`, at)} recent on true
  ), begun as (
    update sends s
    set state = 'transmitting', claims = 0, alone = null, attempts = s.attempts + 1, transmitting_at = ${at}, lease_until = w.lease_until,
        message_id = w.message_id, subject = w.subject, variant_label = w.variant_label, template_id = w.template_id,
        template_version = w.template_version, sender_profile_id = w.sender_profile_id, reason = null, updated_at = ${at}
    from wanted w join verdict v on v.id = w.id
    where s.id = w.id and v.refusal is null
    returning s.id
  ), written as (
    insert into send_bodies (send_id, html, written_at)
    select w.id, w.html, ${at} from wanted w join begun on begun.id = w.id where w.html is not null
    on conflict (send_id) do update set html = excluded.html, written_at = excluded.written_at
  ), refused as (
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
    where l.id = v.campaign_lead_id and v.refusal is not null and l.status = 'active'
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
      from (
        select lane_id, id, true as is_own, false as is_heir from verdict
        union all
        select cs.lane_id, v.id, false, false from verdict v join campaign_senders cs on cs.campaign_id = v.campaign_id and cs.lane_id <> v.lane_id
        where v.refusal is not null
        union all
        ${heirs(sql`verdict`)}
      ) look
      join verdict v on v.id = look.id join sender_lanes lane on lane.id = look.lane_id join campaigns c on c.id = v.campaign_id
      where look.is_own or look.is_heir or (${mayUse(sql`v`, at)})
      group by look.lane_id
    ) x
    where lane.id = x.lane_id
  ), campaign_back as (
    update campaigns c set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from verdict where refusal is not null group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day
  )
  select w.id, case when v.id is null then 'lease_lost' else v.refusal end as refusal
  from wanted w left join verdict v on v.id = w.id`;
}

/** A lane of which nothing began has its slot back: the refusal cost no message. */
const givesBack = sql`(x.refunds > 0 and not x.begins)`;

export function uuidArray(ids: string[]): SQL {
  return sql`${`{${ids.join(",")}}`}::uuid[]`;
}

export function beginRecord(send: BeginSend): Record<string, unknown> {
  return {
    id: send.id,
    message_id: send.messageId,
    subject: send.subject,
    html: send.html,
    variant_label: send.variantLabel,
    template_id: send.templateId,
    template_version: send.templateVersion,
    sender_profile_id: send.senderProfileId,
    lease_until: send.leaseUntil,
  };
}
