import { type SQL, sql } from "drizzle-orm";
import { stillWaits } from "./step-hold.ts";

/**
 * The common case of `outcomesStatement`: acceptances of messages that this worker began, whose lead goes on as it was
 * planned and with the same sender, or is done, and which change nothing of lane, alias and account. Answers how many it
 * recorded, which is all or none.
 */
export function plainOutcomesStatement(): SQL {
  const at = sql`p_now`;
  return sql`
  with outcome as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o(
      id uuid, kind text, reason text, accepted_at timestamptz, next_step int, next_action_at timestamptz, next_channel text, next_budget text,
      next_hold text, config_version int, message_id text)
  ), held as materialized (
    select s.id, s.state, s.worker_token, s.lane_id, s.campaign_id, s.campaign_lead_id, s.step, s.email_key is not null or s.budget <> '' as is_addressed from sends s where s.id = any(v_ended) for update of s
  ), lane as materialized (
    select lane.id, lane.next_slot_at from sender_lanes lane
    where lane.id = any(array(select held.lane_id from held)) and lane.failures = 0 and (lane.closed_until > ${at}) is not false
      and (select a.last_error from mail_aliases a where a.id = lane.id) is null
      and (select a.rate_limited_until <= ${at} from connected_accounts a where a.id = lane.id) is not true
  ), plain as materialized (
    select h.id, h.campaign_lead_id, h.step, o.reason, o.accepted_at, o.message_id, o.next_step, o.next_action_at, o.next_budget, o.next_hold
    from outcome o join held h on h.id = o.id join lane on lane.id = h.lane_id
    where o.kind = 'accepted' and o.next_channel is null and h.is_addressed
      and h.state = 'transmitting' and h.worker_token = p_worker
      and (select c.config_version from campaigns c where c.id = h.campaign_id) = o.config_version
      and (o.next_action_at is null or lane.next_slot_at <= o.next_action_at)
      and (select l.alias_id from campaign_leads l where l.id = h.campaign_lead_id) is not distinct from h.lane_id
  ), clear as materialized (
    select count(*) = cardinality(v_ended) as of_all from plain
  ), settled as (
    update sends s
    set state = 'accepted', accepted_at = p.accepted_at, message_id = coalesce(p.message_id, s.message_id), claims = 0, alone = null,
        reason = p.reason, lease_until = null, updated_at = ${at}
    from plain p where s.id = any(v_ended) and s.id = p.id and (select clear.of_all from clear)
    returning s.id
  ), lead as (
    update campaign_leads l
    set current_step = greatest(l.current_step, p.step),
        status = case when l.status = 'active' and p.next_step is null then 'completed' else l.status end,
        next_step = case when l.status = 'active' then p.next_step end,
        next_action_at = case when l.status = 'active' then p.next_action_at end,
        next_channel = case when l.status <> 'active' then l.next_channel end,
        next_budget = case when l.status = 'active' then coalesce(p.next_budget, '') else l.next_budget end,
        hold_reason = case when l.status = 'active' and l.hold_reason is null and p.next_hold is not null and ${stillWaits(sql`p.next_hold`, sql`p.next_step`)}
                           then p.next_hold else l.hold_reason end,
        last_error = null, updated_at = ${at}
    from plain p where l.id = any(array(select plain.campaign_lead_id from plain)) and l.id = p.campaign_lead_id and (select clear.of_all from clear)
  )
  select count(*) into v_count from settled`;
}
