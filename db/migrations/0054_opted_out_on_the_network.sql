drop function if exists engine_record_and_begin_13(timestamptz, uuid, jsonb, jsonb);
--> statement-breakpoint
create function engine_record_and_begin_15(p_now timestamptz, p_worker uuid, p_outcomes jsonb, p_begin jsonb) returns table (id uuid, refusal text, plan jsonb)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare v_ended uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_outcomes) named);
  v_begin uuid[] := array(select (named ->> 'id')::uuid from jsonb_array_elements(p_begin) named);
  v_overtaken uuid[] := '{}';
  v_pace_sends uuid[] := '{}'; v_pace_domains uuid[] := '{}'; v_pace_operators text[] := '{}'; v_pace_until timestamptz[] := '{}';
  v_count bigint;
begin
  if v_begin <> '{}' then
    
  with mine as (
    select s.workspace_id, s.email_key from sends s where s.id = any(v_begin)
  ), workspace as materialized (
    select pg_advisory_xact_lock_shared(k) from (
      select distinct hashtextextended(workspace_id::text || ':suppressions', 0) as k from mine order by k
    ) keys
  ), address as materialized (
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended(workspace_id::text || email_key, 0) as k from mine where email_key is not null order by k
    ) keys, (select count(*) from workspace) first
  )
  select (select count(*) from workspace) + (select count(*) from address) into v_count;
  end if;
  perform 1 from (
    select lane.id from sender_lanes lane
    where lane.id = any(array(select s.lane_id from sends s where s.id = any(v_ended || v_begin)))
    order by lane.id for update) lanes;
  if exists (select from operator_rates r where r.full_at > p_now) then
    
    perform 1 from (
      select 1 from operator_rates r
      where r.full_at > p_now and r.domain_id = any(array(
        select a.domain_id from sends s join mail_aliases a on a.id = s.lane_id where s.id = any(v_ended || v_begin)))
      order by r.domain_id, r.operator for update) pairs;
  end if;
  if v_ended <> '{}' then
    
  with outcome as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o(
      id uuid, kind text, reason text, accepted_at timestamptz, next_step int, next_action_at timestamptz, next_channel text, next_budget text,
      next_hold text, config_version int, message_id text)
  ), held as materialized (
    select s.id, s.state, s.worker_token, s.lane_id, s.campaign_id, s.campaign_lead_id, s.step, s.email_key is not null or s.budget <> '' as is_addressed from sends s where s.id = any(v_ended) for update of s
  ), lane as materialized (
    select lane.id, lane.next_slot_at from sender_lanes lane
    where lane.id = any(array(select held.lane_id from held)) and lane.failures = 0 and (lane.closed_until > p_now) is not false
      and (select a.last_error from mail_aliases a where a.id = lane.id) is null
      and (select a.rate_limited_until <= p_now from connected_accounts a where a.id = lane.id) is not true
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
        reason = p.reason, lease_until = null, updated_at = p_now
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
        hold_reason = case when l.status = 'active' and l.hold_reason is null and p.next_hold is not null and 
  case p.next_hold when 'awaiting_acceptance' then l.connected_at is null else (l.metadata -> 'approved_emails' -> (p.next_step)::text) is null end
                           then p.next_hold else l.hold_reason end,
        last_error = null, updated_at = p_now
    from plain p where l.id = any(array(select plain.campaign_lead_id from plain)) and l.id = p.campaign_lead_id and (select clear.of_all from clear)
  )
  select count(*) into v_count from settled;
    if v_count = 0 then
      perform 1 from sends s where s.id = any(v_ended) order by s.id for update;
      v_overtaken := array(
        select o.id from jsonb_to_recordset(p_outcomes) as o(id uuid, config_version int)
        join sends s on s.id = any(v_ended) and s.id = o.id
        where o.config_version <> (select c.config_version from campaigns c where c.id = s.campaign_id)
          and (select true from campaign_leads l where l.id = s.campaign_lead_id));
      
  with outcome as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o(
      id uuid, kind text, reason text, accepted_at timestamptz, next_step int, next_action_at timestamptz, next_channel text, scope text, suppress boolean, suppress_until timestamptz, refused boolean,
      attempt_spent boolean, lane text, skip boolean, message_id text, next_budget text, next_hold text, hold text, approved_at text, looked_up boolean, stop_reason text, slows boolean)
    where o.id <> all(v_overtaken)
  ), held as materialized (
    select s.id, s.state, s.worker_token from sends s where s.id = any(array(select outcome.id from outcome))
  ), settled as (
    update sends s
    set state = case o.kind when 'accepted' then 'accepted' when 'assumed' then 'assumed_sent' when 'confirmed' then 'accepted' when 'unknown' then 'unknown'
                            when 'rejected' then 'rejected' when 'retry' then 'retry_wait' when 'released' then 'released' when 'held' then 'released'
                            when 'render_failed' then case when o.skip then 'canceled' else 'failed' end
                            else 'failed' end,
        accepted_at = case o.kind when 'accepted' then o.accepted_at when 'assumed' then s.transmitting_at when 'confirmed' then s.transmitting_at else s.accepted_at end,
        message_id = coalesce(o.message_id, s.message_id),
        bounced_at = case when o.kind = 'rejected' and o.scope = 'recipient' then p_now else s.bounced_at end,
        attempts = s.attempts - case when o.kind = 'retry' and not o.attempt_spent and s.state = 'transmitting' then 1 else 0 end,
        refusals = s.refusals + o.refused::int, refused_since = case when o.refused then coalesce(s.refused_since, p_now) else s.refused_since end,
        claims = 0, alone = null,
        reason = case when coalesce(
          (select l.email is null and l.profile_url is null from campaign_leads l where l.id = s.campaign_lead_id), s.email_key is null and s.budget = '') then 'What the server said is not kept: the person was erased.' else o.reason end, lease_until = null, updated_at = p_now
    from outcome o join held h on h.id = o.id
    where s.id = h.id and (
      ((o.kind in ('assumed', 'confirmed') or o.looked_up) and h.state = 'unknown')
      or (h.worker_token = p_worker
          and (h.state in ('claimed', 'transmitting') or (h.state = 'unknown' and o.kind = 'accepted'))))
    returning s.id, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.step, s.email_key, s.is_new,
              s.campaign_day, s.lane_day_until, s.budget, s.transmitting_at, o.slows, o.kind, s.reason, o.next_step, o.next_action_at, o.next_channel, o.next_budget, o.scope, o.suppress, o.suppress_until,
              o.lane, o.skip, o.stop_reason,
              h.state = 'claimed' as unbegun, o.kind in ('released', 'held', 'render_failed') or (o.kind = 'retry' and not o.attempt_spent) as refund,
              o.kind in ('released', 'held') or (o.kind = 'retry' and not o.attempt_spent) as untouched,
              o.next_hold, o.hold, o.approved_at,
              case when o.kind in ('released', 'held') then p_now else o.next_action_at end as back_at
  ), lead as (
    update campaign_leads l
    set current_step = case when s.kind in ('accepted', 'assumed', 'confirmed') then greatest(l.current_step, s.step) else l.current_step end,
        status = case
          when l.status <> 'active' then l.status
          when s.kind in ('accepted', 'assumed', 'confirmed') and s.next_step is null then 'completed'
          when s.kind = 'rejected' and s.scope = 'recipient' then 'bounced'
          when s.kind in ('rejected', 'given_up') then 'failed'
          when s.kind = 'render_failed' then case when s.skip then 'skipped' else 'failed' end
          when s.untouched and s.is_new then 'pending'
          else l.status end,
        next_step = case
          when l.status <> 'active' then null
          when s.kind in ('accepted', 'assumed', 'confirmed') then s.next_step
          when s.kind in ('rejected', 'given_up', 'render_failed') then null
          else l.next_step end,
        next_action_at = case
          when l.status <> 'active' then null
          when s.kind in ('accepted', 'assumed', 'confirmed', 'retry') then s.next_action_at
          when s.kind in ('released', 'held') then p_now
          else null end,
        hold_reason = case
          when l.status <> 'active' or l.hold_reason is not null then l.hold_reason
          when s.kind in ('accepted', 'assumed', 'confirmed') and 
  case s.next_hold when 'awaiting_acceptance' then l.connected_at is null else (l.metadata -> 'approved_emails' -> (s.next_step)::text) is null end then s.next_hold
          when s.kind = 'held' and s.hold = 'awaiting_acceptance' then case when l.connected_at is null then s.hold end
          when s.kind = 'held' and (l.metadata -> 'approved_emails' -> (s.step)::text) ->> 'approved_at' is not distinct from s.approved_at then s.hold
          else l.hold_reason end,
        alias_id = case when l.status <> 'active' then l.alias_id when s.next_channel is not null then known.lane_id
                        when s.untouched and (s.is_new or l.next_channel is not null) then null else l.alias_id end,
        next_channel = case when l.status <> 'active' or s.kind not in ('accepted', 'assumed', 'confirmed') then l.next_channel
                            when known.lane_id is null then s.next_channel end,
        next_budget = case when l.status = 'active' and s.kind in ('accepted', 'assumed', 'confirmed') then coalesce(s.next_budget, '') else l.next_budget end,
        stop_reason = case when l.status = 'active' and s.kind in ('rejected', 'given_up', 'render_failed') then s.stop_reason else l.stop_reason end,
        last_error = case when s.kind in ('rejected', 'retry', 'given_up', 'render_failed', 'unknown') then s.reason
                          when s.kind in ('accepted', 'assumed', 'confirmed') then null else l.last_error end,
        updated_at = p_now
    from settled s left join lateral (
  select before.lane_id from sends before
  join sender_lanes lane on lane.id = before.lane_id
  join campaign_senders cs on cs.campaign_id = before.campaign_id and cs.lane_id = before.lane_id
  where s.next_channel is not null and before.campaign_lead_id = s.campaign_lead_id and lane.kind = s.next_channel
  order by before.step desc limit 1) known on true
    where l.id = s.campaign_lead_id
  ), theirs as materialized (
    select c.id, c.type, c.used, c.daily_limit, c.min_interval_seconds from campaigns c where c.id = any(array(select settled.campaign_id from settled))
  ), looking as (
    select lane_id, id, true as is_own, false as is_heir from settled
    union all
    select other.lane_id, s.id, false, false from (
      select distinct on (campaign_id) id, campaign_id, lane_id from settled where refund or next_channel is not null
      order by campaign_id, case when refund then p_now else back_at end, is_new desc) s cross join lateral (select next.lane_id from (
      (
      select cs.lane_id from campaign_senders cs where cs.campaign_id = s.campaign_id and cs.lane_id > s.lane_id order by cs.lane_id limit (select case when own.type = 'email' and own.used < own.daily_limit then 16 end from campaigns own where own.id = s.campaign_id)) union all (
      select cs.lane_id from campaign_senders cs where cs.campaign_id = s.campaign_id and cs.lane_id < s.lane_id order by cs.lane_id limit (select case when own.type = 'email' and own.used < own.daily_limit then 16 end from campaigns own where own.id = s.campaign_id))) next limit (select case when own.type = 'email' and own.used < own.daily_limit then 16 end from campaigns own where own.id = s.campaign_id)) other
    union all
    
  select l.alias_id, open_send.id, false, true from settled open_send
  join campaign_leads l on l.id = open_send.campaign_lead_id and l.alias_id <> open_send.lane_id
  ), lane_change as (
    select look.lane_id, bool_or(look.is_own and s.kind = 'accepted') as healthy, bool_or(look.is_own and s.lane in ('limited', 'down', 'sealed')) as closes,
           bool_or(look.is_own and s.lane = 'broken') as breaks, bool_or(look.is_own and s.lane in ('down', 'sealed', 'broken')) as fails,
           case when bool_or(look.is_own and s.lane = 'broken') then 'account' when bool_or(look.is_own and s.lane = 'down') then 'line' when bool_or(look.is_own and s.lane = 'sealed') then 'vault' end as error_kind,
           bool_or(look.is_own and s.refund and s.unbegun) as gives_back, count(*) filter (where look.is_own and s.refund) as refunds,
           count(*) filter (where look.is_own and s.refund and s.budget = 'connection') as connection_refunds, 
  bool_or(look.is_own and s.lane = 'spent' and s.lane_day_until = lane.day_until
    and s.budget = 'connection') as spends_connections, 
  bool_or(look.is_own and s.lane = 'spent' and s.lane_day_until = lane.day_until
    and s.budget <> 'connection') as spends_messages,
           bool_or(look.is_own and s.lane = 'limited') as limits, max(s.lane_day_until) filter (where look.is_own) as day_until,
           bool_or(lane.open) as was_open, max(s.reason) filter (where look.is_own) as reason, min(greatest(case when s.refund then p_now else s.back_at end, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3))) filter (where s.refund or s.back_at is not null) as wake_at
    from looking look join settled s on s.id = look.id join sender_lanes lane on lane.id = look.lane_id join theirs c on c.id = s.campaign_id
    where look.is_own or look.is_heir or ((s.is_new or c.type = 'mixed' or c.used >= c.daily_limit)
  and lane.open and (lane.next_slot_at is null or lane.next_slot_at > greatest(p_now, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3)))) group by look.lane_id
  ), lane as (
    update sender_lanes lane
    set last_slot_at = case when x.gives_back then lane.last_begun_at else lane.last_slot_at end,
        used = (lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end), connections_used = (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end),
        connection_cap = case when x.spends_connections then least(lane.connection_cap, (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end)) else lane.connection_cap end, day_cap = coalesce(case when x.spends_connections then least(lane.connection_cap, (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end)) else lane.connection_cap end, 0) + case when x.spends_messages then least(lane.day_cap - coalesce(lane.connection_cap, 0), (lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end) - (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end))
                     else lane.day_cap - coalesce(lane.connection_cap, 0) end,
        failures = case when x.closes or x.breaks then lane.failures + 1 when x.healthy then 0 else lane.failures end,
        open = lane.open and not x.breaks,
        closed_since = case when x.breaks then coalesce(lane.closed_since, p_now) else lane.closed_since end,
        closed_until = case when x.closes then greatest(lane.closed_until, p_now + least(interval '6 hours', interval '5 minutes' * power(2, least(lane.failures, 12)))) when x.healthy and lane.closed_until <= p_now then null else lane.closed_until end,
        next_slot_at = case when not x.breaks then least(lane.next_slot_at, x.wake_at, case when x.gives_back then greatest(p_now, lane.closed_until,
  (lane.last_begun_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60) + greatest(1, coalesce(lane.min_interval_seconds, 60) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3)) end) end,
        updated_at = p_now
    from lane_change x where lane.id = x.lane_id and (
      x.closes or x.breaks or x.refunds > 0 or x.wake_at < coalesce(lane.next_slot_at, 'infinity')
      or (x.healthy and (lane.failures > 0 or lane.closed_until <= p_now)))
    returning lane.id, lane.day_until, lane.closed_until
  ), alias as (
    -- Of a sender that was closed meanwhile only that its account is wrong still counts.
    update mail_aliases a
    set status = case when x.breaks then 'error' when x.healthy and not x.closes then 'active' else a.status end,
        last_error = case when x.closes or x.breaks then x.reason else null end,
        last_error_kind = x.error_kind,
        updated_at = p_now
    from lane_change x
    where a.id = x.lane_id and ((a.status in ('active', 'error')) is true) and (x.was_open or x.breaks) and (x.closes or x.breaks or (x.healthy and a.last_error is not null))
  ), account as (
    update connected_accounts a
    set rate_limited_until = case when x.spends_connections or x.spends_messages then greatest(a.rate_limited_until, lane.day_until)
                                  when x.limits then greatest(a.rate_limited_until, lane.closed_until)
                                  when x.healthy and a.rate_limited_until <= p_now then null else a.rate_limited_until end,
        status = case when x.breaks and a.status = 'connected' then 'disconnected' else a.status end,
        status_since = case when x.breaks and a.status = 'connected' then p_now else a.status_since end,
        last_error = case when x.fails or x.closes or x.spends_connections or x.spends_messages then x.reason else a.last_error end,
        next_sync_at = case when x.fails then least(a.next_sync_at, p_now) else a.next_sync_at end,
        updated_at = p_now
    from lane_change x left join lane on lane.id = x.lane_id
    where a.id = x.lane_id and (x.fails or x.closes or x.spends_connections or x.spends_messages or (x.healthy and a.rate_limited_until <= p_now))
  ), campaign as (
    update campaigns c
    set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from settled where refund group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day
  ), suppressed as (
    insert into suppressions (id, workspace_id, user_id, value, value_hash, kind, reason, source_campaign_id, expires_at, created_at, updated_at)
    select distinct on (s.workspace_id, s.email_key) gen_random_uuid(), s.workspace_id, w.owner_user_id, s.email_key,
           encode(sha256(convert_to(s.email_key, 'UTF8')), 'hex'), 'email', 'hard_bounce', s.campaign_id, s.suppress_until, p_now, p_now
    from settled s join workspaces w on w.id = s.workspace_id where s.suppress and s.email_key is not null
    on conflict (workspace_id, kind, value_hash) do update set reason = case when (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason)) then excluded.reason else suppressions.reason end, expires_at = case
      when suppressions.value is null then null
      when suppressions.expires_at <= p_now or (excluded.reason = 'manual' and (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason))) then excluded.expires_at
      when suppressions.expires_at is not null and excluded.expires_at is not null then greatest(suppressions.expires_at, excluded.expires_at) end, source_campaign_id = case when (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason)) then excluded.source_campaign_id else suppressions.source_campaign_id end, updated_at = p_now
  ), refusing as materialized (
    select a.domain_id, coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(s.email_key, '@', 2)), split_part(s.email_key, '@', 2), '') as operator, max(s.transmitting_at) as begun_at, max(s.reason) as reason
    from settled s join mail_aliases a on a.id = s.lane_id
    where s.slows and s.email_key is not null and s.transmitting_at is not null and a.domain_id is not null group by 1, 2
  ), slowed as (
    insert into operator_rates as r (domain_id, operator, per_hour, changed_at, next_at, full_at, since, reason)
    select f.domain_id, f.operator, 30, p_now, p_now + (3600000 / (30)) * interval '1 millisecond', p_now + (60 - 30) * interval '1 second' * 600, p_now, left(f.reason, 300)
    from refusing f order by f.domain_id, f.operator
    on conflict (domain_id, operator) do update set
      per_hour = greatest(1, (case when r.full_at > p_now
      then r.per_hour + floor(extract(epoch from p_now - r.changed_at) / 600)::int else 60 end) / 2), changed_at = p_now, next_at = greatest(r.next_at, p_now + (3600000 / (greatest(1, (case when r.full_at > p_now
      then r.per_hour + floor(extract(epoch from p_now - r.changed_at) / 600)::int else 60 end) / 2))) * interval '1 millisecond'), full_at = p_now + (60 - greatest(1, (case when r.full_at > p_now
      then r.per_hour + floor(extract(epoch from p_now - r.changed_at) / 600)::int else 60 end) / 2)) * interval '1 second' * 600,
      since = case when r.full_at > p_now then r.since else p_now end, reason = excluded.reason
    where r.changed_at < (select f.begun_at from refusing f where f.domain_id = r.domain_id and f.operator = r.operator)
  )
  select count(*) into v_count from settled;
      return query 
        select s.id, 'plan_overtaken', (select to_jsonb(step_after) from (select 
  c.config_version, c.timezone, l.zone as zone, (c.steps -> s.step ->> 'delay_days')::int as next_delay_days,
  nullif(c.steps -> s.step ->> 'channel', c.steps -> (s.step - 1) ->> 'channel') as next_channel,
  
  case c.steps -> s.step ->> 'action_type' when 'connection_request' then 'connection'
       when 'message' then 'message' when 'profile_view' then 'message' else '' end as next_budget,
  
  coalesce(
  case when (c.steps -> s.step @> '{"channel": "email", "ai_personalization_enabled": true}') then case c.unreviewed_launch_policy when 'hold' then 'personalization_review_pending' else 'awaiting_draft' end end, case when (
  c.steps -> (s.step) @> '{"action_type": "message"}' and exists (
    select 1 from jsonb_array_elements(c.steps) with ordinality earlier(step, n)
    where earlier.n <= (s.step) and earlier.step @> '{"action_type": "connection_request"}')) then 'awaiting_acceptance' end) as next_hold) step_after)
        from sends s
        join campaigns c on c.id = any(array(select s.campaign_id from sends s where s.id = any(v_overtaken))) and c.id = s.campaign_id
        join campaign_leads l on l.id = any(array(select s.campaign_lead_id from sends s where s.id = any(v_overtaken))) and l.id = s.campaign_lead_id
        where s.id = any(v_overtaken);
    end if;
  end if;
  if v_begin <> '{}' then
    if exists (select from operator_rates r where r.full_at > p_now) then
      
    select coalesce(array_agg(s.id), '{}'), coalesce(array_agg(r.domain_id), '{}'), coalesce(array_agg(r.operator), '{}'),
           coalesce(array_agg(least(r.next_at, r.full_at)), '{}')
    into v_pace_sends, v_pace_domains, v_pace_operators, v_pace_until
    from sends s join mail_aliases a on a.id = s.lane_id
    join operator_rates r on r.domain_id = a.domain_id and r.operator = coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(s.email_key, '@', 2)), split_part(s.email_key, '@', 2), '')
    where s.id = any(v_begin) and s.email_key is not null and r.full_at > p_now;
    end if;
    v_count := 0;
    if v_pace_sends = '{}' then
      
  with 
  wanted as materialized (
    select * from jsonb_to_recordset(p_begin) as b(
      id uuid, message_id text, subject text, html text, variant_label text, arm text, weights_version int, template_id uuid, template_version int,
      sender_profile_id uuid, lease_until timestamptz)
  ), locked as materialized (
    select s.id, s.state, s.worker_token, s.lease_until, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.email_key, s.is_new,
           s.slot_at, s.campaign_day, s.lane_day_until, s.budget
    from sends s where s.id = any(v_begin) for update of s
  ), mine as materialized (
    select * from locked where state = 'claimed' and worker_token = p_worker and locked.lease_until > p_now
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
  ), pace as materialized (
    select * from unnest(v_pace_sends, v_pace_domains, v_pace_operators, v_pace_until) p(id, domain_id, operator, until)
  ), verdict as materialized (
    select m.*, recent.until as mailed_until, sup.reason as suppression,
      case
        when c.status not in ('active', 'draining') or c.deleted_at is not null then 'campaign_not_running'
        when c.status = 'draining' and m.is_new then 'campaign_draining'
        when l.status <> 'active' then 'lead_not_active'
        when l.hold_reason is not null and (l.hold_until is null or l.hold_until > p_now) then 'lead_held'
        when sup.reason is not null then 'suppressed'
        when p_now < c.open_from or p_now >= c.open_until then 'window_closed'
        when c.use_lead_timezone and (p_now >= z.open_from and p_now < z.open_until) is not true then 'window_closed'
        when not lane.open or not exists (select 1 from campaign_senders serving where serving.campaign_id = m.campaign_id and serving.lane_id = m.lane_id) then 'sender_not_active'
        when lane.closed_until > p_now then 'sender_resting'
        when p_now < lane.last_begun_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds))
          or row_number() over (partition by m.lane_id order by m.slot_at, m.id) > 1 then 'sender_too_soon'
        when m.email_key is not null and (recent.until is not null
          or row_number() over (partition by m.workspace_id, m.email_key order by m.slot_at, m.lane_id, m.id) > 1) then 'address_recently_mailed'
        when pace.until > p_now or (pace.id is not null
          and row_number() over (partition by pace.domain_id, pace.operator order by m.slot_at, m.lane_id, m.id) > 1) then 'operator_slowed'
      end as refusal
    from mine m
    join campaign c on c.id = m.campaign_id
    join lead l on l.id = m.campaign_lead_id
    left join zone z on z.campaign_id = m.campaign_id and z.zone = l.zone
    join sender lane on lane.id = m.lane_id
    left join lateral (select case
        when m.email_key is not null then coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(m.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(m.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)))
        when l.email_key is not null then coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(l.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now) and x.reason <> 'hard_bounce'), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(l.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now) and x.reason <> 'hard_bounce')) end as reason) sup on true
    left join lateral (
  select max(coalesce(o.accepted_at, o.transmitting_at)) + interval '24 hours' as until from sends o
  where o.workspace_id = m.workspace_id and o.email_key = m.email_key and o.campaign_id <> m.campaign_id
    and (o.accepted_at > p_now - interval '24 hours'
  or (o.state in ('transmitting', 'unknown') and o.transmitting_at > p_now - interval '24 hours'))) recent on true
    left join pace on pace.id = m.id
  ), clear as materialized (
    select count(*) = cardinality(v_begin) and bool_and(refusal is null) as of_all from verdict
  ), 
  begun as (
    update sends s
    set state = 'transmitting', claims = 0, alone = null, attempts = s.attempts + 1, transmitting_at = p_now, lease_until = w.lease_until,
        message_id = w.message_id, subject = w.subject, variant_label = w.variant_label, arm = w.arm, weights_version = w.weights_version, template_id = w.template_id,
        template_version = w.template_version, sender_profile_id = w.sender_profile_id, reason = null, updated_at = p_now
    from wanted w join verdict v on v.id = w.id
    where s.id = any(v_begin) and s.id = w.id and v.refusal is null and (select clear.of_all from clear)
    returning s.id
  ), written as (
    insert into send_bodies (send_id, html, written_at)
    select w.id, w.html, p_now from wanted w join begun on begun.id = w.id where w.html is not null
    on conflict (send_id) do update set html = excluded.html, written_at = excluded.written_at
  ), lane as (
    update sender_lanes lane
    set last_begun_at = p_now, last_slot_at = greatest(lane.last_slot_at, v.slot_at + greatest(interval '0', p_now - v.slot_at - interval '20 seconds')),
        next_slot_at = lane.next_slot_at + greatest(interval '0', p_now - v.slot_at - interval '20 seconds')
    from verdict v where lane.id = any(array(select verdict.lane_id from verdict)) and lane.id = v.lane_id and (select clear.of_all from clear)
  )
  select count(*) into v_count from begun;
    end if;
    if v_count = 0 then
      return query 
  with 
  wanted as materialized (
    select * from jsonb_to_recordset(p_begin) as b(
      id uuid, message_id text, subject text, html text, variant_label text, arm text, weights_version int, template_id uuid, template_version int,
      sender_profile_id uuid, lease_until timestamptz)
  ), locked as materialized (
    select s.id, s.state, s.worker_token, s.lease_until, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.email_key, s.is_new,
           s.slot_at, s.campaign_day, s.lane_day_until, s.budget
    from sends s where s.id = any(v_begin) for update of s
  ), mine as materialized (
    select * from locked where state = 'claimed' and worker_token = p_worker and locked.lease_until > p_now
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
  ), pace as materialized (
    select * from unnest(v_pace_sends, v_pace_domains, v_pace_operators, v_pace_until) p(id, domain_id, operator, until)
  ), verdict as materialized (
    select m.*, recent.until as mailed_until, sup.reason as suppression,
      case
        when c.status not in ('active', 'draining') or c.deleted_at is not null then 'campaign_not_running'
        when c.status = 'draining' and m.is_new then 'campaign_draining'
        when l.status <> 'active' then 'lead_not_active'
        when l.hold_reason is not null and (l.hold_until is null or l.hold_until > p_now) then 'lead_held'
        when sup.reason is not null then 'suppressed'
        when p_now < c.open_from or p_now >= c.open_until then 'window_closed'
        when c.use_lead_timezone and (p_now >= z.open_from and p_now < z.open_until) is not true then 'window_closed'
        when not lane.open or not exists (select 1 from campaign_senders serving where serving.campaign_id = m.campaign_id and serving.lane_id = m.lane_id) then 'sender_not_active'
        when lane.closed_until > p_now then 'sender_resting'
        when p_now < lane.last_begun_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds))
          or row_number() over (partition by m.lane_id order by m.slot_at, m.id) > 1 then 'sender_too_soon'
        when m.email_key is not null and (recent.until is not null
          or row_number() over (partition by m.workspace_id, m.email_key order by m.slot_at, m.lane_id, m.id) > 1) then 'address_recently_mailed'
        when pace.until > p_now or (pace.id is not null
          and row_number() over (partition by pace.domain_id, pace.operator order by m.slot_at, m.lane_id, m.id) > 1) then 'operator_slowed'
      end as refusal
    from mine m
    join campaign c on c.id = m.campaign_id
    join lead l on l.id = m.campaign_lead_id
    left join zone z on z.campaign_id = m.campaign_id and z.zone = l.zone
    join sender lane on lane.id = m.lane_id
    left join lateral (select case
        when m.email_key is not null then coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(m.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(m.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)))
        when l.email_key is not null then coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(l.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now) and x.reason <> 'hard_bounce'), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(l.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now) and x.reason <> 'hard_bounce')) end as reason) sup on true
    left join lateral (
  select max(coalesce(o.accepted_at, o.transmitting_at)) + interval '24 hours' as until from sends o
  where o.workspace_id = m.workspace_id and o.email_key = m.email_key and o.campaign_id <> m.campaign_id
    and (o.accepted_at > p_now - interval '24 hours'
  or (o.state in ('transmitting', 'unknown') and o.transmitting_at > p_now - interval '24 hours'))) recent on true
    left join pace on pace.id = m.id
  ), 
  begun as (
    update sends s
    set state = 'transmitting', claims = 0, alone = null, attempts = s.attempts + 1, transmitting_at = p_now, lease_until = w.lease_until,
        message_id = w.message_id, subject = w.subject, variant_label = w.variant_label, arm = w.arm, weights_version = w.weights_version, template_id = w.template_id,
        template_version = w.template_version, sender_profile_id = w.sender_profile_id, reason = null, updated_at = p_now
    from wanted w join verdict v on v.id = w.id
    where s.id = any(v_begin) and s.id = w.id and v.refusal is null and true
    returning s.id
  ), written as (
    insert into send_bodies (send_id, html, written_at)
    select w.id, w.html, p_now from wanted w join begun on begun.id = w.id where w.html is not null
    on conflict (send_id) do update set html = excluded.html, written_at = excluded.written_at
  ), paced as (
    update operator_rates r set next_at = p_now + (3600000 / (case when r.full_at > p_now
      then r.per_hour + floor(extract(epoch from p_now - r.changed_at) / 600)::int else 60 end)) * interval '1 millisecond'
    from verdict v join pace p on p.id = v.id
    where v.refusal is null and r.domain_id = p.domain_id and r.operator = p.operator
  ), refused as (
    update sends s
    set state = case when v.refusal in ('lead_not_active', 'suppressed') then 'canceled' else 'released' end,
        claims = 0, alone = null, lease_until = null, reason = v.refusal, updated_at = p_now
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
                              when v.refusal = 'address_recently_mailed' then coalesce(v.mailed_until, p_now + interval '24 hours')
                              else p_now end,
        updated_at = p_now
    from verdict v
    where l.id = any(array(select verdict.campaign_lead_id from verdict where verdict.refusal is not null))
      and l.id = v.campaign_lead_id and v.refusal is not null and l.status = 'active'
  ), lane as (
    update sender_lanes lane
    set used = (lane.used - case when lane.day_until = x.day_until then least(lane.used, x.refunds::int) else 0 end), connections_used = (lane.connections_used - case when lane.day_until = x.day_until then least(lane.connections_used, x.connection_refunds::int) else 0 end),
        last_begun_at = case when x.begins then p_now else lane.last_begun_at end,
        last_slot_at = case when x.begins then greatest(lane.last_slot_at, x.slot_at + greatest(interval '0', p_now - x.slot_at - interval '20 seconds')) when (x.refunds > 0 and not x.begins) then lane.last_begun_at else lane.last_slot_at end,
        next_slot_at = least(x.wake_at, case when (x.refunds > 0 and not x.begins) then greatest(p_now, lane.closed_until,
  (lane.last_begun_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60) + greatest(1, coalesce(lane.min_interval_seconds, 60) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3)) end,
          case when x.begins then lane.next_slot_at + greatest(interval '0', p_now - x.slot_at - interval '20 seconds') else lane.next_slot_at end)
    from (
      select look.lane_id, bool_or(look.is_own and v.refusal is null) as begins, max(v.slot_at) filter (where look.is_own and v.refusal is null) as slot_at, max(v.lane_day_until) filter (where look.is_own) as day_until,
             count(*) filter (where look.is_own and v.refusal is not null) as refunds,
             count(*) filter (where look.is_own and v.refusal is not null and v.budget = 'connection') as connection_refunds,
             min(greatest(p_now, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3))) filter (where v.refusal is not null) as wake_at
      from (
        select lane_id, id, true as is_own, false as is_heir from verdict
        union all
        select other.lane_id, v.id, false, false from verdict v cross join lateral (select next.lane_id from (
      (
      select cs.lane_id from campaign_senders cs where cs.campaign_id = v.campaign_id and cs.lane_id > v.lane_id order by cs.lane_id limit (select case when own.type = 'email' and own.used < own.daily_limit then 16 end from campaigns own where own.id = v.campaign_id)) union all (
      select cs.lane_id from campaign_senders cs where cs.campaign_id = v.campaign_id and cs.lane_id < v.lane_id order by cs.lane_id limit (select case when own.type = 'email' and own.used < own.daily_limit then 16 end from campaigns own where own.id = v.campaign_id))) next limit (select case when own.type = 'email' and own.used < own.daily_limit then 16 end from campaigns own where own.id = v.campaign_id)) other
        where v.refusal is not null
        union all
        
  select l.alias_id, open_send.id, false, true from verdict open_send
  join campaign_leads l on l.id = open_send.campaign_lead_id and l.alias_id <> open_send.lane_id
      ) look
      join verdict v on v.id = look.id join sender_lanes lane on lane.id = look.lane_id join campaigns c on c.id = v.campaign_id
      where look.is_own or look.is_heir or ((v.is_new or c.type = 'mixed' or c.used >= c.daily_limit)
  and lane.open and (lane.next_slot_at is null or lane.next_slot_at > greatest(p_now, lane.closed_until, (lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds) + greatest(1, greatest(lane.min_interval_seconds, c.min_interval_seconds) * lane_jitter(lane.id, lane.slot_no))))::timestamptz(3))))
      group by look.lane_id
    ) x
    where lane.id = x.lane_id
  ), campaign_back as (
    update campaigns c set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from verdict where refusal is not null group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day
  )
  select w.id, case when v.id is not null then v.refusal when not exists (
    select 1 from sends own
    where own.id = any(v_begin) and own.id = w.id and own.state = 'transmitting' and own.worker_token = p_worker
      and own.message_id is not distinct from w.message_id) then 'lease_lost' end as refusal, null::jsonb as plan
  from wanted w left join verdict v on v.id = w.id;
    else
      return query select named, null::text, null::jsonb from unnest(v_begin) named;
    end if;
  end if;
end $$;
