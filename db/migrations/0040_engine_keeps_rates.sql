drop function if exists engine_record_and_begin_9(timestamptz, uuid, jsonb, jsonb);
--> statement-breakpoint
create function engine_claim_6(p_now timestamptz, p_until timestamptz, p_limit int, p_lease_seconds int, p_worker uuid, p_kinds text[]) returns table (id uuid, campaign_id uuid, campaign_lead_id uuid, lane_id uuid, step int, slot_at timestamptz, begins_at timestamptz, claims int, kind text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare v_lanes uuid[]; v_slots timestamptz[]; v_left uuid[]; v_depth int := 1; v_turn record; v_asking uuid[]; v_turn_lanes uuid[]; v_turn_campaigns uuid[];
  v_campaigns uuid[]; v_busy uuid[] := '{}'; v_is_other boolean; v_holds boolean := false; v_count int; v_claimed int := 0;
  v_bar_lanes uuid[] := '{}'; v_bar_operators text[] := '{}'; v_bar_until timestamptz[] := '{}';
begin
  select array_agg(l.id), array_agg(l.next_slot_at) into v_lanes, v_slots from (
    select lane.id, lane.next_slot_at, lane.kind from sender_lanes lane
    where lane.open and lane.kind = any(p_kinds) and lane.next_slot_at <= p_until
      and lane.day_until > lane.next_slot_at and lane.day_until > p_now
    order by lane.next_slot_at limit p_limit for update skip locked) l;
  if v_lanes is null then
    return;
  end if;
  if exists (select from operator_rates r where r.full_at > p_now) then
    
    select coalesce(array_agg(a.id), '{}'), coalesce(array_agg(r.operator), '{}'), coalesce(array_agg(least(r.next_at, r.full_at)), '{}')
    into v_bar_lanes, v_bar_operators, v_bar_until
    from mail_aliases a join operator_rates r on r.domain_id = a.domain_id
    where a.id = any(v_lanes) and least(r.next_at, r.full_at) > p_now - interval '20 seconds';
  end if;
  v_left := v_lanes;
  for v_round in 1..p_limit + 2 loop
    v_asking := '{}'; v_turn_lanes := '{}'; v_turn_campaigns := '{}'; v_is_other := false;
    if v_round = 1 then
      select coalesce(array_agg(t.lane_id) filter (where t.campaign_id is not null), '{}'), coalesce(array_agg(t.campaign_id) filter (where t.campaign_id is not null), '{}'),
             coalesce(array_agg(t.lane_id) filter (where t.is_left), '{}'), coalesce(bool_or(t.is_other) filter (where t.campaign_id is not null), false)
      into v_turn_lanes, v_turn_campaigns, v_left, v_is_other from (
  with 
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.kind, 
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < coalesce(lane.connection_cap, 0) then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - coalesce(lane.connection_cap, 0) then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end as budgets,
           lane.day_from, lane.day_until, lane.closed_until
    from sender_lanes lane where lane.id = any(v_left)
  ), slot as materialized (
    select due.*, (select array_agg(bar.operator order by bar.operator) from unnest(v_bar_lanes, v_bar_operators, v_bar_until) bar(lane_id, operator, until) where bar.lane_id = due.lane_id and bar.until > due.at) as barred from due
    where budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), pair as materialized (
    select slot.lane_id, slot.at, slot.kind, slot.barred is not null as is_barred, cs.campaign_id, cs.last_served_at
    from slot cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs where cs.lane_id = slot.lane_id limit 64 + 1
    ) cs
  ), running as materialized (
    select c.id, c.type = 'mixed' or c.use_lead_timezone as is_other, c.open_from, c.open_until, c.used < c.daily_limit as has_room,
           (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) and c.first_channel = 'email' as starts
    from campaigns c
    where c.id = any(array(select distinct pair.campaign_id from pair)) and c.status in ('active', 'draining') and c.deleted_at is null
  ), lane as materialized (
    select pair.lane_id, count(*) > 64 as has_many, count(running.id) as n, (array_agg(running.id) filter (where running.id is not null))[1] as campaign_id,
           coalesce(bool_or(running.is_other), false) or pair.kind <> 'email' or pair.is_barred as is_other
    from pair left join running on running.id = pair.campaign_id group by pair.lane_id, pair.kind, pair.is_barred
  ), choosing as materialized (
    select pair.*, running.open_from, running.open_until, running.starts
    from lane join pair on pair.lane_id = lane.lane_id join running on running.id = pair.campaign_id
    where not lane.has_many and not lane.is_other and lane.n > 1 and running.has_room
  ), fresh as materialized (
    select c.id, (select l.next_action_at from campaign_leads l
                  where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and l.hold_reason is null
                  order by l.next_action_at limit 1) as due_at
    from (select distinct choosing.campaign_id as id from choosing where choosing.starts) c
  ), best as materialized (
    select distinct on (p.lane_id) p.lane_id, p.campaign_id
    from choosing p left join fresh on fresh.id = p.campaign_id
    cross join lateral (
      select (select true from campaign_leads l
              where l.campaign_id = p.campaign_id and l.zone = '' and l.alias_id = p.lane_id and l.status = 'active' and l.next_action_at <= p.at and l.hold_reason is null
              limit 1) as is_due offset 0
    ) own
    where p.at >= p.open_from and p.at < p.open_until and (own.is_due or fresh.due_at <= p.at)
    order by p.lane_id, own.is_due nulls last, p.last_served_at nulls first, p.campaign_id
  )
  select lane.lane_id, case when lane.n = 1 and not lane.has_many then lane.campaign_id else best.campaign_id end as campaign_id, lane.is_other,
         lane.has_many or (lane.n > 1 and lane.is_other) as is_left
  from lane left join best on best.lane_id = lane.lane_id) t;
      v_asking := v_turn_lanes;
    end if;
    if v_left <> '{}' then
      for v_turn in 
  with recursive 
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.kind, 
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < coalesce(lane.connection_cap, 0) then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - coalesce(lane.connection_cap, 0) then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end as budgets,
           lane.day_from, lane.day_until, lane.closed_until
    from sender_lanes lane where lane.id = any(v_left)
  ), slot as materialized (
    select due.*, (select array_agg(bar.operator order by bar.operator) from unnest(v_bar_lanes, v_bar_operators, v_bar_until) bar(lane_id, operator, until) where bar.lane_id = due.lane_id and bar.until > due.at) as barred from due
    where budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), own(lane_id, campaign_id) as (
    select s.lane_id, next.campaign_id from slot s cross join lateral (
    select l.campaign_id from campaign_leads l
    where l.alias_id = s.lane_id and true and l.status = 'active' and l.next_action_at is not null and l.hold_reason is null
    order by l.campaign_id limit 1) next
    union all
    select w.lane_id, next.campaign_id from own w
    cross join lateral (
    select l.campaign_id from campaign_leads l
    where l.alias_id = w.lane_id and l.campaign_id > w.campaign_id and l.status = 'active' and l.next_action_at is not null and l.hold_reason is null
    order by l.campaign_id limit 1) next
  ), pool(lane_id, campaign_id, is_own) as (
    select s.lane_id, '00000000-0000-0000-0000-000000000000'::uuid, false from slot s
    union all
    select w.lane_id, place.campaign_id, mine.is_own
    from pool w cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where cs.lane_id = w.lane_id and cs.campaign_id > w.campaign_id order by cs.campaign_id limit 1
    ) served cross join lateral (
      select l.campaign_id, l.next_action_at from campaign_leads l
      where l.alias_id is null and l.status = 'active' and l.next_action_at is not null and l.campaign_id >= served.campaign_id and l.hold_reason is null order by l.campaign_id limit 1
    ) place left join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where place.campaign_id <> served.campaign_id and cs.campaign_id = place.campaign_id and cs.lane_id = w.lane_id offset 0
    ) other on place.campaign_id <> served.campaign_id
    cross join lateral (select place.campaign_id = served.campaign_id or other.campaign_id is not null as is_own,
      case when place.campaign_id = served.campaign_id then served.last_served_at else other.last_served_at end as last_served_at offset 0) mine
  ), starts(lane_id, workspace_id, at, kind, budgets, barred, campaign_id, found, is_usable, last_served_at, is_other, room) as (
    select s.lane_id, s.workspace_id, s.at, s.kind, s.budgets, s.barred, '00000000-0000-0000-0000-000000000000'::uuid, 0, false, null::timestamptz, false, 0::bigint from slot s
    union all
    select w.lane_id, w.workspace_id, w.at, w.kind, w.budgets, w.barred, place.campaign_id, w.found + (now.is_other is not null and mine.last_served_at is null)::int,
           now.is_other is not null, mine.last_served_at, now.is_other, now.room
    from starts w cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where cs.lane_id = w.lane_id and cs.campaign_id > w.campaign_id order by cs.campaign_id limit 1
    ) served cross join lateral (
      select l.campaign_id, l.next_action_at from campaign_leads l
      where l.workspace_id = w.workspace_id and l.status = 'pending' and l.campaign_id >= served.campaign_id and l.hold_reason is null order by l.campaign_id, l.zone, l.next_action_at, l.row_index limit 1
    ) place left join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where place.campaign_id <> served.campaign_id and cs.campaign_id = place.campaign_id and cs.lane_id = w.lane_id offset 0
    ) other on place.campaign_id <> served.campaign_id
    cross join lateral (select place.campaign_id = served.campaign_id or other.campaign_id is not null as is_own,
      case when place.campaign_id = served.campaign_id then served.last_served_at else other.last_served_at end as last_served_at offset 0) mine
    left join lateral (
      select now.* from (select * from campaigns c where mine.is_own and c.id = place.campaign_id offset 0) c cross join lateral (
      select (c.type = 'mixed' or c.use_lead_timezone or slot.kind <> 'email' or slot.barred is not null) as is_other,
             case when v_depth > 1 then least(c.daily_limit - c.used, c.max_new_leads_per_day - c.used_new, case when c.use_lead_timezone
               then (select count(*) from (
  select array_agg(z.zone order by z.zone) as zones from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z
  where slot.at >= z.open_from and slot.at < z.open_until) open cross join lateral (
  select first.id, 2 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit v_depth
  ) first
  order by first.next_action_at, first.row_index, first.id limit v_depth) n)
               else (select count(*) from (
                 select from campaign_leads l
                 where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at <= slot.at and l.hold_reason is null and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) limit v_depth) n) end) end as room
      from (select w.lane_id, w.at, w.kind, w.budgets, w.barred offset 0) slot
      where c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit and (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) and c.first_channel = slot.kind and case when slot.kind = 'email' then true else 
  case c.steps -> 0 ->> 'action_type' when 'connection_request' then 'connection'
       when 'message' then 'message' when 'profile_view' then 'message' else '' end = any(slot.budgets) end
        and case when c.use_lead_timezone or slot.barred is not null then case when c.use_lead_timezone
               then (select count(*) from (
  select array_agg(z.zone order by z.zone) as zones from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z
  where slot.at >= z.open_from and slot.at < z.open_until) open cross join lateral (
  select first.id, 2 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) n)
               else (select count(*) from (
                 select from campaign_leads l
                 where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at <= slot.at and l.hold_reason is null and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) limit 1) n) end > 0 else place.next_action_at <= slot.at end) now
    ) now on true
    where w.found < v_depth
  ), turn as (
    select distinct on (lane_id, campaign_id) * from (
      
    select slot.lane_id, slot.at, c.id as campaign_id, false as is_new, cs.last_served_at, (c.type = 'mixed' or c.use_lead_timezone or slot.kind <> 'email' or slot.barred is not null) as is_other, case when v_depth > 1 then c.daily_limit - c.used end as room
    from own candidate join slot on slot.lane_id = candidate.lane_id
    cross join lateral (
      select cs.last_served_at from campaign_senders cs where cs.campaign_id = candidate.campaign_id and cs.lane_id = slot.lane_id offset 0
    ) cs cross join lateral (select * from campaigns c where c.id = candidate.campaign_id offset 0) c
    cross join lateral (
  select array_agg(z.zone order by z.zone) as zones from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z
  where slot.at >= z.open_from and slot.at < z.open_until) open
    where c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit and case when slot.kind = 'email' then exists (
  select first.id, 0 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = slot.lane_id and l.status = 'active' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) else exists (
  select first.id, 0 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = slot.lane_id and l.next_budget = b.budget and l.next_budget <> '' and l.status <> 'pending' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) end
      union all
      
    select slot.lane_id, slot.at, c.id as campaign_id, false as is_new, cs.last_served_at, (c.type = 'mixed' or c.use_lead_timezone or slot.kind <> 'email' or slot.barred is not null) as is_other, case when v_depth > 1 then c.daily_limit - c.used end as room
    from (select * from pool where is_own) candidate join slot on slot.lane_id = candidate.lane_id
    cross join lateral (
      select cs.last_served_at from campaign_senders cs where cs.campaign_id = candidate.campaign_id and cs.lane_id = slot.lane_id offset 0
    ) cs cross join lateral (select * from campaigns c where c.id = candidate.campaign_id offset 0) c
    cross join lateral (
  select array_agg(z.zone order by z.zone) as zones from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z
  where slot.at >= z.open_from and slot.at < z.open_until) open
    where c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit and c.type = 'mixed' and exists (
  select first.id, 1 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = slot.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1)
      union all
      select lane_id, at, campaign_id, true, last_served_at, is_other, room from starts where is_usable
    ) turn order by lane_id, campaign_id, is_new
  )
  select lane_id, campaign_id, is_other, room, place from (
    select turn.*, row_number() over (partition by lane_id order by is_new, last_served_at nulls first, campaign_id) as place from turn
  ) turn where place <= v_depth order by is_new, at, lane_id, place loop
        if v_turn.place = 1 then
          v_asking := v_asking || v_turn.lane_id;
        end if;
        continue when v_turn.lane_id = any(v_turn_lanes) or cardinality(array_positions(v_turn_campaigns, v_turn.campaign_id)) >= v_turn.room;
        v_turn_lanes := v_turn_lanes || v_turn.lane_id;
        v_turn_campaigns := v_turn_campaigns || v_turn.campaign_id;
        v_is_other := v_is_other or v_turn.is_other;
      end loop;
    end if;
    exit when v_turn_lanes = '{}';
    v_campaigns := array(
    select c.id from campaigns c where c.id = any(v_turn_campaigns) order by c.id for update skip locked);
    if v_campaigns = '{}' and not v_holds then
      perform from campaigns c where c.id = v_turn_campaigns[1] for update;
      v_holds := true;
      v_left := v_asking;
      continue;
    end if;
    v_holds := true;
    v_busy := v_busy || array(select turn.lane_id from unnest(v_turn_lanes, v_turn_campaigns) turn(lane_id, campaign_id) where turn.campaign_id <> all(v_campaigns));
    if v_is_other then
      return query with 
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, 
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < coalesce(lane.connection_cap, 0) then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - coalesce(lane.connection_cap, 0) then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end as budgets, lane.day_from, lane.day_until, v_turn_campaigns[array_position(v_turn_lanes, lane.id)] as campaign_id
    from sender_lanes lane where lane.id = any(v_turn_lanes)
  ), slot as (
    select due.*, (select array_agg(bar.operator order by bar.operator) from unnest(v_bar_lanes, v_bar_operators, v_bar_until) bar(lane_id, operator, until) where bar.lane_id = due.lane_id and bar.until > due.at) as barred from due
    where campaign_id = any(v_campaigns) and budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), pick as materialized (
    select slot.*, chosen.*
    from slot cross join lateral (
      select work.source, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room,
             c.open_day, c.config_version, work.lead_id, open.zones, (slot.last_slot_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, slot.min_interval_seconds) * lane_jitter(slot.lane_id, slot.slot_no))))::timestamptz(3) as gap_over,
             greatest(slot.at, p_now, slot.last_begun_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds))) as begins_at
      from campaigns c
      cross join lateral (
  select array_agg(z.zone order by z.zone) as zones from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z
  where slot.at >= z.open_from and slot.at < z.open_until) open
      cross join lateral (
        select either.id as lead_id, either.source from (
          select * from (
  select first.id, 0 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = slot.lane_id and l.status = 'active' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) f where slot.kind = 'email'
          union all
          select * from (
  select first.id, 0 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = slot.lane_id and l.next_budget = b.budget and l.next_budget <> '' and l.status <> 'pending' and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) f where slot.kind <> 'email'
          union all
          select * from (
  select first.id, 1 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = slot.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) p where c.type = 'mixed'
          union all
          select * from (
  select first.id, 2 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit 1
  ) first
  order by first.next_action_at, first.row_index, first.id limit 1) n where (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) and c.first_channel = slot.kind and case when slot.kind = 'email' then true else 
  case c.steps -> 0 ->> 'action_type' when 'connection_request' then 'connection'
       when 'message' then 'message' when 'profile_view' then 'message' else '' end = any(slot.budgets) end
        ) either order by either.source limit 1
      ) work
      where c.id = slot.campaign_id and (select true from campaign_senders cs where cs.campaign_id = slot.campaign_id and cs.lane_id = slot.lane_id)
        and c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit
    ) chosen
  ), ranked as materialized (
    select pick.*,
           row_number() over (partition by campaign_id order by source = 2, at, lane_id) as place,
           row_number() over alike as place_of_kind,
           zones = first_value(zones) over alike and barred is not distinct from first_value(barred) over alike and (source <> 1 or budgets = first_value(budgets) over alike) as sees_the_same
    from pick where pick.gap_over is null or pick.gap_over <= pick.at
    window alike as (partition by campaign_id, source, kind order by at, lane_id)
  ), fresh as materialized (
    select c.id as campaign_id, c.source, c.kind, array_agg(lead.id order by lead.next_action_at, lead.row_index, lead.id) as ids,
           array_agg(lead.next_action_at order by lead.next_action_at, lead.row_index, lead.id) as due_at
    from (select ranked.campaign_id as id, ranked.source, ranked.kind, ranked.zones, case when ranked.source = 1 then ranked.budgets end as budgets, ranked.barred,
                 max(ranked.at) as at, count(*) as wanted
          from ranked where ranked.source <> 0 and ranked.sees_the_same group by 1, 2, 3, 4, 5, 6) c
    cross join lateral (select c.at, c.budgets, c.barred) slot
    cross join lateral (select c.zones) open
    cross join lateral (
      select * from (
  select first.id, 2 as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit c.wanted
  ) first
  order by first.next_action_at, first.row_index, first.id limit c.wanted) n where c.source = 2
      union all
      select * from (
  select first.id, 1 as source, first.next_action_at, first.row_index
  from unnest(slot.budgets) b(budget) cross join unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = c.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active' and (slot.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(slot.barred)) and l.next_action_at <= slot.at and l.hold_reason is null
    order by l.next_action_at, l.row_index, l.id limit c.wanted
  ) first
  order by first.next_action_at, first.row_index, first.id limit c.wanted) p where c.source = 1
    ) lead
    group by c.id, c.source, c.kind
  ), slotted as materialized (
    select r.*, r.source = 2 as is_new, case when r.source = 0 then r.lead_id else fresh.ids[r.place_of_kind] end as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id and fresh.source = r.source and fresh.kind = r.kind
    where r.place <= r.room
      and (r.source = 0 or (r.sees_the_same and fresh.due_at[r.place_of_kind] <= r.at))
      and (r.source <> 2 or r.new_room is null or r.place_of_kind <= r.new_room)
  ), 
  taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = p_now
    from slotted s
    where l.id = s.campaign_lead_id and case when l.next_action_at is null then false else l.status in ('pending', 'active') and l.hold_reason is null end
    returning l.id as lead_id, l.next_step, l.next_budget, case when s.kind = 'email' then l.email_key end as email_key, s.workspace_id, s.campaign_id, s.lane_id,
              s.config_version, s.at, s.begins_at, s.open_day, s.day_until, s.is_new
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key,
                       config_version, slot_at, campaign_day, lane_day_until, budget, is_new, claimed_at, lease_until,
                       worker_token, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select gen_random_uuid(), t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
           t.config_version, t.at, t.open_day, t.day_until, t.next_budget, t.is_new, p_now,
           t.begins_at + make_interval(secs => p_lease_seconds), p_worker, 1, 0, 0, 0, 0, 0, p_now
    from taken t
    on conflict (campaign_lead_id, step) do update
    set state = 'claimed', is_new = excluded.is_new, lane_id = excluded.lane_id, slot_at = excluded.slot_at, campaign_day = excluded.campaign_day,
        lane_day_until = excluded.lane_day_until, budget = excluded.budget, claimed_at = excluded.claimed_at, lease_until = excluded.lease_until,
        worker_token = excluded.worker_token, claims = sends.claims + 1, config_version = excluded.config_version,
        updated_at = excluded.updated_at
    where sends.state in ('released', 'retry_wait')
    returning sends.id, sends.campaign_id, sends.campaign_lead_id, sends.lane_id, sends.step, sends.slot_at, sends.lease_until, sends.claims, sends.budget, sends.is_new
  ), advanced as (
    update sender_lanes lane
    set last_slot_at = ledger.slot_at, slot_no = lane.slot_no + 1, used = lane.used + 1,
        connections_used = lane.connections_used + (ledger.budget = 'connection')::int, updated_at = p_now,
        next_slot_at = ledger.slot_at + make_interval(secs => greatest(c.min_interval_seconds, lane.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, lane.min_interval_seconds) * lane_jitter(lane.id, (lane.slot_no + 1))))
    from ledger join campaigns c on c.id = ledger.campaign_id
    where lane.id = ledger.lane_id
  ), counted as (
    update campaigns c
    set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select ledger.campaign_id, count(*) as actions, count(*) filter (where ledger.is_new) as new_leads from ledger group by 1) sums
    where c.id = sums.campaign_id
  ), shared as materialized (
    select ledger.campaign_id, ledger.lane_id, ledger.slot_at from ledger
    where (select true from campaign_senders other cross join lateral (select c.status, c.deleted_at from campaigns c where c.id = other.campaign_id offset 0) c
           where other.lane_id = ledger.lane_id and other.campaign_id <> ledger.campaign_id and c.status <> 'completed' and c.deleted_at is null limit 1)
  ), served as (
    update campaign_senders cs set last_served_at = shared.slot_at
    from shared where cs.campaign_id = shared.campaign_id and cs.lane_id = shared.lane_id
  ), waiting as (
    update sender_lanes lane set next_slot_at = greatest(pick.gap_over, pick.at + interval '1 second'), updated_at = p_now
    from pick where lane.id = pick.lane_id and pick.gap_over > pick.at
  )
  select ledger.id, ledger.campaign_id, ledger.campaign_lead_id, ledger.lane_id, ledger.step, ledger.slot_at,
         ledger.lease_until - make_interval(secs => p_lease_seconds) as begins_at, ledger.claims, due.kind
  from ledger join due on due.lane_id = ledger.lane_id;
    else
      return query with 
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, lane.used < lane.day_cap as has_room, lane.day_from, lane.day_until, v_turn_campaigns[array_position(v_turn_lanes, lane.id)] as campaign_id
    from sender_lanes lane where lane.id = any(v_turn_lanes)
  ), slot as (
    select * from due
    where campaign_id = any(v_campaigns) and has_room and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), running as materialized (
    select c.id, c.min_interval_seconds, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room, c.open_from, c.open_until,
           c.open_day, c.config_version,
           (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) and c.first_channel = 'email' as starts
    from campaigns c
    where c.id = any(v_campaigns) and c.status in ('active', 'draining') and c.deleted_at is null and c.used < c.daily_limit
  ), pick as materialized (
    select slot.*, own.lead_id, c.room, c.new_room,
           c.open_day, c.config_version, own.gap_over,
           greatest(slot.at, p_now, slot.last_begun_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds))) as begins_at
    from slot join running c on c.id = slot.campaign_id
    cross join lateral (select (
  select l.id from campaign_leads l
  where l.campaign_id = c.id and l.zone = '' and l.alias_id = slot.lane_id and l.status = 'active' and l.next_action_at <= slot.at and l.hold_reason is null
  order by l.next_action_at, l.row_index, l.id limit 1) as lead_id, (slot.last_slot_at + make_interval(secs => greatest(c.min_interval_seconds, slot.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, slot.min_interval_seconds) * lane_jitter(slot.lane_id, slot.slot_no))))::timestamptz(3) as gap_over offset 0) own
    where slot.at >= c.open_from and slot.at < c.open_until and (select true from campaign_senders cs where cs.campaign_id = slot.campaign_id and cs.lane_id = slot.lane_id)
      and (own.lead_id is not null or (c.starts and (own.gap_over is null or own.gap_over <= slot.at or (select l.next_action_at from campaign_leads l where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and l.hold_reason is null order by l.next_action_at limit 1) <= slot.at)))
  ), ranked as materialized (
    select pick.*, lead_id is null as is_new,
           row_number() over (partition by campaign_id order by lead_id is null, at, lane_id) as place,
           row_number() over (partition by campaign_id, lead_id is null order by at, lane_id) as place_of_kind
    from pick where pick.gap_over is null or pick.gap_over <= pick.at
  ), fresh as materialized (
    select c.id as campaign_id, array_agg(lead.id order by lead.next_action_at, lead.row_index, lead.id) as ids,
           array_agg(lead.next_action_at order by lead.next_action_at, lead.row_index, lead.id) as due_at
    from (select ranked.campaign_id as id, max(ranked.at) as at, count(*) as wanted from ranked where ranked.is_new group by 1) c
    cross join lateral (
      select l.id, l.next_action_at, l.row_index from campaign_leads l where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and l.hold_reason is null and l.next_action_at <= c.at
      order by l.next_action_at, l.row_index, l.id limit c.wanted
    ) lead
    group by c.id
  ), slotted as materialized (
    select r.*, coalesce(r.lead_id, fresh.ids[r.place_of_kind]) as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id
    where r.place <= r.room
      and (not r.is_new or (fresh.due_at[r.place_of_kind] <= r.at and (r.new_room is null or r.place_of_kind <= r.new_room)))
  ), 
  taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = p_now
    from slotted s
    where l.id = s.campaign_lead_id and case when l.next_action_at is null then false else l.status in ('pending', 'active') and l.hold_reason is null end
    returning l.id as lead_id, l.next_step, l.next_budget, case when s.kind = 'email' then l.email_key end as email_key, s.workspace_id, s.campaign_id, s.lane_id,
              s.config_version, s.at, s.begins_at, s.open_day, s.day_until, s.is_new
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key,
                       config_version, slot_at, campaign_day, lane_day_until, budget, is_new, claimed_at, lease_until,
                       worker_token, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select gen_random_uuid(), t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
           t.config_version, t.at, t.open_day, t.day_until, t.next_budget, t.is_new, p_now,
           t.begins_at + make_interval(secs => p_lease_seconds), p_worker, 1, 0, 0, 0, 0, 0, p_now
    from taken t
    on conflict (campaign_lead_id, step) do update
    set state = 'claimed', is_new = excluded.is_new, lane_id = excluded.lane_id, slot_at = excluded.slot_at, campaign_day = excluded.campaign_day,
        lane_day_until = excluded.lane_day_until, budget = excluded.budget, claimed_at = excluded.claimed_at, lease_until = excluded.lease_until,
        worker_token = excluded.worker_token, claims = sends.claims + 1, config_version = excluded.config_version,
        updated_at = excluded.updated_at
    where sends.state in ('released', 'retry_wait')
    returning sends.id, sends.campaign_id, sends.campaign_lead_id, sends.lane_id, sends.step, sends.slot_at, sends.lease_until, sends.claims, sends.budget, sends.is_new
  ), advanced as (
    update sender_lanes lane
    set last_slot_at = ledger.slot_at, slot_no = lane.slot_no + 1, used = lane.used + 1,
        connections_used = lane.connections_used + (ledger.budget = 'connection')::int, updated_at = p_now,
        next_slot_at = ledger.slot_at + make_interval(secs => greatest(c.min_interval_seconds, lane.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, lane.min_interval_seconds) * lane_jitter(lane.id, (lane.slot_no + 1))))
    from ledger join campaigns c on c.id = ledger.campaign_id
    where lane.id = ledger.lane_id
  ), counted as (
    update campaigns c
    set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select ledger.campaign_id, count(*) as actions, count(*) filter (where ledger.is_new) as new_leads from ledger group by 1) sums
    where c.id = sums.campaign_id
  ), shared as materialized (
    select ledger.campaign_id, ledger.lane_id, ledger.slot_at from ledger
    where (select true from campaign_senders other cross join lateral (select c.status, c.deleted_at from campaigns c where c.id = other.campaign_id offset 0) c
           where other.lane_id = ledger.lane_id and other.campaign_id <> ledger.campaign_id and c.status <> 'completed' and c.deleted_at is null limit 1)
  ), served as (
    update campaign_senders cs set last_served_at = shared.slot_at
    from shared where cs.campaign_id = shared.campaign_id and cs.lane_id = shared.lane_id
  ), waiting as (
    update sender_lanes lane set next_slot_at = greatest(pick.gap_over, pick.at + interval '1 second'), updated_at = p_now
    from pick where lane.id = pick.lane_id and pick.gap_over > pick.at
  )
  select ledger.id, ledger.campaign_id, ledger.campaign_lead_id, ledger.lane_id, ledger.step, ledger.slot_at,
         ledger.lease_until - make_interval(secs => p_lease_seconds) as begins_at, ledger.claims, due.kind
  from ledger join due on due.lane_id = ledger.lane_id;
    end if;
    get diagnostics v_count = row_count;
    v_claimed := v_claimed + v_count;
    exit when v_count = cardinality(v_asking);
    v_left := array(
      select lane.id from unnest(v_lanes, v_slots) locked(lane_id, slot) join sender_lanes lane on lane.id = locked.lane_id and lane.next_slot_at = locked.slot
      where locked.lane_id = any(v_asking) and locked.lane_id <> all(v_busy));
    exit when v_left = '{}';
    v_depth := least(cardinality(v_left), 12);
  end loop;
  if v_claimed + cardinality(v_busy) < cardinality(v_lanes) then
    
    with recursive waiting as materialized (
      select lane.id as lane_id, lane.workspace_id, case when lane.next_slot_at > p_now - interval '20 seconds' then lane.next_slot_at else p_now end as at, lane.last_slot_at, lane.slot_no, lane.closed_until,
             lane.kind, lane.min_interval_seconds, 
  case when lane.kind <> 'email' then array_remove(array[
         case when lane.connections_used < coalesce(lane.connection_cap, 0) then 'connection' end,
         case when lane.used - lane.connections_used < lane.day_cap - coalesce(lane.connection_cap, 0) then 'message' end], null)
       when lane.used < lane.day_cap then '{""}'::text[] else '{}'::text[] end as budgets, lane.day_from, lane.day_until
      from unnest(v_lanes, v_slots) locked(lane_id, slot) join sender_lanes lane on lane.id = locked.lane_id and lane.next_slot_at = locked.slot
      where locked.lane_id <> all(v_busy)
    ), due as materialized (
      select waiting.*, (select array_agg(bar.operator order by bar.operator) from unnest(v_bar_lanes, v_bar_operators, v_bar_until) bar(lane_id, operator, until) where bar.lane_id = waiting.lane_id and bar.until > waiting.at) as barred, (select min(bar.until) from unnest(v_bar_lanes, v_bar_operators, v_bar_until) bar(lane_id, operator, until) where bar.lane_id = waiting.lane_id and bar.until > waiting.at) as barred_until from waiting
    ), looking as (
      select * from due where ((due.at < due.day_from or due.budgets = '{}' or due.at >= due.day_until)) is not true
    ), own(lane_id, campaign_id) as (
    select s.lane_id, next.campaign_id from looking s cross join lateral (
    select l.campaign_id from campaign_leads l
    where l.alias_id = s.lane_id and true and l.status = 'active' and l.next_action_at is not null and l.hold_reason is null
    order by l.campaign_id limit 1) next
    union all
    select w.lane_id, next.campaign_id from own w
    cross join lateral (
    select l.campaign_id from campaign_leads l
    where l.alias_id = w.lane_id and l.campaign_id > w.campaign_id and l.status = 'active' and l.next_action_at is not null and l.hold_reason is null
    order by l.campaign_id limit 1) next
  ), pool(lane_id, campaign_id, is_own) as (
    select s.lane_id, '00000000-0000-0000-0000-000000000000'::uuid, false from looking s
    union all
    select w.lane_id, place.campaign_id, mine.is_own
    from pool w cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where cs.lane_id = w.lane_id and cs.campaign_id > w.campaign_id order by cs.campaign_id limit 1
    ) served cross join lateral (
      select l.campaign_id, l.next_action_at from campaign_leads l
      where l.alias_id is null and l.status = 'active' and l.next_action_at is not null and l.campaign_id >= served.campaign_id and l.hold_reason is null order by l.campaign_id limit 1
    ) place left join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where place.campaign_id <> served.campaign_id and cs.campaign_id = place.campaign_id and cs.lane_id = w.lane_id offset 0
    ) other on place.campaign_id <> served.campaign_id
    cross join lateral (select place.campaign_id = served.campaign_id or other.campaign_id is not null as is_own,
      case when place.campaign_id = served.campaign_id then served.last_served_at else other.last_served_at end as last_served_at offset 0) mine
  ), starts(lane_id, workspace_id, campaign_id, is_own) as (
    select s.lane_id, s.workspace_id, '00000000-0000-0000-0000-000000000000'::uuid, false from looking s
    union all
    select w.lane_id, w.workspace_id, place.campaign_id, mine.is_own
    from starts w cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where cs.lane_id = w.lane_id and cs.campaign_id > w.campaign_id order by cs.campaign_id limit 1
    ) served cross join lateral (
      select l.campaign_id, l.next_action_at from campaign_leads l
      where l.workspace_id = w.workspace_id and l.status = 'pending' and l.campaign_id >= served.campaign_id and l.hold_reason is null order by l.campaign_id limit 1
    ) place left join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where place.campaign_id <> served.campaign_id and cs.campaign_id = place.campaign_id and cs.lane_id = w.lane_id offset 0
    ) other on place.campaign_id <> served.campaign_id
    cross join lateral (select place.campaign_id = served.campaign_id or other.campaign_id is not null as is_own,
      case when place.campaign_id = served.campaign_id then served.last_served_at else other.last_served_at end as last_served_at offset 0) mine
  ), candidate as (
      select lane_id, campaign_id from own
      union select lane_id, campaign_id from pool where is_own
      union select lane_id, campaign_id from starts where is_own
    ), work as (
      select due.lane_id, min(case when c.used >= c.daily_limit then c.open_until
                                   else greatest(work.due_at, c.open_from, (due.last_slot_at + make_interval(secs => greatest(c.min_interval_seconds, due.min_interval_seconds) + greatest(1, greatest(c.min_interval_seconds, due.min_interval_seconds) * lane_jitter(due.lane_id, due.slot_no))))::timestamptz(3)) end) as at
      from candidate join due on due.lane_id = candidate.lane_id
      cross join lateral (
        select true from campaign_senders cs where cs.campaign_id = candidate.campaign_id and cs.lane_id = due.lane_id offset 0
      ) cs cross join lateral (select * from campaigns c where c.id = candidate.campaign_id offset 0) c
      cross join lateral (
      select min(greatest(both_kinds.next_action_at, z.open_from)) as due_at from (
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id) z cross join lateral (
        select * from (select l.next_action_at from campaign_leads l
          where due.kind = 'email' and l.campaign_id = c.id and l.zone = z.zone and l.alias_id = due.lane_id and l.status = 'active' and l.next_action_at is not null
            and l.hold_reason is null and (due.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(due.barred))
          order by l.next_action_at limit 1) f
        union all
        select greatest(f.next_action_at, case when b.budget <> all(due.budgets) then due.day_until end)
        from unnest(case when due.kind <> 'email' then case when due.kind = 'email' then '{""}'::text[] else '{connection,message}'::text[] end end) b(budget) cross join lateral (
          select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.zone = z.zone and l.alias_id = due.lane_id and l.next_budget = b.budget and l.next_budget <> '' and l.status <> 'pending' and l.next_action_at is not null and l.hold_reason is null
          order by l.next_action_at limit 1) f
        union all
        select greatest(p.next_action_at, case when b.budget <> all(due.budgets) then due.day_until end)
        from unnest(case when c.type = 'mixed' then case when due.kind = 'email' then '{""}'::text[] else '{connection,message}'::text[] end end) b(budget) cross join lateral (
          select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = due.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active'
            and l.next_action_at is not null and l.hold_reason is null and (due.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(due.barred))
          order by l.next_action_at limit 1) p
        union all
        select * from (select greatest(l.next_action_at, case when not (c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day)) then c.open_until end, case when not case when due.kind = 'email' then true else 
  case c.steps -> 0 ->> 'action_type' when 'connection_request' then 'connection'
       when 'message' then 'message' when 'profile_view' then 'message' else '' end = any(due.budgets) end then due.day_until end)
          from campaign_leads l
          where c.status = 'active' and c.first_channel = due.kind and l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and l.next_action_at is not null
            and l.hold_reason is null and (due.barred is null or coalesce(
      (select d.operator from recipient_domains d where d.domain = split_part(l.email_key, '@', 2)), split_part(l.email_key, '@', 2), '') <> all(due.barred))
          order by l.next_action_at limit 1) n
      ) both_kinds) work
      where c.status in ('active', 'draining') and c.deleted_at is null and work.due_at is not null
      group by due.lane_id
    )
    update sender_lanes lane set updated_at = p_now,
           next_slot_at = case when due.at < due.day_from then due.day_from when (due.at < due.day_from or due.budgets = '{}' or due.at >= due.day_until) then due.day_until
                               when work.lane_id is not null or due.barred is not null
                                 then greatest(due.at + interval '1 second', p_now, due.closed_until, least(work.at, due.barred_until)) end
    from due left join work on work.lane_id = due.lane_id
    where lane.id = due.lane_id;
  end if;
  if v_claimed = 0 then
    return query select null::uuid, null::uuid, null::uuid, null::uuid, null::int, null::timestamptz, null::timestamptz, null::int, null::text;
  end if;
end $$;
--> statement-breakpoint
create function engine_record_and_begin_11(p_now timestamptz, p_worker uuid, p_outcomes jsonb, p_begin jsonb) returns table (id uuid, refusal text, plan jsonb)
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
    select s.workspace_id, s.email_key from sends s
    where s.id = any(v_begin) and s.email_key is not null
  ), workspace as materialized (
    select pg_advisory_xact_lock_shared(k) from (
      select distinct hashtextextended(workspace_id::text || ':suppressions', 0) as k from mine order by k
    ) keys
  ), address as materialized (
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended(workspace_id::text || email_key, 0) as k from mine order by k
    ) keys, (select count(*) from workspace) first
  )
  select count(*) into v_count from address;
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
    select s.id, s.state, s.worker_token, s.lane_id, s.campaign_id, s.campaign_lead_id, s.step from sends s where s.id = any(v_ended) for update of s
  ), lane as materialized (
    select lane.id, lane.next_slot_at from sender_lanes lane
    where lane.id = any(array(select held.lane_id from held)) and lane.failures = 0 and (lane.closed_until > p_now) is not false
      and (select a.last_error from mail_aliases a where a.id = lane.id) is null
      and (select a.rate_limited_until <= p_now from connected_accounts a where a.id = lane.id) is not true
  ), plain as materialized (
    select h.id, h.campaign_lead_id, h.step, o.reason, o.accepted_at, o.message_id, o.next_step, o.next_action_at, o.next_budget, o.next_hold
    from outcome o join held h on h.id = o.id join lane on lane.id = h.lane_id
    where o.kind = 'accepted' and o.next_channel is null
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
    select s.id, s.state, s.worker_token from sends s where s.id = any(array(select outcome.id from outcome)) for update of s
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
        reason = o.reason, lease_until = null, updated_at = p_now
    from outcome o join held h on h.id = o.id
    where s.id = h.id and (
      ((o.kind in ('assumed', 'confirmed') or o.looked_up) and h.state = 'unknown')
      or (h.worker_token = p_worker
          and (h.state in ('claimed', 'transmitting') or (h.state = 'unknown' and o.kind = 'accepted'))))
    returning s.id, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.step, s.email_key, s.is_new,
              s.campaign_day, s.lane_day_until, s.budget, s.transmitting_at, o.slows, o.kind, o.reason, o.next_step, o.next_action_at, o.next_channel, o.next_budget, o.scope, o.suppress, o.suppress_until,
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
  join campaign_senders cs on cs.campaign_id = s.campaign_id and cs.lane_id = before.lane_id
  where s.next_channel is not null and before.campaign_lead_id = s.campaign_lead_id and lane.kind = s.next_channel
  order by before.step desc limit 1) known on true
    where l.id = s.campaign_lead_id
  ), looking as (
    select lane_id, id, true as is_own, false as is_heir from settled
    union all
    select cs.lane_id, s.id, false, false from settled s join campaign_senders cs on cs.campaign_id = s.campaign_id and cs.lane_id <> s.lane_id
    where s.refund or s.next_channel is not null
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
    from looking look join settled s on s.id = look.id join sender_lanes lane on lane.id = look.lane_id join campaigns c on c.id = s.campaign_id
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
      when suppressions.expires_at <= p_now or (excluded.reason = 'manual' and (suppressions.expires_at <= p_now or array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], excluded.reason) >= array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], suppressions.reason))) then excluded.expires_at
      when excluded.reason = 'manual' then suppressions.expires_at
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
    left join lateral (select coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(m.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(m.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now))) as reason) sup on true
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
    left join lateral (select coalesce((
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'email' and x.value_hash = encode(sha256(convert_to(m.email_key, 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now)), (
    select x.reason from suppressions x
    where x.workspace_id = m.workspace_id and x.kind = 'domain' and x.value_hash = encode(sha256(convert_to(substring(m.email_key from '[^@]*$'), 'UTF8')), 'hex')
      and (x.expires_at is null or x.expires_at > p_now))) as reason) sup on true
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
        select cs.lane_id, v.id, false, false from verdict v join campaign_senders cs on cs.campaign_id = v.campaign_id and cs.lane_id <> v.lane_id
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
