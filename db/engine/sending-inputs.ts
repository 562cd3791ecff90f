import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { suppressionReason } from "../base/fragments/suppression-reason.ts";
import { instantParam } from "../base/instants.ts";
import type { Row } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import type { CampaignRow } from "../schema/index.ts";
import { addressGuardOf } from "./address-guard.ts";
import { domainQuotasOf } from "./index.ts";
import { operatorOfKey, rateAt } from "./operator-rates.ts";
import { accountColumns } from "./rollover.ts";
import {
  type LeadSendInputs,
  type QueueInputs,
  readLead,
  readQueue,
  readSender,
  readSlowPair,
  readZone,
  type SenderInputs,
  type SlowPair,
  type ZoneInputs,
} from "./sending-rows.ts";

export type * from "./sending-rows.ts";

export interface SendingInputs {
  workspaceTimezone: string;
  senders: SenderInputs[];
  queue: QueueInputs;
  /** Of a campaign that goes by its leads' clocks: their zones. */
  zones: ZoneInputs[];
  slowPairs: SlowPair[];
  /** Undefined when not asked for, or not of this campaign. */
  lead: LeadSendInputs | undefined;
}

const ENDED = sql.raw(
  "('completed', 'canceled', 'accepted', 'assumed_sent', 'rejected', 'failed')",
);

/** Everything that decides whether a campaign sends now, in one round trip. `leadId` may be a lead's or a campaign lead's id. */
export async function loadSendingInputs(
  db: Db,
  campaign: Pick<CampaignRow, "id" | "workspaceId">,
  leadId: string | undefined,
  now: Date,
): Promise<SendingInputs> {
  const at = instantParam(now);
  const [workspace, senders, queues, zones, slow, lead] = await commit(db, [
    ...statementsOf(db, campaign.workspaceId, [campaign.id], at),
    db.execute(sql`
      select l.*, ${operatorOfKey(sql`l.email_key`)} as operator, open.state, open.kind, open.step, open.reason, open.slot_at, 
             case l.next_budget when '' then ${suppressionReason(sql`l.workspace_id`, sql`l.email_key`, at)}
               else ${suppressionReason(sql`l.workspace_id`, sql`l.email_key`, at, "network")} end as suppression, recent.until as guarded_until,
             (select max(s.accepted_at) from sends s join campaigns c on c.id = s.campaign_id
              where s.campaign_lead_id = l.id and s.state in ('accepted', 'assumed_sent')
                and c.steps -> (s.step - 1) @> '{"action_type": "connection_request"}') as invited_at,
             (select jsonb_build_object('status', g.status, 'error', g.error, 'held_reason', g.held_reason, 'at', g.created_at) from generations g
              where g.campaign_lead_id = l.id and g.step = l.next_step and g.kind = 'send_time'
              order by g.created_at desc limit 1) as draft,
             (select count(*)::int from campaign_leads o
              where o.campaign_id = l.campaign_id and o.status = l.status and o.hold_reason is null and o.next_action_at <= ${at}
                and (l.status = 'pending' or o.alias_id = l.alias_id)
                and (o.zone = l.zone or exists (select 1 from campaign_zones z where z.campaign_id = o.campaign_id and z.zone = o.zone
                       and z.open_from <= ${at} and z.open_until > ${at}))
                and (o.next_action_at, o.row_index) < (l.next_action_at, l.row_index)) as ahead
      from campaign_leads l
      left join lateral (select s.*, lane.kind from sends s join sender_lanes lane on lane.id = s.lane_id where s.campaign_lead_id = l.id and s.state not in ${ENDED}
                         order by s.step desc limit 1) open on true
      left join lateral ${addressGuardOf(sql`l`, at)} recent on true
      where l.campaign_id = ${campaign.id} and (l.id = ${leadId ?? null}::uuid or l.lead_id = ${leadId ?? null}::uuid)`),
  ]);
  const inputs = inputsOf([workspace.rows, senders.rows, queues.rows, zones.rows, slow.rows]);
  return { ...inputs, lead: lead.rows[0] && readLead(lead.rows[0]) };
}

/** The same of many campaigns, in one round trip and without a lead. */
export async function loadSendingInputsOf(
  db: Db,
  workspaceId: string,
  campaignIds: readonly string[],
  now: Date,
): Promise<Map<string, SendingInputs>> {
  const results = await commit(db, statementsOf(db, workspaceId, campaignIds, instantParam(now)));
  const [workspace, ...lists] = results.map(({ rows }) => rows as Row[]);
  const grouped = lists.map((rows) => Map.groupBy(rows, (row) => row["campaign_id"] as string));
  return new Map(
    campaignIds.map((id) => {
      const [senders, queues, zones, slow] = grouped.map((byId) => byId.get(id) ?? []);
      return [id, inputsOf([workspace!, senders!, queues!, zones!, slow!])];
    }),
  );
}

/** Leads are counted by what they have in common, once each, and what is asked for is summed of these few rows. */
const sumOf = (condition: SQL): SQL =>
  sql`coalesce(sum(leads) filter (where ${condition}), 0)::int`;

/** The workspace; and of these campaigns senders, queues and the zones of their leads. */
const statementsOf = (db: Db, workspaceId: string, campaignIds: readonly string[], at: SQL) => {
  const ids = uuidArray(campaignIds);
  const counted = sql`
    select *, next_action_at <= ${at} and hold_reason is null as due from campaign_leads
    where campaign_id = c.id and status in ('pending', 'active')`;
  return [
    db.execute<{ timezone: string }>(
      sql`select timezone from workspaces where id = ${workspaceId}`,
    ),
    db.execute(sendersStatement(ids, workspaceId, at)),
    db.execute(sql`
      select c.id as campaign_id, q.* from campaigns c cross join lateral (
        select ${sumOf(sql`due and status = 'pending'`)} as new_due, ${sumOf(sql`due and status = 'active'`)} as follow_up_due,
               ${sumOf(sql`due and next_budget = 'connection'`)} as connections_due, ${sumOf(sql`due and next_budget = 'message'`)} as messages_due,
               ${sumOf(sql`not due and hold_reason is null`)} as waiting,
               ${sumOf(sql`hold_reason is not null`)} as held,
               ${sumOf(sql`hold_reason = 'awaiting_draft'`)} as awaiting_draft,
               ${sumOf(sql`hold_reason = 'personalization_review_pending'`)} as awaiting_review,
               ${sumOf(sql`hold_reason = 'awaiting_acceptance'`)} as awaiting_acceptance,
               ${sumOf(sql`hold_reason = 'notes_used_up'`)} as awaiting_notes,
               min(hold_until) filter (where hold_reason = 'notes_used_up') as notes_until,
               ${sumOf(sql`is_in_flight and status = 'active'`)} as in_flight,
               min(next_action_at) filter (where not due and hold_reason is null) as next_due_at
        from (
          select status, next_budget, hold_reason, due, next_action_at is null as is_in_flight, count(*) as leads,
                 min(next_action_at) as next_action_at, min(hold_until) as hold_until
          from (${counted}) l group by 1, 2, 3, 4, 5) g) q
      where c.id = any(${ids}) and c.workspace_id = ${workspaceId}`),
    db.execute(sql`
      select c.id as campaign_id, z.* from campaigns c cross join lateral (
        select l.zone, count(*) filter (where due and status = 'pending')::int as new_due, count(*) filter (where due and status = 'active')::int as follow_up_due
        from (${counted}) l group by 1) z
      where c.id = any(${ids}) and c.workspace_id = ${workspaceId} and c.use_lead_timezone
      order by z.zone`),
    db.execute(slowPairsOf(ids, workspaceId, at, counted)),
  ] as const;
};

/** Of these campaigns their senders as they are now, in the campaigns' own order. */
export const sendersStatement = (ids: SQL, workspaceId: string, at: SQL): SQL => sql`
  with share as materialized (
    select jsonb_object_agg(quota.id, quota.quota) as quotas from (${domainQuotasOf(sql`
      select a.domain_id from campaigns c join mail_aliases a on a.id = any(c.alias_ids)
      where c.id = any(${ids}) and c.workspace_id = ${workspaceId} and a.workspace_id = c.workspace_id`)}) quota
  )
  select c.id as campaign_id, x.id, x.kind, a.email, a.status, a.last_error, a.daily_limit, a.ramp, a.created_at, coalesce(lane.open, false) as open,
         lane.closed_until, lane.next_slot_at, lane.last_slot_at, lane.min_interval_seconds, coalesce(lane.used, 0) as used, lane.day_cap, lane.day_from, lane.day_until,
         coalesce(lane.connections_used, 0) as connections_used, lane.connection_cap,
         account.display_name, account.status as account_status, account.checkpoint_pending, account.rate_limited_until, account.last_error as account_error, account.notes_refusal,
         ${accountColumns(at)}, (select quotas from share) -> a.id::text as domain_quota
  from campaigns c cross join lateral (${SENDERS}) x
  left join mail_aliases a on a.id = x.id and a.workspace_id = c.workspace_id
  left join connected_accounts account on account.id = x.id and account.workspace_id = c.workspace_id
  left join sender_lanes lane on lane.id = x.id
  where c.id = any(${ids}) and c.workspace_id = ${workspaceId}
  order by x.n`;

const inputsOf = ([workspace, senders, queues, zones, slow]: [
  Row[],
  Row[],
  Row[],
  Row[],
  Row[],
]): SendingInputs => ({
  workspaceTimezone: workspace[0]!["timezone"] as string,
  senders: senders.map(readSender),
  queue: readQueue(queues[0]!),
  zones: zones.map(readZone),
  slowPairs: slow.map(readSlowPair),
  lead: undefined,
});

/** The slow pairs of these campaigns' aliases; their leads are looked at only where there is one. */
const slowPairsOf = (ids: SQL, workspaceId: string, at: SQL, counted: SQL): SQL => sql`
  with slow as materialized (
    select c.id, r.*, d.domain, c.domains, ${rateAt(at)} as rate,
           (select jsonb_agg(a.id order by a.id) from mail_aliases a where a.id = any(c.alias_ids) and a.domain_id = r.domain_id) as aliases
    from (select c.id, c.alias_ids, (select count(distinct a.domain_id) from mail_aliases a where a.id = any(c.alias_ids))::int as domains
          from campaigns c where c.id = any(${ids}) and c.workspace_id = ${workspaceId} and c.type <> 'socialnet') c
    join operator_rates r on r.full_at > ${at} and r.domain_id in (select a.domain_id from mail_aliases a where a.id = any(c.alias_ids))
    join mail_domains d on d.id = r.domain_id
  ), lead as materialized (
    select c.id, ${operatorOfKey(sql`l.email_key`)} as operator, count(*)::int as leads, (count(*) filter (where l.due))::int as due
    from (select distinct slow.id from slow) c cross join lateral (${counted}) l
    where l.hold_reason is null and l.next_action_at is not null group by 1, 2
  )
  select slow.id as campaign_id, slow.domain, slow.operator, slow.rate as per_hour, slow.next_at, slow.full_at, slow.reason,
         slow.aliases as alias_ids, slow.domains, coalesce(lead.leads, 0) as leads, coalesce(lead.due, 0) as due
  from slow left join lead on lead.id = slow.id and lead.operator = slow.operator
  order by slow.domain, slow.operator`;

/** Of campaign `c` its aliases in their order, then its account. */
const SENDERS = sql`
  select id, n, 'email' as kind from unnest(c.alias_ids) with ordinality alias(id, n) where c.type <> 'socialnet'
  union all
  select c.connected_account_id, 1000, 'socialnet' where c.type <> 'email' and c.connected_account_id is not null`;
