import { type SQL, sql } from "drizzle-orm";
import { campaignLeadId, unusableReason } from "../base/fragments/campaign-lead.ts";
import { commit, type Db } from "../base/client.ts";
import { usableSender } from "../base/fragments/usable.ts";
import { suppressionReason } from "../base/fragments/suppression-reason.ts";
import { guardsAddress } from "./address-guard.ts";
import { uuidArray } from "./begin.ts";
import { budgetAt } from "./budgets.ts";
import { approvedEntry, draftHoldAt } from "./draft-hold.ts";
import { instantParam } from "../base/instants.ts";
import type { Row } from "../base/rows.ts";
import { accountColumns } from "./rollover.ts";
import { zoneIn } from "./zones.ts";
import {
  readCampaign,
  readDomain,
  readLane,
  readLead,
  readMailed,
  readSend,
  readSender,
  readZone,
  type SnapshotCampaign,
  type SnapshotDomain,
  type SnapshotLane,
  type SnapshotLead,
  type SnapshotSend,
  type SnapshotZone,
} from "./snapshot-rows.ts";

/** A campaign and whatever shares its senders, as the engine sees them at one instant. */
export interface EngineSnapshot {
  workspaceTimezone: string;
  campaigns: SnapshotCampaign[];
  zones: SnapshotZone[];
  lanes: SnapshotLane[];
  /** Domains with a daily limit. */
  domains: SnapshotDomain[];
  senders: { campaignId: string; laneId: string; lastServedAt: Date | null }[];
  /** In the order of the claim; of each campaign at most the number asked for. */
  leads: SnapshotLead[];
  /** Campaigns of which more leads are waiting than were loaded. */
  cutCampaigns: string[];
  sends: SnapshotSend[];
  /** Address keys among the leads that get no mail. */
  suppressed: string[];
  /** Last mail to an address among the leads within the last day, per campaign. */
  mailed: { emailKey: string; campaignId: string; at: Date }[];
}

export interface SnapshotOrder {
  workspaceId: string;
  campaignId: string;
  /** The campaign has no leads of its own yet: those of its dataset stand for them, due at this instant. */
  notLaunchedDueAt: Date | null;
  now: Date;
  leadsPerCampaign: number;
}

/**
 * Reads a campaign and, over its senders, every running campaign that competes
 * with it, directly or through another. Two round trips.
 */
export async function loadSnapshot(db: Db, order: SnapshotOrder): Promise<EngineSnapshot> {
  const { workspaceId, campaignId } = order;
  const { rows: related } = await db.execute<{ campaign_id: string; lane_id: string }>(
    relatedStatement(workspaceId, campaignId),
  );
  const campaignIds = uuidArray([...new Set(related.map((row) => row.campaign_id))]);
  const laneIds = uuidArray([...new Set(related.map((row) => row.lane_id))]);
  const results = await commit(db, [
    db.execute<{ timezone: string }>(
      sql`select timezone from workspaces where id = ${workspaceId}`,
    ),
    db.execute(sql`select * from campaigns where id = any(${campaignIds})`),
    db.execute(sql`
      select lane.*, coalesce(a.daily_limit, lane.day_cap) as daily_limit, a.ramp, coalesce(a.created_at, lane.updated_at) as created_at,
             (lane.kind <> 'email' or ${usableSender}) as usable, d.id as limited_domain_id, ${accountColumns(instantParam(order.now), sql`s.state not in ${OPEN_SENDS}`)}
      from sender_lanes lane left join mail_aliases a on a.id = lane.id
      left join mail_domains d on d.id = a.domain_id and d.daily_limit is not null
      left join connected_accounts account on account.id = lane.id
      where lane.id = any(${laneIds})`),
    db.execute(sql`
      select c.id as campaign_id, x.lane_id, cs.last_served_at
      from campaigns c cross join lateral (${sendersOf}) x
      left join campaign_senders cs on cs.campaign_id = c.id and cs.lane_id = x.lane_id
      where c.id = any(${campaignIds})`),
    db.execute(leadsStatement(campaignIds, order)),
    db.execute(sql`
      select s.* from sends s
      where s.campaign_id = any(${campaignIds}) and s.state in ${OPEN_SENDS}`),
    db.execute<{ email_key: string; at: string | null }>(addressesStatement(campaignIds, order)),
    db.execute(domainsStatement(laneIds)),
    db.execute(sql`select * from campaign_zones where campaign_id = any(${campaignIds})`),
  ]);
  const [workspace, campaigns, lanes, senders, leads, sends, addresses, domains, zones] = results;
  const isAsked = (row: Row) => Number(row["place"]) <= order.leadsPerCampaign;
  const cut = leads.rows.filter((row) => !isAsked(row)).map(readLead);
  return {
    workspaceTimezone: workspace.rows[0]!.timezone,
    campaigns: campaigns.rows.map(readCampaign),
    zones: zones.rows.map(readZone),
    lanes: lanes.rows.map(readLane),
    domains: domains.rows.map(readDomain),
    senders: senders.rows.map(readSender),
    leads: leads.rows.filter(isAsked).map(readLead),
    cutCampaigns: [...new Set(cut.map((lead) => lead.campaignId))],
    sends: sends.rows.map(readSend),
    suppressed: addresses.rows.filter((row) => row.at === null).map((row) => row.email_key),
    mailed: addresses.rows.filter((row) => row.at !== null).map(readMailed),
  };
}

/** What may still go out, or may have. */
const OPEN_SENDS = sql`('claimed', 'transmitting', 'unknown', 'retry_wait', 'released')`;

/** The senders of campaign `c`, or those that it will have once it is launched. */
const sendersOf = sql`
  select unnest(c.alias_ids) as lane_id where c.type <> 'socialnet' union select c.connected_account_id where c.type <> 'email' and c.connected_account_id is not null union select own.lane_id from campaign_senders own where own.campaign_id = c.id`;

/** (campaign, sender) pairs that hang together with the campaign through running ones. */
function relatedStatement(workspaceId: string, campaignId: string): SQL {
  return sql`
  with recursive pair(campaign_id, lane_id) as (
    select c.id, x.lane_id from campaigns c left join lateral (${sendersOf}) x on true
    where c.id = ${campaignId} and c.workspace_id = ${workspaceId}
    union
    select next.campaign_id, next.lane_id from pair
    join campaign_senders shared on shared.lane_id = pair.lane_id
    join campaigns c on c.id = shared.campaign_id and c.status in ('active', 'draining') and c.deleted_at is null
    join campaign_senders next on next.campaign_id = c.id
  )
  select * from pair where lane_id is not null`;
}

/** The domains of these lanes that have a daily limit, with what was dealt of it. */
const domainsStatement = (laneIds: SQL): SQL => sql`
  select d.id, d.daily_limit,
         coalesce((select jsonb_agg(lane.id) from mail_aliases a join sender_lanes lane on lane.id = a.id
           where a.workspace_id = d.workspace_id and a.domain_id = d.id and lane.open and lane.id <> all(${laneIds})), '[]') as other_lane_ids,
         coalesce((select jsonb_agg(jsonb_build_object('day_from', share.day_from, 'lane_id', share.lane_id, 'dealt', share.dealt))
           from domain_shares share where share.domain_id = d.id), '[]') as shares
  from mail_domains d
  where d.daily_limit is not null and d.id in (select a.domain_id from mail_aliases a where a.id = any(${laneIds}))`;

/** When the texts of a lead's steps were approved, by step. */
const approvedSteps = (metadata: SQL): SQL => sql`(
  select jsonb_object_agg(key, value -> 'approved_at') from jsonb_each(${metadata} -> 'approved_emails'))`;

/** One more than asked for of each campaign, so that a cut shows. */
function leadsStatement(campaignIds: SQL, order: SnapshotOrder): SQL {
  const { campaignId, notLaunchedDueAt, leadsPerCampaign, now } = order;
  const materialised = sql`
    select l.* from campaigns c cross join lateral (
      select l.id, l.lead_id, l.campaign_id, l.email_key, l.zone, l.status, l.row_index, l.next_step, l.next_action_at, l.alias_id, l.next_channel, l.next_budget,
             l.hold_reason, l.hold_until, l.connected_at, ${approvedSteps(sql`l.metadata`)} as approved,
             row_number() over (partition by l.status order by l.next_action_at nulls first, l.row_index) as place
      from campaign_leads l
      where l.campaign_id = c.id and l.status in ('pending', 'active')
      order by l.status, l.next_action_at nulls first, l.row_index
    ) l
    where c.id = any(${campaignIds}) and place <= ${leadsPerCampaign + 1}`;
  if (notLaunchedDueAt === null) return materialised;
  const due = instantParam(notLaunchedDueAt);
  return sql`
    select * from (${materialised}) m where m.campaign_id <> ${campaignId}
    union all
    select * from (
      select ${campaignLeadId(sql`c.id`, sql`lead.id`)}, lead.id, c.id, lead.email_key, ${zoneIn(sql`c.use_lead_timezone`, sql`lead.timezone`)}, 'pending', lead.row_index, 1, ${due},
             null::uuid, null::text, ${budgetAt(sql`c.steps`, sql`0`)}, case when ${approvedEntry(sql`known.metadata`, sql`1`)} is null then ${draftHoldAt(sql`0`)} end, null::timestamptz, known.connected_at,
             ${approvedSteps(sql`known.metadata`)}, row_number() over (order by lead.row_index)
      from campaigns c join leads lead on lead.dataset_id = c.dataset_id
      left join campaign_leads known on known.campaign_id = c.id and known.lead_id = lead.id
      where c.id = ${campaignId} and ${unusableReason(sql`c.type`, now)} is null
      order by lead.row_index limit ${leadsPerCampaign + 1}
    ) fresh`;
}

/** Addresses of the leads that are suppressed (`at` null), and those mailed within a day. */
function addressesStatement(campaignIds: SQL, { workspaceId, now }: SnapshotOrder): SQL {
  const at = instantParam(now);
  return sql`
  with address as (
    select distinct email_key from campaign_leads
    where campaign_id = any(${campaignIds}) and status in ('pending', 'active') and email_key is not null
  )
  select email_key, null::uuid as campaign_id, null::timestamptz as at from address
  where ${suppressionReason(sql`${workspaceId}::uuid`, sql`email_key`, at)} is not null
  union all
  select o.email_key, o.campaign_id, max(coalesce(o.accepted_at, o.transmitting_at)) from sends o
  where o.workspace_id = ${workspaceId} and ${guardsAddress(at)}
    and exists (select 1 from address where address.email_key = o.email_key)
  group by 1, 2`;
}
