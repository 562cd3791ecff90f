import { type SQL, sql } from "drizzle-orm";
import { openBudgets } from "./budgets.ts";
import { startsLeads, startsWithin } from "./claim-park.ts";
import { followUp, followUpOfBudget, newLead, notHeld, openZones, pooled } from "./claim-probes.ts";
import { ownWalk, poolWalk, startsNowWalk } from "./claim-walks.ts";
import { dueSlot } from "./lane-slots.ts";
import { barredAt, notBarred } from "./operator-rates.ts";

/** Campaign `c` runs, is open at the slot, and its day has room. */
const isOpen = sql`c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit`;

/** It is not of email campaigns by one clock (claim-mail.ts). */
const isOther = sql`(c.type = 'mixed' or c.use_lead_timezone or slot.kind <> 'email' or slot.barred is not null) as is_other`;

/** The lanes of `v_left` that may act at their slots. */
const slots = sql`
  due as materialized (
    select lane.id as lane_id, lane.workspace_id, ${dueSlot(sql`p_now`)} as at, lane.kind, ${openBudgets} as budgets,
           lane.day_from, lane.day_until, lane.closed_until
    from sender_lanes lane where lane.id = any(v_left)
  ), slot as materialized (
    select due.*, ${barredAt(sql`due.lane_id`, sql`due.at`)} as barred from due
    where budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  )`;

/** So many campaigns of a lane are looked at in a further round, whatever its lanes are: it loses them all to others only if there is another round. */
export const LOOKED_AT = 12;

/** A lane that serves more than so many campaigns is looked at by walks, though most of them may have ended. */
const FEW = sql.raw("64");

/**
 * The same of a first look, for lanes of few email campaigns by one clock, as most are: set by set, which costs less
 * than walks do. A lane of which one campaign runs has it, if there is work or not, which the choice will show. A row
 * for each lane that may act: with its campaign, with null where none has work, or for walks to find (`is_left`).
 *
 * pair     each lane with each of its campaigns, as far as these are few.
 * running  those of them that run, each once.
 * lane     of each lane how many run, one of them, and whether another kind is among them.
 * fresh    from when there are new leads, for lanes that have the choice.
 */
export const firstTurns: SQL = sql`
  with ${slots}, pair as materialized (
    select slot.lane_id, slot.at, slot.kind, slot.barred is not null as is_barred, cs.campaign_id, cs.last_served_at
    from slot cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs where cs.lane_id = slot.lane_id limit ${FEW} + 1
    ) cs
  ), running as materialized (
    select c.id, c.type = 'mixed' or c.use_lead_timezone as is_other, c.open_from, c.open_until, c.used < c.daily_limit as has_room,
           ${startsLeads} and c.first_channel = 'email' as starts
    from campaigns c
    where c.id = any(array(select distinct pair.campaign_id from pair)) and c.status in ('active', 'draining') and c.deleted_at is null
  ), lane as materialized (
    select pair.lane_id, count(*) > ${FEW} as has_many, count(running.id) as n, (array_agg(running.id) filter (where running.id is not null))[1] as campaign_id,
           coalesce(bool_or(running.is_other), false) or pair.kind <> 'email' or pair.is_barred as is_other
    from pair left join running on running.id = pair.campaign_id group by pair.lane_id, pair.kind, pair.is_barred
  ), choosing as materialized (
    select pair.*, running.open_from, running.open_until, running.starts
    from lane join pair on pair.lane_id = lane.lane_id join running on running.id = pair.campaign_id
    where not lane.has_many and not lane.is_other and lane.n > 1 and running.has_room
  ), fresh as materialized (
    select c.id, (select l.next_action_at from campaign_leads l
                  where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at is not null and ${notHeld}
                  order by l.next_action_at limit 1) as due_at
    from (select distinct choosing.campaign_id as id from choosing where choosing.starts) c
  ), best as materialized (
    select distinct on (p.lane_id) p.lane_id, p.campaign_id
    from choosing p left join fresh on fresh.id = p.campaign_id
    cross join lateral (
      select (select true from campaign_leads l
              where l.campaign_id = p.campaign_id and l.zone = '' and l.alias_id = p.lane_id and l.status = 'active' and l.next_action_at <= p.at and ${notHeld}
              limit 1) as is_due offset 0
    ) own
    where p.at >= p.open_from and p.at < p.open_until and (own.is_due or fresh.due_at <= p.at)
    order by p.lane_id, own.is_due nulls last, p.last_served_at nulls first, p.campaign_id
  )
  select lane.lane_id, case when lane.n = 1 and not lane.has_many then lane.campaign_id else best.campaign_id end as campaign_id, lane.is_other,
         lane.has_many or (lane.n > 1 and lane.is_other) as is_left
  from lane left join best on best.lane_id = lane.lane_id`;

/** How many leads of campaign `c` may be started, counted to `most`: where it goes by their clocks, of its open zones. */
const startable = (most: SQL): SQL => sql`case when c.use_lead_timezone
               then (select count(*) from (${openZones}) open cross join lateral (${newLead(most)}) n)
               else (select count(*) from (
                 select from campaign_leads l
                 where l.campaign_id = c.id and l.zone = '' and l.status = 'pending' and l.next_action_at <= slot.at and ${notHeld} and ${notBarred(sql`slot.barred`)} limit ${most}) n) end`;

/** Whether lane `w` may start a lead of campaign `c`, whose first one is known, and how many it may. */
const startsNow = sql`
      select ${isOther},
             case when v_depth > 1 then least(c.daily_limit - c.used, c.max_new_leads_per_day - c.used_new, ${startable(sql`v_depth`)}) end as room
      from (select w.lane_id, w.at, w.kind, w.budgets, w.barred offset 0) slot
      where ${isOpen} and ${startsLeads} and c.first_channel = slot.kind and ${startsWithin("slot")}
        and case when c.use_lead_timezone or slot.barred is not null then ${startable(sql`1`)} > 0 else place.next_action_at <= slot.at end`;

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
