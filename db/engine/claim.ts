import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { instantParam } from "../instants.ts";
import { instant, integer, rowReader, text } from "../rows.ts";
import type { ClaimedSend, ClaimOrder } from "./store.ts";
import { gapAfter, laneGap } from "./lanes.ts";

/**
 * The claim: one statement, one round trip. Its cost depends on the number of
 * lanes it takes, never on the number of leads.
 *
 * due      at most `limit` due lanes, earliest slot first; lanes that another
 *          claimer holds are skipped.
 * slot     those that may act: their day has room, and no rest keeps them.
 * pick     per lane the running campaign to serve: one with a follow-up of this
 *          sender before one with a new lead, then the least recently served.
 *          The campaign row is locked (or skipped), so its room is exact.
 * ranked   numbers the lanes of one campaign: FOR UPDATE SKIP LOCKED does not skip
 *          rows locked by the same statement, so two lanes would pick the same
 *          new lead; the n-th lane takes the n-th.
 * taken    leads leave the queue (`next_action_at` null = in flight).
 * ledger   the row that makes a second send of (lead, step) impossible.
 * Lanes that got a row advance; the others are parked until they can have work,
 * or idle lanes at the head of the index would starve everyone.
 */
export async function claimSends(db: Db, order: ClaimOrder): Promise<ClaimedSend[]> {
  const { rows } = await db.execute(claimStatement(order));
  return rows.map(readClaimed);
}

const readClaimed = rowReader({
  id: text,
  campaignId: text,
  campaignLeadId: text,
  laneId: text,
  step: integer,
  slotAt: instant,
  claims: integer,
});

/** Held leads are out of the probes' indexes; upkeep ends a hold whose time is over. */
const notHeld = sql`l.hold_reason is null`;

const followUp = (campaign: SQL) => sql`
  select l.id, false as is_new, l.next_action_at, l.row_index from campaign_leads l
  where l.campaign_id = ${campaign} and l.alias_id = slot.lane_id and l.status = 'active'
    and l.next_action_at <= slot.at and ${notHeld}
  order by l.next_action_at, l.row_index, l.id`;

const newLead = (campaign: SQL) => sql`
  select l.id, true as is_new, l.next_action_at, l.row_index from campaign_leads l
  where l.campaign_id = ${campaign} and l.status = 'pending' and l.next_action_at <= slot.at and ${notHeld}
  order by l.next_action_at, l.row_index, l.id`;

/** When the lane in that row may act again for campaign `c`. GREATEST passes over nulls. */
const gapFor = (row: "slot" | "due"): SQL => {
  const column = (name: string) => sql.raw(`${row}.${name}`);
  const interval = sql`greatest(c.min_interval_seconds, ${column("min_interval_seconds")})`;
  return gapAfter(column("last_slot_at"), interval, column("lane_id"), column("slot_no"));
};

const startsLeads = sql`(c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day))`;

export function claimStatement(order: ClaimOrder): SQL {
  const now = instantParam(order.now);
  return sql`
  with due as (
    select id as lane_id, workspace_id, greatest(next_slot_at, ${now}) as at, last_slot_at, slot_no, closed_until,
           min_interval_seconds, used < day_cap as has_room, day_from, day_until
    from sender_lanes
    where open and kind = 'email' and next_slot_at <= ${instantParam(order.until)}
    order by next_slot_at
    limit ${order.limit}
    for update skip locked
  ), slot as (
    select * from due
    where has_room and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), pick as (
    select slot.*, chosen.*
    from slot cross join lateral (
      select c.id as campaign_id, work.is_new, c.min_interval_seconds as campaign_interval,
             c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room,
             c.open_day, c.config_version
      from campaign_senders cs
      join campaigns c on c.id = cs.campaign_id
      cross join lateral (
        select * from (
          select * from (${followUp(sql`c.id`)} limit 1) f
          union all
          select * from (${newLead(sql`c.id`)} limit 1) n where ${startsLeads}
        ) either order by is_new limit 1
      ) work
      where cs.lane_id = slot.lane_id
        and c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit
        and (slot.last_slot_at is null or slot.at >= ${gapFor("slot")})
      order by work.is_new, cs.last_served_at nulls first, c.id
      limit 1
      for update of c skip locked
    ) chosen
  ), ranked as (
    select pick.*,
           row_number() over (partition by campaign_id order by is_new, at, lane_id) as place,
           row_number() over (partition by campaign_id, is_new order by at, lane_id) as place_of_kind
    from pick
  ), slotted as (
    select r.*, lead.id as campaign_lead_id
    from ranked r cross join lateral (select r.lane_id, r.at) slot cross join lateral (
      select id from (${followUp(sql`r.campaign_id`)} limit 1) f where not r.is_new
      union all
      select id from (${newLead(sql`r.campaign_id`)} offset r.place_of_kind - 1 limit 1) n where r.is_new
    ) lead
    where r.place <= r.room and (not r.is_new or r.new_room is null or r.place_of_kind <= r.new_room)
  ), taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = ${now}
    from slotted s
    where l.id = s.campaign_lead_id and l.next_action_at is not null and l.status in ('pending', 'active')
    returning l.id, l.next_step, l.email_key
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key,
                       config_version, slot_at, campaign_day, lane_day_until, is_new, claimed_at, lease_until,
                       worker_token, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select gen_random_uuid(), s.workspace_id, s.campaign_id, t.id, t.next_step, s.lane_id, 'claimed', t.email_key,
           s.config_version, s.at, s.open_day, s.day_until, s.is_new, ${now},
           s.at + make_interval(secs => ${order.leaseSeconds}), ${order.workerToken}::uuid, 1, 0, 0, 0, 0, 0, ${now}
    from slotted s join taken t on t.id = s.campaign_lead_id
    on conflict (campaign_lead_id, step) do update
    set state = 'claimed', is_new = excluded.is_new, lane_id = excluded.lane_id, slot_at = excluded.slot_at, campaign_day = excluded.campaign_day,
        lane_day_until = excluded.lane_day_until, claimed_at = excluded.claimed_at, lease_until = excluded.lease_until,
        worker_token = excluded.worker_token, claims = sends.claims + 1, config_version = excluded.config_version,
        updated_at = excluded.updated_at
    where sends.state in ('released', 'retry_wait')
    returning id, campaign_id, campaign_lead_id, lane_id, step, slot_at, claims
  ), advanced as (
    update sender_lanes lane
    set last_slot_at = s.at, slot_no = lane.slot_no + 1, used = lane.used + 1, updated_at = ${now},
        next_slot_at = s.at + ${laneGap(sql`greatest(s.campaign_interval, s.min_interval_seconds)`, sql`lane.id`, sql`(lane.slot_no + 1)`)}
    from slotted s join ledger on ledger.lane_id = s.lane_id
    where lane.id = s.lane_id
    returning lane.id
  ), counted as (
    update campaigns c
    set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select s.campaign_id, count(*) as actions, count(*) filter (where s.is_new) as new_leads
          from slotted s join ledger on ledger.lane_id = s.lane_id group by s.campaign_id) sums
    where c.id = sums.campaign_id
  ), served as (
    update campaign_senders cs set last_served_at = ledger.slot_at
    from ledger where cs.campaign_id = ledger.campaign_id and cs.lane_id = ledger.lane_id
  ), parked as (
    update sender_lanes lane
    set next_slot_at = wake.at, updated_at = ${now}
    from due left join lateral (${wakeOfLane(now)}) wake on true
    where lane.id = due.lane_id and not exists (select 1 from ledger where ledger.lane_id = due.lane_id)
  )
  select * from ledger order by slot_at, lane_id`;
}

/**
 * When a due lane that got nothing may next have something to do: null parks it
 * until a change wakes it. At least a second ahead, for a lane whose campaign
 * another claimer held.
 */
function wakeOfLane(now: SQL): SQL {
  return sql`
    select case
      when due.at < due.day_from then due.day_from
      when not due.has_room or due.at >= due.day_until then due.day_until
      else greatest(due.at + interval '1 second', ${now}, due.closed_until, min(
        case when c.used >= c.daily_limit then c.open_until
             else greatest(work.due_at, c.open_from, ${gapFor("due")}) end))
      end as at
    from campaign_senders cs
    join campaigns c on c.id = cs.campaign_id
    cross join lateral (
      select min(next_action_at) as due_at from (
        select * from (select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.alias_id = due.lane_id and l.status = 'active' and l.next_action_at is not null
            and ${notHeld}
          order by l.next_action_at limit 1) f
        union all
        select * from (select case when ${startsLeads} then l.next_action_at else greatest(l.next_action_at, c.open_until) end
          from campaign_leads l
          where c.status = 'active' and l.campaign_id = c.id and l.status = 'pending' and l.next_action_at is not null
            and ${notHeld}
          order by l.next_action_at limit 1) n
      ) both_kinds
    ) work
    where cs.lane_id = due.lane_id and c.status in ('active', 'draining') and c.deleted_at is null
      and work.due_at is not null
    having count(*) > 0 or not due.has_room or due.at < due.day_from or due.at >= due.day_until`;
}
