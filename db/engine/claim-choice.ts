import { type SQL, sql } from "drizzle-orm";
import { openBudgets } from "./budgets.ts";
import {
  followUp,
  followUpOfBudget,
  NEW,
  newLead,
  openZones,
  OWN,
  POOL,
  pooled,
} from "./claim-probes.ts";
import { gapFor, intervalFor, startsLeads, startsWithin } from "./claim-park.ts";
import { bareGapAfter, dueSlot } from "./lane-slots.ts";
import { barredAt } from "./operator-rates.ts";

/** The campaign whose turn it is, of `lane`. */
export const turnOfLane = sql`v_turn_campaigns[array_position(v_turn_lanes, lane.id)]`;

/** The sender may have been taken off the campaign before that was locked. */
export const stillServes = sql`(select true from campaign_senders cs where cs.campaign_id = slot.campaign_id and cs.lane_id = slot.lane_id)`;

/**
 * Which lane gets which lead, for lanes of several channels, campaigns of mixed steps or windows by the leads' clocks.
 * Twin of claim-mail.ts, which leaves out what an ordinary email campaign has not.
 *
 * Lanes and the campaigns whose turn it is (claim-turns.ts) are locked, so what is read here stands.
 *
 * due      lanes, each with its campaign.
 * slot     the lanes that may act: their day has room, if only in one of its budgets, they do not rest, and no other
 *          transaction holds their campaign.
 * pick     what the campaign has for the lane. If the gap that this one wants is not over, the lane waits for it:
 *          another with a shorter gap would go first for ever.
 * ranked   numbers the lanes of one campaign; the n-th lane that wants a new lead
 *          takes the n-th of them, and so with those that any sender of a channel may
 *          take. Of lanes that find other zones open than the first, because a window
 *          opens or ends between their slots, or other budgets or barred operators, none does: the next round is theirs.
 */
export const choice: SQL = sql`
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, ${dueSlot(sql`p_now`)} as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, ${openBudgets} as budgets, lane.day_from, lane.day_until, ${turnOfLane} as campaign_id
    from sender_lanes lane where lane.id = any(v_turn_lanes)
  ), slot as (
    select due.*, ${barredAt(sql`due.lane_id`, sql`due.at`)} as barred from due
    where campaign_id = any(v_campaigns) and budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), pick as materialized (
    select slot.*, chosen.*
    from slot cross join lateral (
      select work.source, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room,
             c.open_day, c.config_version, work.lead_id, open.zones, ${gapFor("slot")} as gap_over,
             greatest(slot.at, p_now, ${bareGapAfter(sql`slot.last_begun_at`, intervalFor("slot"))}) as begins_at
      from campaigns c
      cross join lateral (${openZones}) open
      cross join lateral (
        select either.id as lead_id, either.source from (
          select * from (${followUp}) f where slot.kind = 'email'
          union all
          select * from (${followUpOfBudget}) f where slot.kind <> 'email'
          union all
          select * from (${pooled(sql`slot.kind`, sql`1`)}) p where c.type = 'mixed'
          union all
          select * from (${newLead(sql`1`)}) n where ${startsLeads} and c.first_channel = slot.kind and ${startsWithin("slot")}
        ) either order by either.source limit 1
      ) work
      where c.id = slot.campaign_id and ${stillServes}
        and c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit
    ) chosen
  ), ranked as materialized (
    select pick.*,
           row_number() over (partition by campaign_id order by source = ${NEW}, at, lane_id) as place,
           row_number() over alike as place_of_kind,
           zones = first_value(zones) over alike and barred is not distinct from first_value(barred) over alike and (source <> ${POOL} or budgets = first_value(budgets) over alike) as sees_the_same
    from pick where pick.gap_over is null or pick.gap_over <= pick.at
    window alike as (partition by campaign_id, source, kind order by at, lane_id)
  ), fresh as materialized (
    select c.id as campaign_id, c.source, c.kind, array_agg(lead.id order by lead.next_action_at, lead.row_index, lead.id) as ids,
           array_agg(lead.next_action_at order by lead.next_action_at, lead.row_index, lead.id) as due_at
    from (select ranked.campaign_id as id, ranked.source, ranked.kind, ranked.zones, case when ranked.source = ${POOL} then ranked.budgets end as budgets, ranked.barred,
                 max(ranked.at) as at, count(*) as wanted
          from ranked where ranked.source <> ${OWN} and ranked.sees_the_same group by 1, 2, 3, 4, 5, 6) c
    cross join lateral (select c.at, c.budgets, c.barred) slot
    cross join lateral (select c.zones) open
    cross join lateral (
      select * from (${newLead(sql`c.wanted`)}) n where c.source = ${NEW}
      union all
      select * from (${pooled(sql`c.kind`, sql`c.wanted`)}) p where c.source = ${POOL}
    ) lead
    group by c.id, c.source, c.kind
  ), slotted as materialized (
    select r.*, r.source = ${NEW} as is_new, case when r.source = ${OWN} then r.lead_id else fresh.ids[r.place_of_kind] end as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id and fresh.source = r.source and fresh.kind = r.kind
    where r.place <= r.room
      and (r.source = ${OWN} or (r.sees_the_same and fresh.due_at[r.place_of_kind] <= r.at))
      and (r.source <> ${NEW} or r.new_room is null or r.place_of_kind <= r.new_room)
  )`;
