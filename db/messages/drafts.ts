import { sql } from "drizzle-orm";
import { approvedEntry } from "../engine/draft-hold.ts";
import type { Db } from "../base/client.ts";
import type { LeadRecord } from "./draft-inputs.ts";
import { bool, instant, integer, orNull, type Row, rowReader, text, typed } from "../base/rows.ts";
import type { ApprovedEntry } from "./approvals.ts";
import type { Json } from "../schema/columns.ts";
import type { GenerationStatus } from "../schema/index.ts";
import { uuidArray } from "../base/text-array.ts";

export type DraftRow = ReturnType<typeof readDraft>;
const readDraft = rowReader({
  id: text,
  campaignLeadId: text,
  leadId: text,
  rowIndex: integer,
  leadIndex: integer,
  step: integer,
  status: typed<GenerationStatus>(),
  subject: orNull(text),
  body: orNull(text),
  error: orNull(text),
  heldReason: orNull(text),
  variantLabel: orNull(text),
  templateId: orNull(text),
  senderProfileId: orNull(text),
  model: orNull(text),
  latencyMs: orNull(integer),
  promptVersionHash: text,
  promptSnapshot: orNull(text),
  leadIdentityFingerprint: orNull(text),
  stepConfigFingerprint: orNull(text),
  researchFingerprint: orNull(text),
  draftHash: orNull(text),
  commonality: orNull(typed<Json>()),
  claims: orNull(typed<Json[]>()),
  sources: orNull(typed<Json[]>()),
  leadSnapshot: orNull(typed<Row>()),
  generatedAt: orNull(instant),
  /** The lead as it is now; null where it was deleted. */
  lead: orNull(typed<LeadRecord>()),
  entry: orNull(typed<ApprovedEntry>()),
  /** What is approved are a person's own words: no draft of the step has them. */
  isEdited: bool,
  /** When the lead's next action is due, if it is this step. */
  goesOutAt: orNull(instant),
});

const entry = approvedEntry(sql`l.metadata`, sql`g.step`);

/** A generation `g` of a step, beside what its lead is by now. */
const draftColumns = sql`g.*, to_jsonb(lead) as lead, ${entry} as entry,
  ${entry} is not null and not exists (
    select 1 from generations o where o.campaign_lead_id = g.campaign_lead_id and o.step = g.step
      and o.subject = ${entry} ->> 'subject' and o.body = ${entry} ->> 'body') as is_edited,
  case when l.next_step = g.step and l.status in ('pending', 'active') then l.next_action_at end as goes_out_at`;
const withLead = sql`
  left join campaign_leads l on l.id = g.campaign_lead_id
  left join leads lead on lead.id = g.lead_id and lead.workspace_id = g.workspace_id`;

/** Drafts of a batch behind a place in it. */
export async function pageOfDrafts(
  db: Db,
  batchId: string,
  { after, limit }: { after: number; limit: number },
): Promise<DraftRow[]> {
  const { rows } = await db.execute(sql`
    select ${draftColumns} from (
      select * from generations where batch_id = ${batchId} and lead_index > ${after} order by lead_index limit ${limit}
    ) g ${withLead} order by g.lead_index`);
  return rows.map(readDraft);
}

/** The newest text of these leads' step, of a batch or of any. Leads without one are absent. */
export async function newestDrafts(
  db: Db,
  { campaignId, step }: { campaignId: string; step: number },
  { campaignLeadIds, batchId }: { campaignLeadIds?: readonly string[]; batchId?: string },
): Promise<DraftRow[]> {
  const ofLeads =
    campaignLeadIds === undefined
      ? sql``
      : sql`and campaign_lead_id = any(${uuidArray(campaignLeadIds)})`;
  const ofBatch = batchId === undefined ? sql`` : sql`and batch_id = ${batchId}`;
  const { rows } = await db.execute(sql`
    select ${draftColumns} from (
      select distinct on (campaign_lead_id) * from generations
      where campaign_id = ${campaignId} and step = ${step} and status = 'generated' and body is not null ${ofLeads} ${ofBatch}
      order by campaign_lead_id, generated_at desc, id desc
    ) g ${withLead}`);
  return rows.map(readDraft);
}
