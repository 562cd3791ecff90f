import { sql } from "drizzle-orm";
import { campaignsOf, type PreviewOrder, targetOf } from "../campaigns/step-preview.ts";
import { commit, type Db } from "../base/client.ts";
import { drawColumn, drawOf } from "../engine/draw.ts";
import { leadFields, readProfile, readTemplate } from "../engine/context.ts";
import type { SenderProfileContext, TemplateContext } from "../engine/step-context.ts";
import { bool, from, nested, orNull, type Row, rowReader, text, typed } from "../base/rows.ts";
import type { Step } from "../schema/index.ts";

/** The inputs to write a step on the network for a lead, without a send. */
export interface NetworkPreview extends ReturnType<typeof readPreview> {
  lead: { campaignLeadId: string; fields: Record<string, unknown>; profileUrl: string };
  templates: TemplateContext[];
  senderProfiles: SenderProfileContext[];
}

const readPreview = rowReader({
  step: typed<Step>(),
  draw: drawColumn,
  account: nested(rowReader({ id: text, displayName: text, isPremium: bool })),
});
const readLead = rowReader({
  campaignLeadId: text,
  fields: from("lead", typed<Row>()),
  profileUrl: orNull(text),
});

/** From the campaign's account. Undefined when lead, step or account is not there. */
export async function loadNetworkPreview(
  db: Db,
  order: Omit<PreviewOrder, "sendId">,
): Promise<NetworkPreview | undefined> {
  const { workspaceId, campaignId, step } = order;
  const [contexts, templates, profiles] = await commit(db, [
    db.execute(sql`
      with ${campaignsOf(order)}, target as (${targetOf(order, "profile_url")} limit 1)
      select t.campaign_lead_id, lead.profile_url, to_jsonb(lead) as lead, c.steps -> (${step}::int - 1) as step, to_jsonb(a) as account,
             ${drawOf(sql`${step}::int`)} as draw
      from target t
      join campaigns c on c.id = ${campaignId} and c.workspace_id = ${workspaceId}
      join leads lead on lead.id = t.lead_id and lead.workspace_id = c.workspace_id
      join connected_accounts a on a.workspace_id = c.workspace_id and a.id = c.connected_account_id
      where lead.profile_url is not null and c.steps -> (${step}::int - 1) is not null`),
    db.execute(sql`
      with ${campaignsOf(order)}
      select t.* from templates t where t.workspace_id = ${workspaceId} and t.id in (
        select (v ->> 'template_id')::uuid from campaigns c
        cross join lateral jsonb_array_elements(c.steps -> (${step}::int - 1) -> 'variants') v
        where c.id = ${campaignId} and v ->> 'type' = 'TEMPLATE')`),
    db.execute(sql`select p.* from sender_profiles p where p.workspace_id = ${workspaceId}`),
  ]);
  const [row] = contexts.rows;
  if (row === undefined) return undefined;
  const { fields, campaignLeadId, profileUrl } = readLead(row);
  return {
    ...readPreview(row),
    lead: { campaignLeadId, fields: leadFields(fields), profileUrl: profileUrl! },
    templates: templates.rows.map(readTemplate),
    senderProfiles: profiles.rows.map(readProfile),
  };
}
