import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { reasonAmong } from "../base/fragments/suppression-reason.ts";
import { usableSender } from "../base/fragments/usable.ts";
import { instantParam } from "../base/instants.ts";
import type { Row } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";
import { type CampaignRow, domainOfKey, type SuppressionReason } from "../schema/index.ts";
import { guardsAddress } from "./address-guard.ts";
import { asIf } from "./as-if.ts";
import { anySlow } from "./operator-rates.ts";
import { accountColumns } from "./rollover.ts";
import { allLeads, datasetLeads, firstLeads, OPEN_SENDS } from "./snapshot-leads.ts";
import {
  type FirstLeads,
  placesWithin,
  readRelated,
  type Related,
  relatedStatement,
  sendersOf,
} from "./snapshot-places.ts";
import {
  readAddressee,
  readCampaign,
  readDomain,
  readLane,
  readLead,
  readRate,
  readSend,
  readSender,
  readZone,
  type SnapshotCampaign,
  type SnapshotDomain,
  type SnapshotLane,
  type SnapshotLead,
  type SnapshotRate,
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
  /** Pairs of sending domain and operator that are slow. */
  rates: SnapshotRate[];
  /** Of the leads' domains, where any pair is slow. */
  operators: { domain: string; operator: string }[];
  senders: { campaignId: string; laneId: string; lastServedAt: Date | null }[];
  /** Of each campaign at most the number asked for, or the first of each queue. */
  leads: SnapshotLead[];
  /** Leads behind which others wait in the same queue that were not loaded. */
  edges: string[];
  /** Campaigns of which more leads are waiting than the most that are ever loaded. */
  cutCampaigns: string[];
  /** There are more leads than all campaigns together may have: some of them are missing. */
  isCut: boolean;
  sends: SnapshotSend[];
  /** Address keys among the leads that get no mail; on the network nothing goes to them but for a bounce. */
  suppressed: { emailKey: string; reason: SuppressionReason }[];
  /** Last mail to an address among the leads within the last day, per campaign. */
  mailed: { emailKey: string; campaignId: string; at: Date }[];
}

export interface SnapshotOrder {
  workspaceId: string;
  /** Null for all running campaigns of the workspace. */
  campaignId: string | null;
  /** The campaign has no leads of its own yet: those of its dataset stand for them, due at this instant. */
  notLaunchedDueAt: Date | null;
  now: Date;
  /** The most that are loaded of each status. */
  leadsPerCampaign: number;
  /** The most that are loaded of all campaigns together. */
  mostLeads?: number | undefined;
  /** Loads the first leads of each queue alone; null for all. */
  first: FirstLeads | null;
  /** The campaign as it is to be read, whatever is stored of it. */
  campaign?: CampaignRow | undefined;
}

/**
 * Reads a campaign and, over its senders, every running campaign that competes
 * with it, directly or through another. Two round trips.
 */
export async function loadSnapshot(db: Db, order: SnapshotOrder): Promise<EngineSnapshot> {
  const { workspaceId, campaignId } = order;
  const seen = (statement: SQL) => asIf(order.campaign, statement);
  const { rows } = await db.execute(seen(relatedStatement(workspaceId, campaignId)));
  const related = rows.map(readRelated);
  const campaignIds = uuidArray([...new Set(related.map((pair) => pair.campaignId))]);
  const laneIds = uuidArray([
    ...new Set(related.flatMap(({ laneId }) => (laneId === null ? [] : [laneId]))),
  ]);
  const results = await commit(db, [
    db.execute<{ timezone: string }>(
      sql`select timezone from workspaces where id = ${workspaceId}`,
    ),
    // Not its aliases, of which there may be ten thousand.
    db.execute(
      seen(sql`
      select ${sql.raw(readCampaign.names.join(", "))} from campaigns where id = any(${campaignIds})`),
    ),
    db.execute(sql`
      select lane.*, coalesce(a.daily_limit, lane.day_cap) as daily_limit, a.ramp, coalesce(a.created_at, lane.updated_at) as created_at,
             (lane.kind <> 'email' or ${usableSender}) as usable, a.domain_id, d.id as limited_domain_id, ${accountColumns(instantParam(order.now), sql`s.state not in ${OPEN_SENDS}`)}
      from sender_lanes lane left join mail_aliases a on a.id = lane.id
      left join mail_domains d on d.id = a.domain_id and d.daily_limit is not null
      left join connected_accounts account on account.id = lane.id
      where lane.id = any(${laneIds})`),
    db.execute(
      seen(sql`
      select c.id as campaign_id, x.lane_id, cs.last_served_at
      from campaigns c cross join lateral (${sendersOf}) x
      left join campaign_senders cs on cs.campaign_id = c.id and cs.lane_id = x.lane_id
      where c.id = any(${campaignIds})`),
    ),
    db.execute(seen(withAddresses(leadsStatement(related, order), order))),
    db.execute(sql`
      select s.* from sends s
      where s.campaign_id = any(${campaignIds}) and s.state in ${OPEN_SENDS}`),
    db.execute(domainsStatement(laneIds)),
    db.execute(sql`select * from campaign_zones where campaign_id = any(${campaignIds})`),
    db.execute(sql`
      select r.* from operator_rates r
      where r.domain_id in (select a.domain_id from mail_aliases a where a.id = any(${laneIds})) and r.full_at > ${instantParam(order.now)}`),
  ]);
  const [workspace, campaigns, lanes, senders, leads, sends, domains, zones, rates] = results;
  return {
    workspaceTimezone: workspace.rows[0]!.timezone,
    campaigns: campaigns.rows.map(readCampaign),
    zones: zones.rows.map(readZone),
    lanes: lanes.rows.map(readLane),
    domains: domains.rows.map(readDomain),
    rates: rates.rows.map(readRate),
    senders: senders.rows.map(readSender),
    sends: sends.rows.map(readSend),
    ...leadsOf(leads.rows, order),
  };
}

function leadsOf(
  rows: Row[],
  { first, mostLeads = Infinity }: SnapshotOrder,
): Pick<
  EngineSnapshot,
  "leads" | "edges" | "cutCampaigns" | "isCut" | "suppressed" | "mailed" | "operators"
> {
  const edges = new Set(rows.filter(isEdge).map(({ id }) => id as string));
  const cut = first === null ? rows.filter(isEdge) : [];
  const leads = new Map<string, SnapshotLead>();
  const suppressed = new Map<string, SuppressionReason>();
  const operators = new Map<string, string>();
  const mailed = new Map<string, EngineSnapshot["mailed"]>();
  for (const row of rows) {
    if (first === null && isEdge(row)) continue;
    const lead = readLead(row);
    leads.set(lead.id, lead);
    const { emailKey } = lead;
    if (emailKey === null) continue;
    const { suppression, operator, mails } = readAddressee(row);
    if (operator !== null) operators.set(emailKey.split("@")[1]!, operator);
    if (suppression !== null) suppressed.set(emailKey, suppression);
    if (mails !== null)
      mailed.set(
        emailKey,
        mails.map((mail) => ({ ...mail, emailKey })),
      );
  }
  return {
    leads: [...leads.values()],
    edges: first === null ? [] : [...edges],
    cutCampaigns: [...new Set(cut.map((row) => row["campaign_id"] as string))],
    isCut: rows.length > mostLeads,
    suppressed: [...suppressed].map(([emailKey, reason]) => ({ emailKey, reason })),
    operators: [...operators].map(([domain, operator]) => ({ domain, operator })),
    mailed: [...mailed.values()].flat(),
  };
}

const isEdge = (row: Row): boolean => row["is_edge"] === true;

/** The domains of these lanes that have a daily limit, with what was dealt of it. */
const domainsStatement = (laneIds: SQL): SQL => sql`
  select d.id, d.daily_limit,
         coalesce((select jsonb_agg(lane.id) from mail_aliases a join sender_lanes lane on lane.id = a.id
           where a.workspace_id = d.workspace_id and a.domain_id = d.id and lane.open and lane.id <> all(${laneIds})), '[]') as other_lane_ids,
         coalesce((select jsonb_agg(jsonb_build_object('day_from', share.day_from, 'lane_id', share.lane_id, 'dealt', share.dealt))
           from domain_shares share where share.domain_id = d.id), '[]') as shares
  from mail_domains d
  where d.daily_limit is not null and d.id in (select a.domain_id from mail_aliases a where a.id = any(${laneIds}))`;

function leadsStatement(
  related: Related[],
  { campaignId, notLaunchedDueAt, leadsPerCampaign, first, now }: SnapshotOrder,
): SQL {
  const isLoaded = (id: string) => notLaunchedDueAt === null || id !== campaignId;
  const places = first === null ? [] : placesWithin(related, first);
  const ids = [...new Set(related.map((pair) => pair.campaignId))].filter(isLoaded);
  const stored =
    first === null
      ? allLeads(uuidArray(ids), leadsPerCampaign)
      : firstLeads(
          places.filter(({ id }) => isLoaded(id)),
          leadsPerCampaign,
        );
  if (notLaunchedDueAt === null || campaignId === null) return stored;
  const most = places.find(({ id }) => id === campaignId)?.newLeads ?? leadsPerCampaign;
  return sql`
  select * from (${stored}) stored union all
  select * from (${datasetLeads(campaignId, notLaunchedDueAt, most, now)}) fresh`;
}

/**
 * Besides, whether the address of each lead is suppressed, and the last mail to it within a day, of each campaign: of the
 * leads that are loaded alone.
 */
function withAddresses(leads: SQL, { workspaceId, now, mostLeads }: SnapshotOrder): SQL {
  const [at, workspace] = [instantParam(now), sql`${workspaceId}::uuid`];
  const most =
    mostLeads === undefined ? leads : sql`select * from (${leads}) every limit ${mostLeads + 1}`;
  return sql`
  with loaded as materialized (${most})
  select loaded.*, address.*
  from loaded left join lateral (
    select ${reasonAmong(workspace, sql`loaded.email_key`, at)} as suppression,
           case when ${anySlow(at)} then (select d.operator from recipient_domains d where d.domain = ${domainOfKey(sql`loaded.email_key`)}) end as operator,
           (select jsonb_agg(m) from (
             select o.campaign_id, max(coalesce(o.accepted_at, o.transmitting_at)) as at from sends o
             where o.workspace_id = ${workspace} and o.email_key = loaded.email_key and ${guardsAddress(at)} group by 1) m) as mails
  ) address on loaded.email_key is not null`;
}
