import { type SQL, sql } from "drizzle-orm";
import { gapFor, intervalFor, startsLeads } from "./claim-park.ts";
import { stillServes, turnOfLane } from "./claim-choice.ts";
import { notHeld } from "./claim-probes.ts";
import { bareGapAfter, dueSlot } from "./lane-slots.ts";

/** The follow-up of that lane which has been due for longest. */
const followUp = sql`
  select l.id from campaign_leads l
  where l.campaign_id = c.id and l.zone = '' and l.alias_id = slot.lane_id and l.status = 'active' and l.next_action_at <= slot.at and ${notHeld}
  order by l.next_action_at, l.row_index, l.id limit 1`;

const isNew = sql`l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and ${notHeld}`;

const newFrom = sql`select l.next_action_at from campaign_leads l where ${isNew} order by l.next_action_at limit 1`;

/**
 * Which lane gets which lead among email campaigns by one clock: twin of claim-choice.ts, with the same names, without
 * zones, pools and budgets. Most claims are of this kind, and the statement costs a third less.
 *
 * running  what the locked campaigns have.
 * pick     each lane with its campaign, and the follow-up (`lead_id`) or none, for a new lead. Whether there is one
 *          is asked beforehand only of a lane that would wait for its gap: it waits for nothing else.
 */
export const mailChoice: SQL = sql`
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, ${dueSlot(sql`p_now`)} as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, lane.used < lane.day_cap as has_room, lane.day_from, lane.day_until, ${turnOfLane} as campaign_id
    from sender_lanes lane where lane.id = any(v_turn_lanes)
  ), slot as (
    select * from due
    where campaign_id = any(v_campaigns) and has_room and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), running as materialized (
    select c.id, c.min_interval_seconds, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room, c.open_from, c.open_until,
           c.open_day, c.config_version,
           ${startsLeads} and c.first_channel = 'email' as starts
    from campaigns c
    where c.id = any(v_campaigns) and c.status in ('active', 'draining') and c.deleted_at is null and c.used < c.daily_limit
  ), pick as materialized (
    select slot.*, own.lead_id, c.room, c.new_room,
           c.open_day, c.config_version, own.gap_over,
           greatest(slot.at, p_now, ${bareGapAfter(sql`slot.last_begun_at`, intervalFor("slot"))}) as begins_at
    from slot join running c on c.id = slot.campaign_id
    cross join lateral (select (${followUp}) as lead_id, ${gapFor("slot")} as gap_over offset 0) own
    where slot.at >= c.open_from and slot.at < c.open_until and ${stillServes}
      and (own.lead_id is not null or (c.starts and (own.gap_over is null or own.gap_over <= slot.at or (${newFrom}) <= slot.at)))
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
      select l.id, l.next_action_at, l.row_index from campaign_leads l where ${isNew} and l.next_action_at <= c.at
      order by l.next_action_at, l.row_index, l.id limit c.wanted
    ) lead
    group by c.id
  ), slotted as materialized (
    select r.*, coalesce(r.lead_id, fresh.ids[r.place_of_kind]) as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id
    where r.place <= r.room
      and (not r.is_new or (fresh.due_at[r.place_of_kind] <= r.at and (r.new_room is null or r.place_of_kind <= r.new_room)))
  )`;
