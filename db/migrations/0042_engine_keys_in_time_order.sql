drop function if exists engine_claim_5(timestamptz, timestamptz, int, int, uuid, text[]);
--> statement-breakpoint
create function engine_claim_7(p_now timestamptz, p_until timestamptz, p_limit int, p_lease_seconds int, p_worker uuid, p_kinds text[]) returns table (id uuid, campaign_id uuid, campaign_lead_id uuid, lane_id uuid, step int, slot_at timestamptz, begins_at timestamptz, claims int, kind text)
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
    select new_uuid(p_now, row_number() over ()), t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
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
    select new_uuid(p_now, row_number() over ()), t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
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
