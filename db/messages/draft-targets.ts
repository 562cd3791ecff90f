import type { CampaignRow } from "../schema/index.ts";
import { type SQL, sql } from "drizzle-orm";
import { campaignLeadId, isSuppressed } from "../base/fragments/campaign-lead.ts";
import { newLeadColumns, newLeadValues } from "../campaigns/launch.ts";
import type { Db, Statement } from "../base/client.ts";
import { holdDatasetsOf } from "../base/fragments/hold-datasets.ts";
import { budgetAt } from "../engine/budgets.ts";
import { bool, integer, rowReader, text } from "../base/rows.ts";
import { uuidArray } from "../base/text-array.ts";

/** States in which a step has reached its recipient, or may have: its text is history. */
export const SENT_STATES = sql.raw(
  "('transmitting', 'accepted', 'rejected', 'unknown', 'assumed_sent')",
);

/**
 * That a step was sent to campaign lead `l`, or is on its way. A look for each lead: as EXISTS, Postgres may read every
 * send of that step there is.
 */
export const isSent = (step: number): SQL => sql`(l.current_step >= ${step}::int or (
  select true from sends s where s.campaign_lead_id = l.id and s.step = ${step}::int and s.state in ${SENT_STATES} limit 1
) is not null)`;

export type DraftTarget = ReturnType<typeof readTarget>;

type OfCampaign = Pick<CampaignRow, "id" | "datasetId" | "launchedAt">;

/**
 * The leads that a step's drafts are for, in dataset order: leads under way that have not had the step and have no
 * approved text for it. Before the launch also the dataset's leads that will join the campaign, by their ids to be.
 * `only` names some of those that the campaign has already.
 */
export async function draftTargets(
  db: Db,
  campaign: OfCampaign,
  step: number,
  { limit, only, now }: { limit: number; only: readonly string[] | null; now: Date },
): Promise<DraftTarget[]> {
  const { rows } = await db.execute(sql`
    select l.id as campaign_lead_id, l.lead_id, l.dataset_id, l.row_index from campaign_leads l
    where l.campaign_id = ${campaign.id} and l.status in ('pending', 'active') and l.email_key is not null
      and not ${isSent(step)} and l.metadata #> array['approved_emails', ${String(step)}] is null
      ${only === null ? sql`` : sql`and l.id = any(${uuidArray(only)})`}
    order by l.row_index, l.id limit ${limit}`);
  const there = rows.map(readTarget);
  if (campaign.launchedAt !== null || only !== null) return there;
  const fresh = await freshTargets(db, campaign, { limit, now });
  return [...there, ...fresh]
    .toSorted((a, b) => a.rowIndex - b.rowIndex || (a.campaignLeadId < b.campaignLeadId ? -1 : 1))
    .slice(0, limit);
}

const PAGE = 1_000;

/**
 * A page of the dataset at a time, each row looked up by itself: as one statement with a limit, on tables that are not
 * analysed yet, a second batch of a dataset of 100,000 took 22 s and 5,194,208 buffers. A row is looked up by what it
 * is, and the campaign is compared after: where Postgres takes campaigns for small, an index by campaign costs it as
 * little, and reads all that were chosen before for each row.
 */
async function freshTargets(
  db: Db,
  campaign: OfCampaign,
  { limit, now }: { limit: number; now: Date },
): Promise<DraftTarget[]> {
  const found: DraftTarget[] = [];
  for (let after = -1; found.length < limit;) {
    const { rows } = await db.execute(freshPage(campaign, after, now));
    const page = rows.map(readFresh);
    found.push(...page.filter(({ isFree }) => isFree).map(({ isFree: _, ...target }) => target));
    if (page.length < PAGE) break;
    after = page.at(-1)!.rowIndex;
  }
  return found.slice(0, limit);
}

const target = { campaignLeadId: text, leadId: text, datasetId: text, rowIndex: integer };
const readTarget = rowReader(target);
const readFresh = rowReader({ ...target, isFree: bool });

function freshPage({ id, datasetId }: OfCampaign, after: number, now: Date): SQL {
  const campaignId = sql`${id}::uuid`;
  return sql`
    select ${campaignLeadId(campaignId, sql`lead.id`)} as campaign_lead_id, lead.id as lead_id, lead.dataset_id, lead.row_index,
      lead.email_key is not null
        and not ${campaignId} = any(array(select l.campaign_id from campaign_leads l where l.lead_id = lead.id))
        and not ${campaignId} = any(array(
          select l.campaign_id from campaign_leads l where l.workspace_id = lead.workspace_id and l.email_key = lead.email_key))
        and not ${isSuppressed(now)} as is_free
    from (
      select * from leads where dataset_id = ${datasetId} and row_index > ${after} order by row_index limit ${PAGE}
    ) lead order by lead.row_index`;
}

/** Makes campaign leads of the targets that are none yet, as the launch would. */
export const makeCampaignLeadsStatements = (
  db: Db,
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "useLeadTimezone">,
  leadIds: readonly string[],
  now: Date,
): [Statement, Statement] => [
  holdDatasetsOf(db, campaign.workspaceId, leadIds),
  db.execute(sql`
    insert into campaign_leads ${newLeadColumns}
    select ${newLeadValues(sql`${campaign.id}::uuid`, sql`${campaign.useLeadTimezone}::boolean`, sql`null::timestamptz`, now, sql`campaign.first_budget`)}
    from (select ${budgetAt(sql`c.steps`, sql`0`)} as first_budget from campaigns c where c.id = ${campaign.id}) campaign cross join (
      select leads.*, null::text as reason from leads
      where leads.workspace_id = ${campaign.workspaceId} and leads.id = any(${uuidArray(leadIds)})
    ) lead
    order by lead.row_index
    on conflict do nothing`),
];
