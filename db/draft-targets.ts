import { type SQL, sql } from "drizzle-orm";
import type { CampaignRow } from "./campaigns/campaigns.ts";
import { campaignLeadId, isSuppressed, newLeadColumns, newLeadValues } from "./campaigns/launch.ts";
import type { Db } from "./client.ts";
import { integer, rowReader, text } from "./rows.ts";
import { textArray } from "./text-array.ts";

/** States in which a step has reached somebody, or may have: its text is history. */
export const SENT_STATES = sql.raw(
  "('transmitting', 'accepted', 'rejected', 'unknown', 'assumed_sent')",
);

/** That a step was sent to campaign lead `l`, or is on its way. */
export const isSent = (step: number): SQL => sql`(l.current_step >= ${step}::int or exists (
  select 1 from sends s where s.campaign_lead_id = l.id and s.step = ${step}::int and s.state in ${SENT_STATES}))`;

export type DraftTarget = ReturnType<typeof readTarget>;
const readTarget = rowReader({
  campaignLeadId: text,
  leadId: text,
  datasetId: text,
  rowIndex: integer,
});

/**
 * Whom a step's drafts are for, in dataset order: leads under way that have not had it and have no approved text for it.
 * Before the launch also leads of the dataset that it will make leads of the campaign, by the ids that it will give them.
 */
export async function draftTargets(
  db: Db,
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "datasetId" | "launchedAt">,
  step: number,
  { limit, now }: { limit: number; now: Date },
): Promise<DraftTarget[]> {
  const id = sql`${campaign.id}::uuid`;
  const fresh = sql`
    union all
    (select ${campaignLeadId(id, sql`lead.id`)} as campaign_lead_id, lead.id as lead_id, lead.dataset_id, lead.row_index
    from leads lead
    where lead.dataset_id = ${campaign.datasetId} and lead.workspace_id = ${campaign.workspaceId}
      and lead.email_key is not null and not ${isSuppressed(now)}
      and not exists (select 1 from campaign_leads l where l.lead_id = lead.id and l.campaign_id = ${id})
      and not exists (select 1 from campaign_leads l where l.campaign_id = ${id} and l.email_key = lead.email_key)
    order by lead.row_index limit ${limit})`;
  const { rows } = await db.execute(sql`
    select * from ((select l.id as campaign_lead_id, l.lead_id, l.dataset_id, l.row_index from campaign_leads l
    where l.campaign_id = ${id} and l.status in ('pending', 'active') and l.email_key is not null
      and not ${isSent(step)} and l.metadata #> array['approved_emails', ${String(step)}] is null
    order by l.row_index, l.id limit ${limit})
    ${campaign.launchedAt === null ? fresh : sql``}) target
    order by row_index, campaign_lead_id limit ${limit}`);
  return rows.map(readTarget);
}

/** Makes those of them leads of the campaign that are not yet, as the launch would. */
export const makeCampaignLeadsStatement = (
  db: Db,
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "useLeadTimezone">,
  leadIds: readonly string[],
  now: Date,
) =>
  db.execute(sql`
    insert into campaign_leads ${newLeadColumns}
    select ${newLeadValues(sql`${campaign.id}::uuid`, sql`${campaign.useLeadTimezone}::boolean`, sql`null::timestamptz`, now)}
    from (
      select leads.*, null::text as reason from leads
      where leads.workspace_id = ${campaign.workspaceId} and leads.id = any(${textArray(leadIds)}::uuid[])
    ) lead
    order by lead.row_index
    on conflict do nothing`);
