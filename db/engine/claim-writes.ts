import { type SQL, sql } from "drizzle-orm";
import { notHeld } from "./claim-probes.ts";
import { laneGap } from "./lane-slots.ts";
import { newId } from "../base/new-id.ts";

/** A case, which fits no index condition: the plan finds the lead by its id and only then checks this. */
const isQueued = sql`case when l.next_action_at is null then false else l.status in ('pending', 'active') and ${notHeld} end`;

/**
 * What a claim writes, by either choice (claim-choice.ts, claim-mail.ts): behind CTEs `due` (the locked lanes), `pick`
 * (per lane the campaign whose turn it is, with `gap_over`, when its gap is) and `slotted` (which lane gets which lead).
 *
 * taken    leads leave the queue (`next_action_at` null = in flight).
 * ledger   the row that makes a second send of (lead, step) impossible.
 * served   a lane shared by campaigns notes which one it served, so that another gets the next turn. A campaign that
 *          joins a lane which served one campaign alone finds no note there, or an old one.
 * waiting  lanes whose chosen campaign wants a gap that is not over: the lane waits for it.
 */
export const takeAndNote: SQL = sql`
  taken as (
    update campaign_leads l
    set status = 'active', alias_id = s.lane_id, next_action_at = null, updated_at = p_now
    from slotted s
    where l.id = s.campaign_lead_id and ${isQueued}
    returning l.id as lead_id, l.next_step, l.next_budget, case when s.kind = 'email' then l.email_key end as email_key, s.workspace_id, s.campaign_id, s.lane_id,
              s.config_version, s.at, s.begins_at, s.open_day, s.day_until, s.is_new
  ), ledger as (
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key,
                       config_version, slot_at, campaign_day, lane_day_until, budget, is_new, claimed_at, lease_until,
                       worker_token, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select ${newId(sql`p_now`)}, t.workspace_id, t.campaign_id, t.lead_id, t.next_step, t.lane_id, 'claimed', t.email_key,
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
  from ledger join due on due.lane_id = ledger.lane_id`;
