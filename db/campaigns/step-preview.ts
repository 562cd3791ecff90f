import { type SQL, sql } from "drizzle-orm";
import { campaignLeadId } from "../base/fragments/campaign-lead.ts";
import { commit, type Db } from "../base/client.ts";
import { readContext, readProfile, readTemplate } from "../engine/context.ts";
import { draftText, newestText, stepDrafts } from "../engine/step-drafts.ts";
import { drawOf } from "../engine/draw.ts";
import { stepPlan } from "../engine/step-plan.ts";
import type { DraftText, SendContext } from "../engine/step-context.ts";
import type { Step } from "../schema/index.ts";

/** The lead that a step is previewed for: of the campaign, of its dataset, or (null) the dataset's first. */
export type PreviewFor = { campaignLeadId: string } | { leadId: string } | null;

export interface PreviewOrder {
  workspaceId: string;
  campaignId: string;
  step: number;
  target: PreviewFor;
  /** Shown instead of the campaign's own. */
  steps?: Step[] | null | undefined;
  /** Stands for the ledger row that a preview does not have. */
  sendId: string;
}

export interface PreviewContext extends SendContext {
  /** The newest text that a model wrote for the step, from the playground, a run or a prefetch; null for a step without personalization. */
  newestDraft: DraftText | null;
}

/**
 * What is needed to write a step for a lead, without a send: from the sender
 * that the lead has, else the campaign's first. Undefined when lead, step or
 * sender is not there. Messages that the lead has got are its thread.
 */
export async function loadPreview(
  db: Db,
  order: PreviewOrder,
): Promise<PreviewContext | undefined> {
  const { workspaceId, campaignId, step, sendId } = order;
  const [contexts, templates, profiles] = await commit(db, [
    db.execute(sql`
      with ${campaignsOf(order)}, target as (${targetOf(order, "email")} limit 1)
      select ${sendId}::uuid as send_id, c.workspace_id, ${step}::int as step, 0 as attempts, c.id as campaign_id, c.name as campaign_name,
             c.steps -> (${step}::int - 1) as step_config, ${stepPlan(sql`${step}::int`, sql`''`)},
             w.postal_address, t.campaign_lead_id, lead.email, to_jsonb(lead) as lead, to_jsonb(a) as alias, to_jsonb(d) as domain,
             (select coalesce(jsonb_agg(jsonb_build_object('step', p.step, 'messageId', p.message_id, 'subject', p.subject) order by p.step), '[]')
              from sends p where p.campaign_lead_id = t.campaign_lead_id and p.step < ${step}::int and p.lane_id = a.id
                and p.state in ('accepted', 'assumed_sent') and p.message_id is not null) as previous,
             (select p.subject from sends p where p.campaign_lead_id = t.campaign_lead_id and p.step < ${step}::int
                and p.state in ('accepted', 'assumed_sent') and p.subject is not null order by p.step limit 1) as first_subject,
             ${stepDrafts(sql`${step}::int`)} as drafts, ${drawOf(sql`${step}::int`)} as draw, (${newestText(sql`l.id`, sql`${step}::int`)}) as newest_draft
      from target t cross join lateral (select t.campaign_lead_id as id, t.metadata as metadata) l
      join campaigns c on c.id = ${campaignId} and c.workspace_id = ${workspaceId}
      join workspaces w on w.id = c.workspace_id
      join leads lead on lead.id = t.lead_id and lead.workspace_id = c.workspace_id
      join mail_aliases a on a.workspace_id = c.workspace_id and a.id = ${ALIAS_OF_TARGET}
      left join mail_domains d on d.id = a.domain_id
      where lead.email is not null and c.steps -> (${step}::int - 1) is not null`),
    db.execute(sql`
      with ${campaignsOf(order)}
      select t.* from templates t where t.workspace_id = ${workspaceId} and t.id in (
        select (v ->> 'template_id')::uuid from campaigns c
        cross join lateral jsonb_array_elements(c.steps) s cross join lateral jsonb_array_elements(s -> 'variants') v
        where c.id = ${campaignId} and v ->> 'type' = 'TEMPLATE')`),
    db.execute(sql`select p.* from sender_profiles p where p.workspace_id = ${workspaceId}`),
  ]);
  const [row] = contexts.rows;
  if (row === undefined) return undefined;
  const context = readContext(
    row,
    templates.rows.map(readTemplate),
    profiles.rows.map(readProfile),
  );
  const newestDraft = context.drafts === null ? null : draftText.read(row["newest_draft"]);
  return { ...context, newestDraft };
}

/**
 * The alias that writes to the target: the lead's own, or of a lead that a network account has by now the one that wrote
 * last, or the campaign's first.
 */
const ALIAS_OF_TARGET = sql`coalesce(
  (select own.id from mail_aliases own where own.id = t.alias_id),
  (select own.id from sends before join mail_aliases own on own.id = before.lane_id
   where before.campaign_lead_id = t.campaign_lead_id order by before.step desc limit 1),
  c.alias_ids[1])`;

/** The campaign under its table's name, with the steps that are to be shown. */
export function campaignsOf({
  workspaceId,
  campaignId,
  steps,
}: Pick<PreviewOrder, "workspaceId" | "campaignId" | "steps">): SQL {
  const of = sql`from campaigns c where c.id = ${campaignId} and c.workspace_id = ${workspaceId}`;
  if (steps == null) return sql`campaigns as (select c.* ${of})`;
  const shown = sql`jsonb_build_object('steps', ${JSON.stringify(steps)}::jsonb)`;
  return sql`campaigns as (select (jsonb_populate_record(c, ${shown})).* ${of})`;
}

/** Lead, its id within the campaign (the same that a launch would give it) and the sender it has; without a target the first that can be reached. */
export function targetOf(
  { workspaceId, campaignId, target }: Omit<PreviewOrder, "sendId" | "steps">,
  reachedBy: "email" | "profile_url",
): SQL {
  const ofCampaign = sql`
    select l.lead_id, l.id as campaign_lead_id, l.alias_id, l.metadata from campaign_leads l
    where l.workspace_id = ${workspaceId} and l.campaign_id = ${campaignId}`;
  if (target !== null && "campaignLeadId" in target)
    return sql`${ofCampaign} and l.id = ${target.campaignLeadId}`;
  const campaign = sql`${campaignId}::uuid`;
  const fresh = sql`
    select lead.id as lead_id, ${campaignLeadId(campaign, sql`lead.id`)} as campaign_lead_id, l.alias_id, l.metadata
    from leads lead left join campaign_leads l on l.campaign_id = ${campaignId} and l.lead_id = lead.id
    where lead.workspace_id = ${workspaceId}`;
  if (target !== null) return sql`${fresh} and lead.id = ${target.leadId}`;
  return sql`${fresh} and ${sql.raw(`lead.${reachedBy}`)} is not null
    and lead.dataset_id = (select dataset_id from campaigns where id = ${campaignId} and workspace_id = ${workspaceId})
    order by lead.row_index`;
}
