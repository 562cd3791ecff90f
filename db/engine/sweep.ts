import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../base/instants.ts";
import { usedAfterRefunds } from "./budgets.ts";
import { stepPlan } from "./step-plan.ts";
import { type Judged, lanesConcerned, refundCampaigns } from "./given-back.ts";
import { earliestSlot } from "./lane-slots.ts";
import { kindArray } from "./lanes.ts";
import { wakeLanesFor } from "./wake-few.ts";
import type { LaneKind } from "../schema/index.ts";

const JUDGED: Judged = {
  rows: "swept",
  as: "s",
  gaveBack: (prefix) => `${prefix}state <> 'unknown'`,
};

/** A send whose worker died this often while handling it alone is held until a user looks at it. */
export const SUSPECT_ALONE = 2;

/**
 * Leases that ran out. A claimed send goes back untouched; one that was
 * transmitting may have been delivered, so it becomes unknown and is never
 * retried by itself. A send counts as suspect only if its worker had no other.
 */
export function sweepStatement(now: Date): SQL {
  const at = instantParam(now);
  return sql`
  with expired as (
    select id from sends where state in ('claimed', 'transmitting') and lease_until <= ${at}
    order by lease_until limit 500 for update skip locked
  ), swept as (
    update sends s
    set state = case when s.state = 'transmitting' then 'unknown' else 'released' end,
        reason = case when s.state = 'transmitting' then 'The worker stopped while this message was being handed over; it may have arrived.'
                      else 'The worker stopped before sending; put back.' end,
        lease_until = null, updated_at = ${at}
    from expired where s.id = expired.id
    returning s.id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.state, s.is_new, s.campaign_day, s.lane_day_until, s.budget, s.reason,
              s.state = 'released' and s.alone >= ${SUSPECT_ALONE} as is_suspect
  ), lead as (
    update campaign_leads l
    set status = case when s.state = 'released' and s.is_new then 'pending' else l.status end,
        hold_reason = case when s.is_suspect then 'suspect' else l.hold_reason end,
        hold_until = case when s.is_suspect then null else l.hold_until end,
        next_action_at = case when s.state = 'released' then ${at} else null end,
        alias_id = case when s.state = 'released' and (s.is_new or l.next_channel is not null) then null else l.alias_id end,
        last_error = case when s.state = 'released' then l.last_error else s.reason end,
        updated_at = ${at}
    from swept s where l.id = s.campaign_lead_id and l.status = 'active'
  ), lane as (
    update sender_lanes lane
    set used = ${usedAfterRefunds.used}, connections_used = ${usedAfterRefunds.connectionsUsed},
        next_slot_at = least(lane.next_slot_at, x.wake_at),
        updated_at = ${at}
    from (
      select look.lane_id, max(s.lane_day_until) filter (where look.is_own) as day_until,
             count(*) filter (where look.is_own and s.state <> 'unknown') as refunds,
             count(*) filter (where look.is_own and s.state <> 'unknown' and s.budget = 'connection') as connection_refunds,
             min(${earliestSlot(at)}) filter (where s.state <> 'unknown') as wake_at
      from ${lanesConcerned(JUDGED, at)}
    ) x
    where lane.id = x.lane_id
  ), campaign as (${refundCampaigns(JUDGED)}
  )
  select id, campaign_id, state from swept`;
}

/** Ends holds whose time is over: their leads are due again, and their lanes are woken. */
export function endHoldsStatement(now: Date): SQL {
  const at = instantParam(now);
  return sql`
  with due as (
    select id from campaign_leads where hold_until <= ${at} order by hold_until limit 500 for update skip locked
  ), ended as (
    update campaign_leads l set hold_reason = null, hold_until = null, updated_at = ${at}
    from due where l.id = due.id
    returning l.campaign_id, l.alias_id
  )
  ${wakeLanesFor(sql`ended`, at)}`;
}

/** Unknown sends of lanes of these kinds. */
export const unknownOfStatement = (kinds: readonly LaneKind[], limit: number): SQL => sql`
  select s.id, s.campaign_id, lane.kind, s.transmitting_at
  from sends s join sender_lanes lane on lane.id = s.lane_id and lane.kind = any(${kindArray(kinds)})
  where s.state = 'unknown' order by s.transmitting_at limit ${limit}`;

/** Since when a sign of an unknown send is waited for; of one that a restore made unknown, since that (restored.ts). */
export const unknownSince = sql`greatest(s.transmitting_at, s.claimed_at)`;

/** Unknown sends that began before `before`, with what is needed to plan the lead's next step. */
export function overdueUnknownStatement(before: Date): SQL {
  return sql`
  select s.id, s.campaign_id, s.step, s.transmitting_at, ${stepPlan(sql`s.step`)}
  from sends s join campaigns c on c.id = s.campaign_id join campaign_leads l on l.id = s.campaign_lead_id
  where s.state = 'unknown' and s.transmitting_at <= ${instantParam(before)} and ${unknownSince} <= ${instantParam(before)}
  order by s.transmitting_at limit 500`;
}
