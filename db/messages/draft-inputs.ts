import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { readProfile, readTemplate } from "../engine/context.ts";
import type { SenderProfileContext, TemplateContext } from "../engine/index.ts";
import { isSent } from "./draft-targets.ts";
import type { Generation } from "./generations.ts";
import {
  bool,
  from,
  integer,
  nested,
  orNull,
  type Row,
  rowReader,
  text,
  typed,
} from "../base/rows.ts";
import type { CampaignLeadStatus, CampaignStatus, Step } from "../schema/index.ts";

/** Where a step's texts come from. */
export interface StepTexts {
  templates: TemplateContext[];
  senderProfiles: SenderProfileContext[];
}

/** Statements that read them: the templates that the step names, and the workspace's profiles. */
const textStatements = (
  db: Db,
  { workspaceId, campaignId, step }: Pick<Generation, "workspaceId" | "campaignId" | "step">,
) =>
  [
    db.execute(sql`
      select t.* from templates t where t.workspace_id = ${workspaceId} and t.id in (
        select (v ->> 'template_id')::uuid from campaigns c
        cross join lateral jsonb_array_elements(c.steps -> (${step ?? 0}::int - 1) -> 'variants') v
        where c.id = ${campaignId} and v ->> 'type' = 'TEMPLATE')`),
    db.execute(sql`select p.* from sender_profiles p where p.workspace_id = ${workspaceId}`),
  ] as const;

export async function loadStepTexts(
  db: Db,
  step: { workspaceId: string; campaignId: string; step: number },
): Promise<StepTexts> {
  const [templates, profiles] = await commit(db, textStatements(db, step));
  return readTexts(templates.rows, profiles.rows);
}

const readTexts = (templates: Row[], profiles: Row[]): StepTexts => ({
  templates: templates.map(readTemplate),
  senderProfiles: profiles.map(readProfile),
});

/** A lead's own columns, by their names in the database. */
export type LeadRecord = Row;

const readInputs = rowReader({
  customPrompt: orNull(text),
  senderProfileId: orNull(text),
  senderData: orNull(typed<Row>()),
  isCancelled: bool,
  /** Null where the lead was deleted. */
  lead: orNull(typed<LeadRecord>()),
  /** Null of a run, and where it was deleted. */
  campaign: orNull(
    nested(
      rowReader({
        status: typed<CampaignStatus>(),
        systemPrompt: orNull(text),
        step: from("step_config", orNull(typed<Step>())),
      }),
    ),
  ),
  campaignLead: orNull(
    nested(
      rowReader({
        id: text,
        status: typed<CampaignLeadStatus>(),
        nextStep: orNull(integer),
        isSent: bool,
      }),
    ),
  ),
});

/** The current inputs of a draft. */
export type DraftInputs = ReturnType<typeof readInputs> & StepTexts;

export async function loadDraftInputs(db: Db, generation: Generation): Promise<DraftInputs> {
  const [inputs, templates, profiles] = await commit(db, [
    db.execute(inputsStatement(generation)),
    ...textStatements(db, generation),
  ]);
  return { ...readInputs(inputs.rows[0]!), ...readTexts(templates.rows, profiles.rows) };
}

const inputsStatement = ({ id, step }: Pick<Generation, "id" | "step">): SQL => sql`
  select b.custom_prompt, b.sender_profile_id, b.sender_data, b.cancelled_at is not null as is_cancelled,
    to_jsonb(lead) as lead,
    case when c.id is not null then jsonb_build_object('status', c.status, 'system_prompt', c.system_prompt,
      'step_config', nullif(c.steps -> (g.step - 1), 'null')) end as campaign,
    case when l.id is not null then jsonb_build_object('id', l.id, 'status', l.status, 'next_step', l.next_step,
      'is_sent', ${isSent(step ?? 0)}) end as campaign_lead
  from generations g
  left join generation_batches b on b.id = g.batch_id
  left join leads lead on lead.id = g.lead_id and lead.workspace_id = g.workspace_id
  left join campaigns c on c.id = g.campaign_id and c.deleted_at is null
  left join campaign_leads l on l.id = g.campaign_lead_id
  where g.id = ${id}`;
