import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { campaignLeadId, unusableReason } from "../base/fragments/campaign-lead.ts";
import { instantParam } from "../base/instants.ts";
import { uuidArray } from "../base/text-array.ts";
import { budgetAt, budgetsOfKind } from "./budgets.ts";
import { approvedEntry, draftHoldAt } from "./draft-hold.ts";
import { type FirstPlaces, sendersOf } from "./snapshot-places.ts";
import { zoneIn } from "./zones.ts";

/**
 * Statements of the leads of a snapshot. The last column, `is_edge`, marks a lead behind which more may come in its queue
 * that the statement leaves out.
 */

/** What may still go out, or may have. */
export const OPEN_SENDS = sql`('claimed', 'transmitting', 'unknown', 'retry_wait', 'released')`;

/** When the texts of a lead's steps were approved, by step. */
const approvedSteps = (metadata: SQL): SQL => sql`(
  select jsonb_object_agg(key, value -> 'approved_at') from jsonb_each(${metadata} -> 'approved_emails'))`;

const columns = (zone: SQL) => sql`
  l.id, l.lead_id, l.campaign_id, l.email_key, ${zone} as zone, l.status, l.row_index, l.next_step, l.next_action_at, l.alias_id, l.next_channel, l.next_budget,
  l.hold_reason, l.hold_until, l.connected_at, ${approvedSteps(sql`l.metadata`)} as approved`;
const COLUMNS = columns(sql`l.zone`);

const IS_OPEN = sql`l.status in ('pending', 'active')`;
const WAITS = sql`l.next_action_at is not null and l.hold_reason is null`;

/** Up to `most` leads in the order of the claim, and the edge. */
const inOrder = (where: SQL, most: SQL): SQL => sql`
  select ${COLUMNS}, row_number() over (order by l.next_action_at, l.row_index) > ${most} as is_edge
  from campaign_leads l where ${where}
  order by l.next_action_at, l.row_index limit ${most} + 1`;

/** Leads whose text a model still writes: all are read, and of each queue the first are answered. */
const drafted = (campaignIds: SQL): SQL => sql`
  select ${COLUMNS}, l.place > l.most as is_edge from (
    select own.*, asked.most, row_number() over (
             partition by own.campaign_id, own.status, own.alias_id, own.next_channel, own.zone, own.next_budget
             order by own.next_action_at, own.row_index) as place
    from campaign_leads own join asked on asked.id = own.campaign_id
    where own.campaign_id = any(${campaignIds}) and own.status in ('pending', 'active')
      and own.hold_reason = 'awaiting_draft' and own.next_action_at is not null
  ) l where l.place <= l.most + 1`;

/** Leads whose hold ends by itself, the next to end first. */
const heldUntil = (campaignIds: SQL, most: number): SQL => sql`
  select ${COLUMNS}, row_number() over (order by l.hold_until) > ${most} as is_edge from campaign_leads l
  where l.campaign_id = any(${campaignIds}) and ${IS_OPEN} and l.hold_until is not null
    and l.hold_reason is not null and l.hold_reason <> 'awaiting_draft'
  order by l.hold_until limit ${most + 1}`;

const underWay = (campaignIds: SQL): SQL => sql`
  select ${COLUMNS}, false from campaign_leads l
  where l.id = any(array(select s.campaign_lead_id from sends s where s.campaign_id = any(${campaignIds}) and s.state in ${OPEN_SENDS}))`;

/**
 * The first leads of each queue that the claim looks into, in the order of its own indexes: new leads of a campaign by
 * zone, started ones of each sender, and those that any sender of a channel may take. Besides all leads whose hold ends,
 * and those with an open send, wherever they wait. A lead may come twice.
 */
export function firstLeads(places: FirstPlaces[], mostHeld: number): SQL {
  const campaignIds = uuidArray(places.map(({ id }) => id));
  const ints = (of: "newLeads" | "followUps") =>
    sql`${sql.param(places.map((place) => place[of]))}::int[]`;
  return sql`
  with asked as materialized (
    select * from unnest(${campaignIds}, ${ints("newLeads")}, ${ints("followUps")}) a(id, most, follow_ups)
  ), place as materialized (
    select c.id, c.workspace_id, ${budgetAt(sql`c.steps`, sql`0`)} as budget, asked.most, asked.follow_ups, z.zone
    from asked join campaigns c on c.id = asked.id cross join lateral (
      select '' as zone where not c.use_lead_timezone
      union all select own.zone from campaign_zones own where own.campaign_id = c.id and c.use_lead_timezone
    ) z
  ), sender as materialized (
    select x.lane_id, place.follow_ups as most, place.id, place.zone, b.budget
    from place join campaigns c on c.id = place.id cross join lateral (${sendersOf}) x
    join sender_lanes lane on lane.id = x.lane_id
    cross join lateral unnest(${budgetsOfKind(sql`lane.kind`)}) b(budget)
  ), pool as materialized (
    select place.id, place.zone, place.most, b.channel, b.budget
    from place cross join (values ('email', ''), ('socialnet', 'connection'), ('socialnet', 'message')) b(channel, budget)
  )
  select l.* from place p cross join lateral (${inOrder(
    sql`l.workspace_id = p.workspace_id and l.campaign_id = p.id and l.zone = p.zone and l.next_budget = p.budget and l.status = 'pending' and ${WAITS}`,
    sql`p.most`,
  )}) l
  union all
  select l.* from sender p cross join lateral (${inOrder(
    sql`l.alias_id = p.lane_id and l.campaign_id = p.id and l.zone = p.zone and l.next_budget = p.budget and l.status = 'active' and ${WAITS}`,
    sql`p.most`,
  )}) l
  union all
  select l.* from pool p cross join lateral (${inOrder(
    sql`l.campaign_id = p.id and l.next_channel = p.channel and l.next_budget = p.budget and l.zone = p.zone and l.alias_id is null and l.status = 'active' and ${WAITS}`,
    sql`p.most`,
  )}) l
  union all (${drafted(campaignIds)})
  union all (${heldUntil(campaignIds, mostHeld)})
  union all (${underWay(campaignIds)})`;
}

/** All waiting leads up to a number of each campaign and status, by the clocks that it has them go by; the edges show where that cuts. */
export const allLeads = (campaignIds: SQL, most: number): SQL => sql`
  select ${columns(zoneIn(sql`c.use_lead_timezone`, sql`l.timezone`))}, l.place > ${most} as is_edge from campaigns c cross join lateral (
    select own.*, row_number() over (partition by own.status order by own.next_action_at nulls first, own.row_index) as place
    from campaign_leads own where own.campaign_id = c.id and own.status in ('pending', 'active')
  ) l
  where c.id = any(${campaignIds}) and l.place <= ${most + 1}
  order by l.campaign_id, l.status, l.place`;

/** Leads of the dataset that stand for those of a campaign that has none yet, due at that instant. */
export function datasetLeads(campaignId: string, dueAt: Date, most: number, now: Date): SQL {
  return sql`
  select ${campaignLeadId(sql`c.id`, sql`lead.id`)} as id, lead.id as lead_id, c.id as campaign_id, lead.email_key,
         ${zoneIn(sql`c.use_lead_timezone`, sql`lead.timezone`)} as zone, 'pending' as status, lead.row_index, 1 as next_step, ${instantParam(dueAt)} as next_action_at,
         null::uuid as alias_id, null::text as next_channel, ${budgetAt(sql`c.steps`, sql`0`)} as next_budget,
         case when ${approvedEntry(sql`known.metadata`, sql`1`)} is null then ${draftHoldAt(sql`0`)} end as hold_reason, null::timestamptz as hold_until, known.connected_at,
         ${approvedSteps(sql`known.metadata`)} as approved, row_number() over (order by lead.row_index) > ${most} as is_edge
  from campaigns c join leads lead on lead.dataset_id = c.dataset_id
  left join campaign_leads known on known.campaign_id = c.id and known.lead_id = lead.id
  where c.id = ${campaignId} and ${unusableReason(sql`c.type`, now)} is null
  order by lead.row_index limit ${most + 1}`;
}

/** Leads of the campaign that have not ended. */
export async function countOpenLeads(db: Db, campaignId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from campaign_leads l where l.campaign_id = ${campaignId} and ${IS_OPEN}`,
  );
  return rows[0]!.count;
}
