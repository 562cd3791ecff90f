import { type SQL, sql } from "drizzle-orm";
import { openBudgets } from "./budgets.ts";
import { startsLeads, startsWithin } from "./claim-park.ts";
import { followUp, followUpOfBudget, newLead, notHeld, openZones, pooled } from "./claim-probes.ts";
import { ownWalk, poolWalk, startsNowWalk } from "./claim-walks.ts";
import { dueSlot } from "./lanes.ts";

/** Campaign `c` runs, is open at the slot, and its day has room. */
const isOpen = sql`c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit`;

/** It is not of email campaigns by one clock (claim-mail.ts). */
const isOther = sql`(c.type = 'mixed' or c.use_lead_timezone or slot.kind <> 'email') as is_other`;

/** The lanes of `v_left` that may act at their slots. */
const slots = sql`
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, ${dueSlot(sql`p_now`)} as at, lane.kind, ${openBudgets} as budgets,
           lane.day_from, lane.day_until, lane.closed_until
    from sender_lanes lane where lane.id = any(v_left)
  ), slot as materialized (
    select * from due
    where budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  )`;

/** So many campaigns of a lane are looked at in a further round, whatever its lanes are: it loses them all to others only if there is another round. */
export const LOOKED_AT = 12;

/** A lane that serves more than so many campaigns is looked at by walks, though all but one have ended. */
const FEW = sql.raw("4");

/**
 * Most lanes have one campaign that runs: it has the turn, if it has work or not, which the choice will show. A row for
 * each lane that may act, without a campaign where there are more, or none.
 */
export const onlyTurns: SQL = sql`
  with ${slots}
  select slot.lane_id, sole.campaign_id, sole.is_other
  from slot cross join lateral (
    select case when count(*) <= ${FEW} and count(*) filter (where c.runs) = 1 then (array_agg(c.id) filter (where c.runs))[1] end as campaign_id,
           bool_or(c.is_other) filter (where c.runs) as is_other
    from (select cs.campaign_id as id from campaign_senders cs where cs.lane_id = slot.lane_id limit ${FEW} + 1) cs
    cross join lateral (
      select c.id, c.status in ('active', 'draining') and c.deleted_at is null as runs, ${isOther} from campaigns c where c.id = cs.id offset 0
    ) c
  ) sole`;

/** How many leads of campaign `c` may be started, counted to `most`: where it goes by their clocks, of its open zones. */
const startable = (most: SQL): SQL => sql`case when c.use_lead_timezone
               then (select count(*) from (${openZones}) open cross join lateral (${newLead(most)}) n)
               else (select count(*) from (
                 select from campaign_leads l
                 where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at <= slot.at and ${notHeld} limit ${most}) n) end`;

/** Whether lane `w` may start a lead of campaign `c`, whose first one is known, and how many it may. */
const startsNow = sql`
      select ${isOther},
             case when v_depth > 1 then least(c.daily_limit - c.used, c.max_new_leads_per_day - c.used_new, ${startable(sql`v_depth`)}) end as room
      from (select w.lane_id, w.at, w.kind, w.budgets offset 0) slot
      where ${isOpen} and ${startsLeads} and c.first_channel = slot.kind and ${startsWithin("slot")}
        and case when c.use_lead_timezone then ${startable(sql`1`)} > 0 else place.next_action_at <= slot.at end`;

/** Of campaign `c` that leads wait in, for the lane or for any of its channel. */
const waiting = (candidates: SQL, probe: SQL) => sql`
    select slot.lane_id, slot.at, c.id as campaign_id, false as is_new, cs.last_served_at, ${isOther}, case when v_depth > 1 then c.daily_limit - c.used end as room
    from ${candidates} candidate join slot on slot.lane_id = candidate.lane_id
    cross join lateral (
      select cs.last_served_at from campaign_senders cs where cs.campaign_id = candidate.campaign_id and cs.lane_id = slot.lane_id offset 0
    ) cs cross join lateral (select * from campaigns c where c.id = candidate.campaign_id offset 0) c
    cross join lateral (${openZones}) open
    where ${isOpen} and ${probe}`;

/**
 * Whose turn it is: for each lane of `v_left` that may act, its first `v_depth` campaigns with due work, in the order
 * of its service: those with a follow-up of this sender (or one that any of its channel may take) before those with a
 * new lead, then the least recently served. `room`: so many of its lanes the campaign can serve; null of a first look
 * (`v_depth` 1), where all lanes ask at once and the choice tells. Locks nothing.
 *
 * own, pool, starts   where there may be work (claim-walks.ts).
 */
export const turns: SQL = sql`
  with recursive ${slots}, ${ownWalk(sql`slot`)}, ${poolWalk(sql`slot`)}, ${startsNowWalk(sql`slot`, startsNow, sql`v_depth`)}, turn as (
    select distinct on (lane_id, campaign_id) * from (
      ${waiting(sql`own`, sql`case when slot.kind = 'email' then exists (${followUp}) else exists (${followUpOfBudget}) end`)}
      union all
      ${waiting(sql`(select * from pool where is_own)`, sql`c.type = 'mixed' and exists (${pooled(sql`slot.kind`, sql`1`)})`)}
      union all
      select lane_id, at, campaign_id, true, last_served_at, is_other, room from starts where is_usable
    ) turn order by lane_id, campaign_id, is_new
  )
  select lane_id, campaign_id, is_other, room, place from (
    select turn.*, row_number() over (partition by lane_id order by is_new, last_served_at nulls first, campaign_id) as place from turn
  ) turn where place <= v_depth order by is_new, at, lane_id, place`;
