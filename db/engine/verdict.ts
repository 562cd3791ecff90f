import { type SQL, sql } from "drizzle-orm";
import { suppressionReason } from "../base/fragments/suppression-reason.ts";
import { addressGuardOf } from "./address-guard.ts";
import { pace } from "./operator-rates.ts";
import { bareGapAfter, sharedInterval } from "./lane-slots.ts";
import { serves } from "./lanes.ts";

/**
 * CTEs `wanted`, the sends of `p_begin`, and `verdict`, whose `refusal` is null for a send that may begin, under locks
 * that wait for a stop which is being committed. A send that is not in the verdict is no longer this worker's. Rows are
 * locked by primary key and judged after.
 */
export const judged = (at: SQL): SQL => sql`
  wanted as materialized (
    select * from jsonb_to_recordset(p_begin) as b(
      id uuid, message_id text, subject text, html text, variant_label text, arm text, weights_version int, template_id uuid, template_version int,
      sender_profile_id uuid, lease_until timestamptz)
  ), locked as materialized (
    select s.id, s.state, s.worker_token, s.lease_until, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.email_key, s.is_new,
           s.slot_at, s.campaign_day, s.lane_day_until, s.budget
    from sends s where s.id = any(v_begin) for update of s
  ), mine as materialized (
    select * from locked where state = 'claimed' and worker_token = p_worker and locked.lease_until > ${at}
  ), campaign as materialized (
    select c.id, c.status, c.deleted_at, c.open_from, c.open_until, c.use_lead_timezone, c.min_interval_seconds from campaigns c
    where c.id = any(array(select mine.campaign_id from mine)) order by c.id for share
  ), lead as materialized (
    select l.id, l.status, l.hold_reason, l.hold_until, l.zone, l.email_key from campaign_leads l
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
  ), ${pace}, verdict as materialized (
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
        when pace.until > ${at} or (pace.id is not null
          and row_number() over (partition by pace.domain_id, pace.operator order by m.slot_at, m.lane_id, m.id) > 1) then 'operator_slowed'
      end as refusal
    from mine m
    join campaign c on c.id = m.campaign_id
    join lead l on l.id = m.campaign_lead_id
    left join zone z on z.campaign_id = m.campaign_id and z.zone = l.zone
    join sender lane on lane.id = m.lane_id
    left join lateral (select case
        when m.email_key is not null then ${suppressionReason(sql`m.workspace_id`, sql`m.email_key`, at)}
        when l.email_key is not null then ${suppressionReason(sql`m.workspace_id`, sql`l.email_key`, at, "network")} end as reason) sup on true
    left join lateral ${addressGuardOf(sql`m`, at)} recent on true
    left join pace on pace.id = m.id
  )`;
