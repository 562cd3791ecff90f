import type { CampaignRow } from "../schema/index.ts";
import { type SQL, sql } from "drizzle-orm";
import { campaignLeadId, isSuppressed } from "../base/fragments/campaign-lead.ts";
import { newLeadColumns, newLeadValues } from "../campaigns/launch.ts";
import type { Db, Statement } from "../base/client.ts";
import { holdDatasetsOf } from "../base/fragments/hold-datasets.ts";
import { budgetAt } from "../engine/budgets.ts";
import { approvedEntry } from "../engine/draft-hold.ts";
import { bool, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { LeadRecord } from "./draft-inputs.ts";
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

/** Of a lead that has an approved text for the step: what that was approved for, and the lead as it is now. */
export interface ApprovedLead {
  campaignLeadId: string;
  lead: LeadRecord | null;
  leadIdentityFingerprint: string | null;
  stepConfigFingerprint: string | null;
}

/** What tells an approved text that would not be sent any more. */
export interface Staleness {
  /** The fingerprint of the step as it is written now, by its variants' labels. */
  configs: Readonly<Record<string, string>>;
  isStale(approved: ApprovedLead): Promise<boolean>;
}

type OfCampaign = Pick<CampaignRow, "id" | "datasetId" | "launchedAt">;

interface Order {
  limit: number;
  only: readonly string[] | null;
  stale: Staleness;
  now: Date;
}

/**
 * The leads that a step's drafts are for, in dataset order: leads under way that have not had the step and have no
 * approved text for it that would be sent. Before the launch also the dataset's leads that will join the campaign, by
 * their ids to be. `only` names some of those that the campaign has already.
 */
export async function draftTargets(
  db: Db,
  campaign: OfCampaign,
  step: number,
  order: Order,
): Promise<DraftTarget[]> {
  const { limit, only } = order;
  const there = await chosenTargets(db, campaign, step, order);
  if (campaign.launchedAt !== null || only !== null) return there;
  const fresh = await freshTargets(db, campaign, order);
  return [...there, ...fresh]
    .toSorted((a, b) => a.rowIndex - b.rowIndex || (a.campaignLeadId < b.campaignLeadId ? -1 : 1))
    .slice(0, limit);
}

async function chosenTargets(
  db: Db,
  campaign: OfCampaign,
  step: number,
  order: Order,
): Promise<DraftTarget[]> {
  const { limit, stale } = order;
  const found: DraftTarget[] = [];
  for (let last: DraftTarget | undefined; found.length < limit;) {
    const { rows } = await db.execute(chosenPage(campaign, step, order, last));
    const isOpen = await Promise.all(
      rows.map(readApproved).map(async (each) => !each.isApproved || (await stale.isStale(each))),
    );
    const page = rows.map(readTarget);
    found.push(...page.filter((_, index) => isOpen[index]));
    if (page.length < limit) break;
    last = page.at(-1);
  }
  return found.slice(0, limit);
}

function chosenPage(
  { id }: OfCampaign,
  step: number,
  { limit, only, stale }: Order,
  last: DraftTarget | undefined,
): SQL {
  return sql`
    select l.id as campaign_lead_id, l.lead_id, l.dataset_id, l.row_index, entry is not null as is_approved,
      entry ->> 'lead_identity_fingerprint' as lead_identity_fingerprint, entry ->> 'step_config_fingerprint' as step_config_fingerprint,
      case when entry is not null then (select to_jsonb(lead) from leads lead where lead.id = l.lead_id) end as lead
    from campaign_leads l cross join lateral (select ${approvedEntry(sql`l.metadata`, sql`${step}::int`)} as entry) of_step
    where l.campaign_id = ${id} and l.status in ('pending', 'active') and l.email_key is not null
      and not ${isSent(step)} and ${only === null ? mayBeStale(stale) : sql`l.id = any(${uuidArray(only)})`}
      ${last === undefined ? sql`` : sql`and (l.row_index, l.id) > (${last.rowIndex}::int, ${last.campaignLeadId}::uuid)`}
    order by l.row_index, l.id limit ${limit}`;
}

/** That there is no approved text, or step or lead may have changed since: most are approved and true, and are not fetched to be judged. */
const mayBeStale = ({ configs }: Staleness): SQL => sql`(entry is null
  or entry ->> 'step_config_fingerprint' is distinct from ${JSON.stringify(configs)}::jsonb ->> (entry ->> 'variant_label')
  or (select to_char(lead.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from leads lead where lead.id = l.lead_id)
    >= entry ->> 'approved_at')`;

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
  { limit, now }: Pick<Order, "limit" | "now">,
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
const readApproved = rowReader({
  isApproved: bool,
  campaignLeadId: text,
  lead: orNull(typed<LeadRecord>()),
  leadIdentityFingerprint: orNull(text),
  stepConfigFingerprint: orNull(text),
});
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
