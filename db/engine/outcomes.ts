import { type SQL, sql } from "drizzle-orm";
import { usableSender } from "../base/fragments/usable.ts";
import { lastSenderOn } from "./last-sender.ts";
import { renewal } from "../base/fragments/suppression-renewal.ts";
import { ERROR_KIND_OF } from "./store.ts";
import { usedAfterRefunds } from "./budgets.ts";
import { approvedEntry } from "./draft-hold.ts";
import { isAcceptanceHold, stillWaits } from "./step-hold.ts";
import { cutPairs } from "./operator-rates.ts";
import { earliestSlot, mayUse, slotGivenBack } from "./lane-slots.ts";
import { heirs } from "./lanes.ts";
import { otherSenders } from "./wake-few.ts";

/** A lane in trouble is closed 5 minutes, doubled with each failure in a row, 6 hours at most. */
const BREAKER_BASE = "5 minutes";
const BREAKER_CAP = "6 hours";

/** In the place of words that may quote a person who was erased while a server read the message to them. */
export const ERASED_WORDS = "What the server said is not kept: the person was erased.";

/** Of send `s`: its lead names nobody any more. Behind a lock of the send, for which an erasure waits, or is waited for. */
const isErased = sql`coalesce(
          (select l.email is null and l.profile_url is null from campaign_leads l where l.id = s.campaign_lead_id), s.email_key is null and s.budget = '')`;

/**
 * Records outcomes: ledger, lead, lane, campaign counters and suppression in
 * one statement. An outcome counts only if its send is still this worker's;
 * an acceptance also settles a send that the sweep had to call unknown. A lead
 * that ended meanwhile (reply, unsubscribe) stays ended: the ledger alone learns.
 */
export function outcomesStatement(): SQL {
  const at = sql`p_now`;
  return sql`
  with outcome as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o(
      id uuid, kind text, reason text, accepted_at timestamptz, next_step int, next_action_at timestamptz, next_channel text, scope text, suppress boolean, suppress_until timestamptz, refused boolean,
      attempt_spent boolean, lane text, skip boolean, message_id text, next_budget text, next_hold text, hold text, approved_at text, looked_up boolean, stop_reason text, slows boolean)
    where o.id <> all(v_overtaken)
  ), held as materialized (
    select s.id, s.state, s.worker_token from sends s where s.id = any(array(select outcome.id from outcome))
  ), settled as (
    update sends s
    set state = case o.kind when 'accepted' then 'accepted' when 'assumed' then 'assumed_sent' when 'confirmed' then 'accepted' when 'unknown' then 'unknown'
                            when 'rejected' then 'rejected' when 'retry' then 'retry_wait' when 'released' then 'released' when 'held' then 'released'
                            when 'render_failed' then case when o.skip then 'canceled' else 'failed' end
                            else 'failed' end,
        accepted_at = case o.kind when 'accepted' then o.accepted_at when 'assumed' then s.transmitting_at when 'confirmed' then s.transmitting_at else s.accepted_at end,
        message_id = coalesce(o.message_id, s.message_id),
        bounced_at = case when o.kind = 'rejected' and o.scope = 'recipient' then ${at} else s.bounced_at end,
        attempts = s.attempts - case when o.kind = 'retry' and not o.attempt_spent and s.state = 'transmitting' then 1 else 0 end,
        refusals = s.refusals + o.refused::int, refused_since = case when o.refused then coalesce(s.refused_since, ${at}) else s.refused_since end,
        claims = 0, alone = null,
        reason = case when ${isErased} then ${sql.raw(`'${ERASED_WORDS}'`)} else o.reason end, lease_until = null, updated_at = ${at}
    from outcome o join held h on h.id = o.id
    where s.id = h.id and (
      ((o.kind in ('assumed', 'confirmed') or o.looked_up) and h.state = 'unknown')
      or (h.worker_token = p_worker
          and (h.state in ('claimed', 'transmitting') or (h.state = 'unknown' and o.kind = 'accepted'))))
    returning s.id, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.lane_id, s.step, s.email_key, s.is_new,
              s.campaign_day, s.lane_day_until, s.budget, s.transmitting_at, o.slows, o.kind, s.reason, o.next_step, o.next_action_at, o.next_channel, o.next_budget, o.scope, o.suppress, o.suppress_until,
              o.lane, o.skip, o.stop_reason,
              h.state = 'claimed' as unbegun, o.kind in ('released', 'held', 'render_failed') or (o.kind = 'retry' and not o.attempt_spent) as refund,
              o.kind in ('released', 'held') or (o.kind = 'retry' and not o.attempt_spent) as untouched,
              o.next_hold, o.hold, o.approved_at,
              case when o.kind in ('released', 'held') then ${at} else o.next_action_at end as back_at
  ), lead as (
    update campaign_leads l
    set current_step = case when s.kind in ('accepted', 'assumed', 'confirmed') then greatest(l.current_step, s.step) else l.current_step end,
        status = case
          when l.status <> 'active' then l.status
          when s.kind in ('accepted', 'assumed', 'confirmed') and s.next_step is null then 'completed'
          when s.kind = 'rejected' and s.scope = 'recipient' then 'bounced'
          when s.kind in ('rejected', 'given_up') then 'failed'
          when s.kind = 'render_failed' then case when s.skip then 'skipped' else 'failed' end
          when s.untouched and s.is_new then 'pending'
          else l.status end,
        next_step = case
          when l.status <> 'active' then null
          when s.kind in ('accepted', 'assumed', 'confirmed') then s.next_step
          when s.kind in ('rejected', 'given_up', 'render_failed') then null
          else l.next_step end,
        next_action_at = case
          when l.status <> 'active' then null
          when s.kind in ('accepted', 'assumed', 'confirmed', 'retry') then s.next_action_at
          when s.kind in ('released', 'held') then ${at}
          else null end,
        hold_reason = ${holdAfter},
        alias_id = case when l.status <> 'active' then l.alias_id when s.next_channel is not null then known.lane_id
                        when s.untouched and (s.is_new or l.next_channel is not null) then null else l.alias_id end,
        next_channel = case when l.status <> 'active' or s.kind not in ('accepted', 'assumed', 'confirmed') then l.next_channel
                            when known.lane_id is null then s.next_channel end,
        next_budget = case when l.status = 'active' and s.kind in ('accepted', 'assumed', 'confirmed') then coalesce(s.next_budget, '') else l.next_budget end,
        stop_reason = case when l.status = 'active' and s.kind in ('rejected', 'given_up', 'render_failed') then s.stop_reason else l.stop_reason end,
        last_error = case when s.kind in ('rejected', 'retry', 'given_up', 'render_failed', 'unknown') then s.reason
                          when s.kind in ('accepted', 'assumed', 'confirmed') then null else l.last_error end,
        updated_at = ${at}
    from settled s left join lateral (${lastSenderOn(sql`s.next_channel`, sql`s.campaign_lead_id`)}) known on true
    where l.id = s.campaign_lead_id
  ), theirs as materialized (
    select c.id, c.type, c.used, c.daily_limit, c.min_interval_seconds from campaigns c where c.id = any(array(select settled.campaign_id from settled))
  ), looking as (
    select lane_id, id, true as is_own, false as is_heir from settled
    union all
    select other.lane_id, s.id, false, false from (${soonestBack(at)}) s cross join lateral (${otherSenders(sql`s`)}) other
    union all
    ${heirs(sql`settled`)}
  ), lane_change as (
    select look.lane_id, bool_or(look.is_own and s.kind = 'accepted') as healthy, bool_or(look.is_own and s.lane in ('limited', 'down', 'sealed')) as closes,
           bool_or(look.is_own and s.lane = 'broken') as breaks, bool_or(look.is_own and s.lane in ('down', 'sealed', 'broken')) as fails,
           case ${ERROR_KINDS} end as error_kind,
           bool_or(look.is_own and s.refund and s.unbegun) as gives_back, count(*) filter (where look.is_own and s.refund) as refunds,
           count(*) filter (where look.is_own and s.refund and s.budget = 'connection') as connection_refunds, ${spends("connections")}, ${spends("messages")},
           bool_or(look.is_own and s.lane = 'limited') as limits, max(s.lane_day_until) filter (where look.is_own) as day_until,
           bool_or(lane.open) as was_open, max(s.reason) filter (where look.is_own) as reason, ${wakeAt(at)}
    from looking look join settled s on s.id = look.id join sender_lanes lane on lane.id = look.lane_id join theirs c on c.id = s.campaign_id
    where look.is_own or look.is_heir or (${mayUse(sql`s`, at)}) group by look.lane_id
  ), lane as (
    update sender_lanes lane
    set last_slot_at = case when x.gives_back then lane.last_begun_at else lane.last_slot_at end,
        used = ${usedAfterRefunds.used}, connections_used = ${usedAfterRefunds.connectionsUsed},
        connection_cap = ${CAPS.connections}, day_cap = coalesce(${CAPS.connections}, 0) + ${CAPS.messages},
        failures = case when x.closes or x.breaks then lane.failures + 1 when x.healthy then 0 else lane.failures end,
        open = lane.open and not x.breaks,
        closed_since = case when x.breaks then coalesce(lane.closed_since, ${at}) else lane.closed_since end,
        closed_until = case when x.closes then greatest(lane.closed_until, ${at} + ${breakerDelay}) when x.healthy and lane.closed_until <= ${at} then null else lane.closed_until end,
        next_slot_at = case when not x.breaks then least(lane.next_slot_at, x.wake_at, case when x.gives_back then ${slotGivenBack(at)} end) end,
        updated_at = ${at}
    from lane_change x where lane.id = x.lane_id and ${learnsSomething(at)}
    returning lane.id, lane.day_until, lane.closed_until
  ), alias as (
    -- Of a sender that was closed meanwhile only that its account is wrong still counts.
    update mail_aliases a
    set status = case when x.breaks then 'error' when x.healthy and not x.closes then 'active' else a.status end,
        last_error = case when x.closes or x.breaks then x.reason else null end,
        last_error_kind = x.error_kind,
        updated_at = ${at}
    from lane_change x
    where a.id = x.lane_id and ${usableSender} and (x.was_open or x.breaks) and (x.closes or x.breaks or (x.healthy and a.last_error is not null))
  ), account as (
    update connected_accounts a
    set rate_limited_until = case when x.spends_connections or x.spends_messages then greatest(a.rate_limited_until, lane.day_until)
                                  when x.limits then greatest(a.rate_limited_until, lane.closed_until)
                                  when x.healthy and a.rate_limited_until <= ${at} then null else a.rate_limited_until end,
        status = case when x.breaks and a.status = 'connected' then 'disconnected' else a.status end,
        status_since = case when x.breaks and a.status = 'connected' then ${at} else a.status_since end,
        last_error = case when x.fails or x.closes or x.spends_connections or x.spends_messages then x.reason else a.last_error end,
        next_sync_at = case when x.fails then least(a.next_sync_at, ${at}) else a.next_sync_at end,
        updated_at = ${at}
    from lane_change x left join lane on lane.id = x.lane_id
    where a.id = x.lane_id and (x.fails or x.closes or x.spends_connections or x.spends_messages or (x.healthy and a.rate_limited_until <= ${at}))
  ), campaign as (
    update campaigns c
    set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from settled where refund group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day
  ), suppressed as (
    insert into suppressions (id, workspace_id, user_id, value, value_hash, kind, reason, source_campaign_id, expires_at, created_at, updated_at)
    select distinct on (s.workspace_id, s.email_key) gen_random_uuid(), s.workspace_id, w.owner_user_id, s.email_key,
           encode(sha256(convert_to(s.email_key, 'UTF8')), 'hex'), 'email', 'hard_bounce', s.campaign_id, s.suppress_until, ${at}, ${at}
    from settled s join workspaces w on w.id = s.workspace_id where s.suppress and s.email_key is not null
    on conflict (workspace_id, kind, value_hash) do update set ${renewal(at)}
  ), ${cutPairs(at, { settled: sql`settled`, isRefused: sql`s.slows` })}
  select count(*) into v_count from settled`;
}

/**
 * A lead is held from when a step becomes its next that needs an approved text or an accepted invitation, and again
 * when its text is stale. Approvals and acceptances that came meanwhile stand in the lead's own row, which is locked by
 * then.
 */
const holdAfter = sql`case
          when l.status <> 'active' or l.hold_reason is not null then l.hold_reason
          when s.kind in ('accepted', 'assumed', 'confirmed') and ${stillWaits(sql`s.next_hold`, sql`s.next_step`)} then s.next_hold
          when s.kind = 'held' and ${isAcceptanceHold(sql`s.hold`)} then case when l.connected_at is null then s.hold end
          when s.kind = 'held' and ${approvedEntry(sql`l.metadata`, sql`s.step`)} ->> 'approved_at' is not distinct from s.approved_at then s.hold
          else l.hold_reason end`;

/**
 * Of what comes back to a campaign and may be another sender's, the one that wakes the most lanes at the soonest: its
 * senders are looked at once, however much comes back. Only a mixed campaign has times that differ, and there any of
 * them may be any sender's; elsewhere a new lead comes before one that has its sender.
 */
const soonestBack = (at: SQL): SQL => sql`
      select distinct on (campaign_id) id, campaign_id, lane_id from settled where refund or next_channel is not null
      order by campaign_id, case when refund then ${at} else back_at end, is_new desc`;

/**
 * A lane that was parked, or closed to work that lay further ahead, looks again when its
 * lead's next step falls due, or at once when a place of its day came back.
 */
const wakeAt = (at: SQL): SQL =>
  sql`min(${earliestSlot(sql`case when s.refund then ${at} else s.back_at end`)}) filter (where s.refund or s.back_at is not null) as wake_at`;

/** Of several troubles the one that its owner has to mend. */
const ERROR_KINDS = sql.join(
  Object.entries(ERROR_KIND_OF).map(
    ([lane, kind]) =>
      sql`when bool_or(look.is_own and s.lane = ${sql.raw(`'${lane}'`)}) then ${sql.raw(`'${kind}'`)}`,
  ),
  sql` `,
);

/** Whether the provider said of a send that its budget is used up for the day that it was charged to. */
const spends = (part: "connections" | "messages"): SQL => sql`
  bool_or(look.is_own and s.lane = 'spent' and s.lane_day_until = lane.day_until
    and s.budget ${sql.raw(part === "connections" ? "=" : "<>")} 'connection') as ${sql.raw(`spends_${part}`)}`;

/** What a part of the day may be from then on: of one that is used up no more than was used, whatever the other has left. */
const CAPS = {
  connections: sql`case when x.spends_connections then least(lane.connection_cap, ${usedAfterRefunds.connectionsUsed}) else lane.connection_cap end`,
  messages: sql`case when x.spends_messages then least(lane.day_cap - coalesce(lane.connection_cap, 0), ${usedAfterRefunds.used} - ${usedAfterRefunds.connectionsUsed})
                     else lane.day_cap - coalesce(lane.connection_cap, 0) end`,
};

/** An acceptance mostly leaves its lane as it is, and a version of a row that says the same is still one to write. */
const learnsSomething = (at: SQL): SQL => sql`(
      x.closes or x.breaks or x.refunds > 0 or x.wake_at < coalesce(lane.next_slot_at, 'infinity')
      or (x.healthy and (lane.failures > 0 or lane.closed_until <= ${at})))`;

const breakerDelay = sql.raw(
  `least(interval '${BREAKER_CAP}', interval '${BREAKER_BASE}' * power(2, least(lane.failures, 12)))`,
);
