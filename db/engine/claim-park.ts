import { type SQL, sql } from "drizzle-orm";
import { budgetAt, budgetsOfKind, openBudgets } from "./budgets.ts";
import { notHeld, waitsFor, zones } from "./claim-probes.ts";
import { ownWalk, poolWalk, startsWalk } from "./claim-walks.ts";
import { dueSlot, gapAfter } from "./lane-slots.ts";
import { barredAt, barredUntil, notBarred } from "./operator-rates.ts";

/** When the lane in that row may act again for campaign `c`. GREATEST passes over nulls. */
export const gapFor = (row: "slot" | "due"): SQL => {
  const column = (name: string) => sql.raw(`${row}.${name}`);
  return gapAfter(column("last_slot_at"), intervalFor(row), column("lane_id"), column("slot_no"));
};
export const intervalFor = (row: "slot" | "due"): SQL =>
  sql`greatest(c.min_interval_seconds, ${sql.raw(row)}.min_interval_seconds)`;

export const startsLeads = sql`(c.status = 'active' and (c.max_new_leads_per_day is null or c.used_new < c.max_new_leads_per_day))`;

/** Whether the day of the lane in that row has something left for the first step of campaign `c`. */
export const startsWithin = (row: "slot" | "due"): SQL => {
  const column = (name: string) => sql.raw(`${row}.${name}`);
  return sql`case when ${column("kind")} = 'email' then true else ${budgetAt(sql`c.steps`, sql`0`)} = any(${column("budgets")}) end`;
};

/** The leads of a budget that is used up are due on the lane's next day. */
const whenOpen = sql`case when b.budget <> all(due.budgets) then due.day_until end`;

/**
 * Parks the lanes that got nothing, which are those whose slot is still the one with which they were locked; but not
 * one whose turn stands, while another transaction holds its campaign.
 */
export const parkStatement = (): SQL => sql`
    with recursive waiting as materialized (
      select lane.id as lane_id, lane.workspace_id, ${dueSlot(sql`p_now`)} as at, lane.last_slot_at, lane.slot_no, lane.closed_until,
             lane.kind, lane.min_interval_seconds, ${openBudgets} as budgets, lane.day_from, lane.day_until
      from unnest(v_lanes, v_slots) locked(lane_id, slot) join sender_lanes lane on lane.id = locked.lane_id and lane.next_slot_at = locked.slot
      where locked.lane_id <> all(v_busy)
    ), due as materialized (
      select waiting.*, ${barredAt(sql`waiting.lane_id`, sql`waiting.at`)} as barred, ${barredUntil(sql`waiting.lane_id`, sql`waiting.at`)} as barred_until from waiting
    ), looking as (
      select * from due where (${isOver}) is not true
    ), ${ownWalk(sql`looking`)}, ${poolWalk(sql`looking`)}, ${startsWalk(sql`looking`)}, candidate as (
      select lane_id, campaign_id from own
      union select lane_id, campaign_id from pool where is_own
      union select lane_id, campaign_id from starts where is_own
    ), work as (
      select due.lane_id, min(case when c.used >= c.daily_limit then c.open_until
                                   else greatest(work.due_at, c.open_from, ${gapFor("due")}) end) as at
      from candidate join due on due.lane_id = candidate.lane_id
      cross join lateral (
        select true from campaign_senders cs where cs.campaign_id = candidate.campaign_id and cs.lane_id = due.lane_id offset 0
      ) cs cross join lateral (select * from campaigns c where c.id = candidate.campaign_id offset 0) c
      cross join lateral (${firstWork()}) work
      where c.status in ('active', 'draining') and c.deleted_at is null and work.due_at is not null
      group by due.lane_id
    )
    update sender_lanes lane set updated_at = p_now,
           next_slot_at = case when due.at < due.day_from then due.day_from when ${isOver} then due.day_until
                               when work.lane_id is not null or due.barred is not null
                                 then greatest(due.at + interval '1 second', p_now, due.closed_until, least(work.at, due.barred_until)) end
    from due left join work on work.lane_id = due.lane_id
    where lane.id = due.lane_id`;

/** Whether the lane can do nothing more on its day, or nothing yet. */
const isOver = sql`(due.at < due.day_from or due.budgets = '{}' or due.at >= due.day_until)`;

/**
 * When the first lead of campaign `c` falls due that the lane may serve. A due lane that got nothing looks again when
 * there is one; null parks it until a change wakes it. At least a second ahead, or a claim that can give it
 * nothing would look at it again and again.
 */
function firstWork(): SQL {
  const free = notBarred(sql`due.barred`);
  return sql`
      select min(greatest(both_kinds.next_action_at, z.open_from)) as due_at from (${zones}) z cross join lateral (
        select * from (select l.next_action_at from campaign_leads l
          where due.kind = 'email' and l.campaign_id = c.id and l.zone = z.zone and l.alias_id = due.lane_id and l.status = 'active' and l.next_action_at is not null
            and ${notHeld} and ${free}
          order by l.next_action_at limit 1) f
        union all
        select greatest(f.next_action_at, ${whenOpen})
        from unnest(case when due.kind <> 'email' then ${budgetsOfKind(sql`due.kind`)} end) b(budget) cross join lateral (
          select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.zone = z.zone and ${waitsFor(sql`due.lane_id`, sql`b.budget`)} and l.next_action_at is not null and ${notHeld}
          order by l.next_action_at limit 1) f
        union all
        select greatest(p.next_action_at, ${whenOpen})
        from unnest(case when c.type = 'mixed' then ${budgetsOfKind(sql`due.kind`)} end) b(budget) cross join lateral (
          select l.next_action_at from campaign_leads l
          where l.campaign_id = c.id and l.zone = z.zone and l.next_channel = due.kind and l.next_budget = b.budget and l.alias_id is null and l.status = 'active'
            and l.next_action_at is not null and ${notHeld} and ${free}
          order by l.next_action_at limit 1) p
        union all
        select * from (select greatest(l.next_action_at, case when not ${startsLeads} then c.open_until end, case when not ${startsWithin("due")} then due.day_until end)
          from campaign_leads l
          where c.status = 'active' and c.first_channel = due.kind and l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and l.next_action_at is not null
            and ${notHeld} and ${free}
          order by l.next_action_at limit 1) n
      ) both_kinds`;
}
