import { type SQL, sql } from "drizzle-orm";
import { canTake } from "../campaigns/transitions.ts";
import { instantParam } from "../instants.ts";
import { instant, integer, type Row, rowReader, text, typed } from "../rows.ts";
import { call, type EngineFunction } from "./function-call.ts";
import type { LaneKind } from "../schema/index.ts";
import type { ClaimOrder } from "./store.ts";
import { openBudgets } from "./budgets.ts";
import {
  followUp,
  followUpOfBudget,
  NEW,
  newLead,
  notHeld,
  openZones,
  OWN,
  POOL,
  pooled,
} from "./claim-probes.ts";
import { gapFor, intervalFor, startsLeads, startsWithin, wakeOfLane } from "./claim-park.ts";
import { bareGapAfter, dueSlot, kindArray, laneGap } from "./lanes.ts";

/**
 * The claim. Its cost depends on the number of lanes it takes, never on the
 * number of leads. A function in the database (functions.ts), because each of its
 * statements sees what was committed before it began: first the locks, in one
 * order, then the choice. So nobody who waited for another claim chooses by what
 * was true before it.
 */
export const claimFunction: EngineFunction = {
  name: "engine_claim_3",
  parameters:
    "p_now timestamptz, p_until timestamptz, p_limit int, p_lease_seconds int, p_worker uuid, p_kinds text[]",
  returns:
    "table (id uuid, campaign_id uuid, campaign_lead_id uuid, lane_id uuid, step int, slot_at timestamptz, begins_at timestamptz, claims int, kind text)",
  declare: "v_lanes uuid[];",
  // Lanes once and campaigns once, each in its order: two claims never wait for each other.
  body: () => sql`
  select array_agg(l.id) into v_lanes from (${dueLanes()}) l;
  if v_lanes is null then
    return;
  end if;
  perform 1 from (${theirCampaigns()}) c;
  if exists (select 1 from sender_lanes lane where lane.id = any(v_lanes) and lane.kind <> 'email') then
    return query ${claimStatement(WITH_BUDGETS)};
  else
    return query ${claimStatement(MAIL_ALONE)};
  end if;
  if not found then
    return query select null::uuid, null::uuid, null::uuid, null::uuid, null::int, null::timestamptz, null::timestamptz, null::int, null::text;
  end if;`,
};

/** What a claim asks besides where a day may have parts. A claim of mail alone would pay 5 % of its time for it. */
interface BudgetParts {
  follow: SQL;
  starts: SQL;
  pools: SQL;
  seesTheSame: SQL;
}
const WITH_BUDGETS: BudgetParts = {
  follow: sql`select * from (${followUp}) f where slot.kind = 'email'
          union all
          select * from (${followUpOfBudget}) f where slot.kind <> 'email'`,
  starts: sql`and ${startsWithin("slot")}`,
  pools: sql`case when ranked.source = ${POOL} then ranked.budgets end`,
  seesTheSame: sql`and (source <> ${POOL} or budgets = first_value(budgets) over alike)`,
};
const MAIL_ALONE: BudgetParts = {
  follow: sql`select * from (${followUp}) f`,
  starts: sql``,
  pools: sql`'{""}'::text[]`,
  seesTheSame: sql``,
};

export const claimCall = (order: ClaimOrder, kinds: readonly LaneKind[]): SQL =>
  call(
    claimFunction,
    instantParam(order.now),
    instantParam(order.until),
    sql`${order.limit}::int`,
    sql`${order.leaseSeconds}::int`,
    sql`${order.workerToken}::uuid`,
    kindArray(kinds),
  );

/** At most `p_limit` due lanes, earliest slot first; a lane that another transaction holds is busy and is passed over. */
function dueLanes(): SQL {
  return sql`
    select lane.id from sender_lanes lane
    where lane.open and lane.kind = any(p_kinds) and lane.next_slot_at <= p_until
    order by lane.next_slot_at limit p_limit for update skip locked`;
}

/** Waits for whoever holds them, so that their room is exact and no lane goes without for another's sake. */
function theirCampaigns(): SQL {
  return sql`
    select c.id from campaigns c
    where c.id in (select cs.campaign_id from campaign_senders cs where cs.lane_id = any(v_lanes)) and c.${canTake("complete")} and c.deleted_at is null
    order by c.id for update`;
}

/** A single row without an id says that all lanes looked at were parked: those behind them are still to be asked. */
export const isOnlyParked = ([first]: Row[]): boolean => first?.["id"] === null;

export const readClaimed = rowReader({
  id: text,
  campaignId: text,
  campaignLeadId: text,
  laneId: text,
  step: integer,
  slotAt: instant,
  beginsAt: instant,
  claims: integer,
  kind: typed<LaneKind>(),
});

/**
 * due      the locked lanes.
 * slot     those that may act: their day has room, if only in one of its budgets, and no rest keeps them.
 * pick     per lane the running campaign to serve: one with a follow-up of this
 *          sender before one with a new lead, then the least recently served. If
 *          the gap that this one wants is not over, the lane waits for it: another
 *          with a shorter gap would go first for ever.
 * ranked   numbers the lanes of one campaign; the n-th lane that wants a new lead
 *          takes the n-th of them, and so with those that any sender of a channel may
 *          take. Of lanes that find other zones open than the first, because a window
 *          opens or ends between their slots, or other budgets, none does: the next claim is theirs.
 * taken    leads leave the queue (`next_action_at` null = in flight).
 * ledger   the row that makes a second send of (lead, step) impossible.
 * Lanes that got a row advance; the others are parked until they can have work,
 * or idle lanes at the head of the index would starve everyone.
 */
function claimStatement(parts: BudgetParts): SQL {
  return sql`
  with due as materialized (
    select lane.id as lane_id, lane.workspace_id, ${dueSlot(sql`p_now`)} as at, lane.last_slot_at, lane.last_begun_at, lane.slot_no, lane.closed_until,
           lane.kind, lane.min_interval_seconds, ${openBudgets} as budgets, lane.day_from, lane.day_until
    from sender_lanes lane where lane.id = any(v_lanes)
  ), slot as (
    select * from due
    where budgets <> '{}' and at >= day_from and at < day_until and (closed_until is null or closed_until <= at)
  ), pick as materialized (
    select slot.*, chosen.*
    from slot cross join lateral (
      select c.id as campaign_id, work.source, c.daily_limit - c.used as room, c.max_new_leads_per_day - c.used_new as new_room,
             c.open_day, c.config_version, work.lead_id, open.zones, ${gapFor("slot")} as gap_over,
             greatest(slot.at, p_now, ${bareGapAfter(sql`slot.last_begun_at`, intervalFor("slot"))}) as begins_at
      from campaign_senders cs
      join campaigns c on c.id = cs.campaign_id
      cross join lateral (${openZones}) open
      cross join lateral (
        select either.id as lead_id, either.source from (
          ${parts.follow}
          union all
          select * from (${pooled(sql`slot.kind`, sql`1`)}) p where c.type = 'mixed'
          union all
          select * from (${newLead(sql`1`)}) n where ${startsLeads} and c.first_channel = slot.kind ${parts.starts}
        ) either order by either.source limit 1
      ) work
      where cs.lane_id = slot.lane_id
        and c.status in ('active', 'draining') and c.deleted_at is null
        and slot.at >= c.open_from and slot.at < c.open_until and c.used < c.daily_limit
      order by work.source = ${NEW}, cs.last_served_at nulls first, c.id
      limit 1
    ) chosen
  ), ranked as materialized (
    select pick.*,
           row_number() over (partition by campaign_id order by source = ${NEW}, at, lane_id) as place,
           row_number() over alike as place_of_kind,
           zones = first_value(zones) over alike ${parts.seesTheSame} as sees_the_same
    from pick where pick.gap_over is null or pick.gap_over <= pick.at
    window alike as (partition by campaign_id, source, kind order by at, lane_id)
  ), fresh as materialized (
    select c.id as campaign_id, c.source, c.kind, array_agg(lead.id order by lead.next_action_at, lead.row_index, lead.id) as ids,
           array_agg(lead.next_action_at order by lead.next_action_at, lead.row_index, lead.id) as due_at
    from (select ranked.campaign_id as id, ranked.source, ranked.kind, ranked.zones, ${parts.pools} as budgets,
                 max(ranked.at) as at, count(*) as wanted
          from ranked where ranked.source <> ${OWN} and ranked.sees_the_same group by 1, 2, 3, 4, 5) c
    cross join lateral (select c.at, c.budgets) slot
    cross join lateral (select c.zones) open
    cross join lateral (
      select * from (${newLead(sql`c.wanted`)}) n where c.source = ${NEW}
      union all
      select * from (${pooled(sql`c.kind`, sql`c.wanted`)}) p where c.source = ${POOL}
    ) lead
    group by c.id, c.source, c.kind
  ), slotted as materialized (
    select r.*, case when r.source = ${OWN} then r.lead_id else fresh.ids[r.place_of_kind] end as campaign_lead_id
    from ranked r left join fresh on fresh.campaign_id = r.campaign_id and fresh.source = r.source and fresh.kind = r.kind
    where r.place <= r.room
      and (r.source = ${OWN} or (r.sees_the_same and fresh.due_at[r.place_of_kind] <= r.at))
      and (r.source <> ${NEW} or r.new_room is null or r.place_of_kind <= r.new_room)
  ), taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = p_now
    from slotted s
    where l.id = s.campaign_lead_id and l.next_action_at is not null and l.status in ('pending', 'active') and ${notHeld}
    returning l.id as lead_id, l.next_step, l.next_budget, case when s.kind = 'email' then l.email_key end as email_key, s.workspace_id, s.campaign_id, s.lane_id,
              s.config_version, s.at, s.begins_at, s.open_day, s.day_until, s.source = ${NEW} as is_new
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
        next_slot_at = ledger.slot_at + ${laneGap(sql`greatest(c.min_interval_seconds, lane.min_interval_seconds)`, sql`lane.id`, sql`(lane.slot_no + 1)`)}
    from ledger join campaigns c on c.id = ledger.campaign_id
    where lane.id = ledger.lane_id
  ), counted as (
    update campaigns c
    set used = c.used + sums.actions, used_new = c.used_new + sums.new_leads
    from (select ledger.campaign_id, count(*) as actions, count(*) filter (where ledger.is_new) as new_leads from ledger group by 1) sums
    where c.id = sums.campaign_id
  ), served as (
    update campaign_senders cs set last_served_at = ledger.slot_at
    from ledger where cs.campaign_id = ledger.campaign_id and cs.lane_id = ledger.lane_id
  ), parked as (
    update sender_lanes lane
    set next_slot_at = case when waiting.lane_id is null then wake.at else greatest(waiting.gap_over, due.at + interval '1 second') end, updated_at = p_now
    from due left join (select pick.lane_id, pick.gap_over from pick where pick.gap_over > pick.at) waiting on waiting.lane_id = due.lane_id
    left join lateral (${wakeOfLane()}) wake on true
    where lane.id = due.lane_id and due.lane_id not in (select ledger.lane_id from ledger)
  )
  select ledger.id, ledger.campaign_id, ledger.campaign_lead_id, ledger.lane_id, ledger.step, ledger.slot_at,
         ledger.lease_until - make_interval(secs => p_lease_seconds) as begins_at, ledger.claims, due.kind
  from ledger join due on due.lane_id = ledger.lane_id order by begins_at, ledger.slot_at, ledger.lane_id`;
}
