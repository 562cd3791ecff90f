import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { unusableReason } from "../base/fragments/campaign-lead.ts";
import { newLeadColumns, newLeadValues } from "./launch.ts";
import { commit, type Db } from "../base/client.ts";
import { budgetAt } from "../engine/budgets.ts";
import { draftHoldAt } from "../engine/draft-hold.ts";
import { holdDatasetsOf } from "../base/fragments/hold-datasets.ts";
import { instantParam } from "../base/instants.ts";
import { rowReader, text, typed } from "../base/rows.ts";
import {
  addZones,
  lockCampaignLanes,
  lockCampaignStatement,
  openZonesStatement,
  wakeLanesStatement,
} from "../engine/index.ts";
import { campaignLeads, type CampaignRow, campaigns } from "../schema/index.ts";
import { canTake, transition } from "../base/fragments/transitions.ts";

export type CampaignLead = typeof campaignLeads.$inferSelect;

export async function getCampaignLead(
  db: Db,
  workspaceId: string,
  campaignId: string,
  id: string,
): Promise<CampaignLead | undefined> {
  const [lead] = await getCampaignLeads(db, workspaceId, campaignId, [id]);
  return lead;
}

/** Those of these that are there, in no order. */
export async function getCampaignLeads(
  db: Db,
  workspaceId: string,
  campaignId: string,
  ids: readonly string[],
): Promise<CampaignLead[]> {
  const rows = await db
    .select({ lead: campaignLeads })
    .from(campaignLeads)
    .innerJoin(campaigns, eq(campaigns.id, campaignLeads.campaignId))
    .where(
      and(
        eq(campaignLeads.workspaceId, workspaceId),
        eq(campaignLeads.campaignId, campaignId),
        inArray(campaignLeads.id, [...ids]),
        isNull(campaigns.deletedAt),
      ),
    );
  return rows.map(({ lead }) => lead);
}

export interface Addition {
  campaign: Pick<CampaignRow, "id" | "workspaceId">;
  leadIds: string[];
  /** When step 1 falls due, if the campaign was launched; the launch decides otherwise. */
  firstActionAt: Date;
  window: { openFrom: Date; openUntil: Date; day: string } | null;
  now: Date;
}

/** Why a lead was not added; `race` when it lost one against another writer. */
export type AdditionCode =
  | "LEAD_NOT_FOUND"
  | "ALREADY_IN_CAMPAIGN"
  | "DUPLICATE_ADDRESS"
  | "NO_EMAIL"
  | "NO_PROFILE_URL"
  | "SUPPRESSED";

export interface AdditionResult {
  added: number;
  skipped: { leadId: string; code: AdditionCode }[];
}

const readSkipped = rowReader({ leadId: text, code: typed<AdditionCode>() });

/**
 * Adds leads of the workspace to a campaign that has not failed; null when it
 * has, or is gone. Safe to repeat. One statement: the campaign's row is locked
 * first, so that a launch that activates meanwhile either counts these leads or
 * is seen here. A completed campaign becomes active by it.
 */
export async function addCampaignLeads(db: Db, order: Addition): Promise<AdditionResult | null> {
  const { campaign, now, window } = order;
  const day = sql`${window?.day ?? null}::date`;
  const grown = sql`
    total_leads = c.total_leads + n.added, updated_at = ${instantParam(now)},
    open_from = case when c.status = 'completed' then ${window?.openFrom.toISOString() ?? null}::timestamptz else c.open_from end,
    open_until = case when c.status = 'completed' then ${window?.openUntil.toISOString() ?? null}::timestamptz else c.open_until end,
    open_day = case when c.status = 'completed' then ${day} else c.open_day end,
    used = case when c.status = 'completed' and c.open_day is distinct from ${day} then 0 else c.used end,
    used_new = case when c.status = 'completed' and c.open_day is distinct from ${day} then 0 else c.used_new end`;
  const add = db.execute<{ open: boolean; added: boolean }>(sql`
    with campaign as (
      select c.id, c.type, c.use_lead_timezone, c.workspace_id, c.launched_at, ${budgetAt(sql`c.steps`, sql`0`)} as first_budget,
        case when c.launched_at is not null then ${draftHoldAt(sql`0`)} end as first_hold
      from campaigns c
      where c.id = ${campaign.id} and c.workspace_id = ${campaign.workspaceId}
        and c.deleted_at is null and ${canTake("add_leads")}
      for update
    ), asked as (
      select distinct id from unnest(${sql.param(order.leadIds)}::uuid[]) id
    ), found as (
      select lead.*, campaign.launched_at, campaign.first_hold, campaign.first_budget, campaign.use_lead_timezone, ${unusableReason(sql`campaign.type`, now)} as unusable,
        case when same.id is not null then 'ALREADY_IN_CAMPAIGN' when address.id is not null then 'DUPLICATE_ADDRESS' end as clash
      from campaign join leads lead on lead.workspace_id = campaign.workspace_id
      join asked on asked.id = lead.id
      left join campaign_leads same on same.campaign_id = campaign.id and same.lead_id = lead.id
      left join campaign_leads address on address.campaign_id = campaign.id and address.email_key = lead.email_key
    ), made as (
      insert into campaign_leads ${newLeadColumns}
      select ${newLeadValues(
        sql`${campaign.id}::uuid`,
        sql`lead.use_lead_timezone`,
        sql`case when lead.launched_at is not null then ${instantParam(order.firstActionAt)} end`,
        now,
        sql`lead.first_budget`,
        sql`lead.first_hold`,
      )}
      from (select found.*, null::text as reason from found where unusable is null and clash is null) lead
      order by lead.row_index
      on conflict do nothing
      returning lead_id, zone
    ), zones as (
      ${addZones(sql`select distinct campaign.id, made.zone from campaign cross join made where campaign.use_lead_timezone`, now)}
    ), grown as (
      ${transition("add_leads", grown, sql`from (select count(*)::int as added from made) n`)}
        and c.id = (select id from campaign) and n.added > 0
    )
    select asked.id as lead_id, made.lead_id is not null as added, campaign.id is not null as open,
      case when found.id is null then 'LEAD_NOT_FOUND' else coalesce(found.clash, upper(found.unusable), 'DUPLICATE_ADDRESS') end as code
    from asked left join found on found.id = asked.id left join made on made.lead_id = asked.id left join campaign on true`);
  const [, , , , result] = await commit(db, [
    holdDatasetsOf(db, campaign.workspaceId, order.leadIds),
    lockCampaignLanes(db, campaign.id),
    lockCampaignStatement(db, campaign.id),
    // Its leads that have ended may go on, too.
    openZonesStatement(db, { campaignId: campaign.id, now }, sql`c.status = 'completed'`),
    add,
    wakeLanesStatement(db, { campaignId: campaign.id, now }),
  ]);
  const { rows } = result;
  if (!rows.every(({ open }) => open)) return null;
  const skipped = rows.filter(({ added }) => !added);
  return { added: rows.length - skipped.length, skipped: skipped.map(readSkipped) };
}
