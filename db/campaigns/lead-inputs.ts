import { type SQL, sql } from "drizzle-orm";
import { unreachableReason } from "../base/fragments/campaign-lead.ts";
import { countSuppressed } from "../base/fragments/suppression-reason.ts";
import { instantParam } from "../base/instants.ts";
import { integer, orNull, rowReader, typed } from "../base/rows.ts";
import { type DatasetStatus, LEAD_TEXTS } from "../schema/index.ts";
import type { InputsQuery } from "./launch-inputs.ts";

export type LeadInputs = ReturnType<typeof readLeadInputs>;
export const readLeadInputs = rowReader({
  datasetStatus: orNull(typed<DatasetStatus>()),
  total: integer,
  /** With an address of the kind that the campaign needs. */
  reachable: integer,
  /** Of the reachable ones, those that want no mail. */
  suppressed: integer,
  /** Of the reachable ones with an address, by what is known of it. */
  risky: integer,
  invalid: integer,
  unverified: integer,
  /** Per variable of a lead that a text names: how many of the reachable ones have it; addresses and profiles always. */
  having: typed<Record<string, number>>(),
});

/** Fields of a lead that a text may name; anything else is a custom column. */
const LEAD_FIELDS = ["email", ...LEAD_TEXTS.map(({ name }) => name)];
const COUNTED = ["email", "profile_url"];

/**
 * Leads of the dataset and those added by hand. The fixed fields that a text names are counted in
 * one pass; a custom column costs a pass of its own. `offset 0`: what a lead is judged by is computed once, whatever is
 * counted of it.
 */
export function leadInputsStatement({ campaign, templateIds, inlineVariables, now }: InputsQuery) {
  const type = sql`${campaign.type}::text`;
  const [workspaceId, at] = [sql`${campaign.workspaceId}::uuid`, instantParam(now)];
  const isNamed = (name: string) =>
    COUNTED.includes(name) ? sql`true` : sql`(select ${name} in (select wanted.name from wanted))`;
  const field = (name: string) =>
    sql`${sql.raw(`'${name}'`)}, count(*) filter (where ${isNamed(name)} and reachable and btrim(${sql.raw(name)}) <> '')`;
  // What a template names is found here; of what the campaign itself carries it is known before.
  const inline = inlineVariables.map((name) => name.replace(/^(lead\.)?(custom\.)?/, ""));
  const counted =
    templateIds.length > 0
      ? LEAD_FIELDS
      : LEAD_FIELDS.filter((name) => [...COUNTED, ...inline].includes(name));
  const ofRisk = (level: SQL) =>
    sql`count(*) filter (where reachable and email_key is not null and verification ->> 'risk_level' ${level})::int`;
  const suppressed = countSuppressed(
    { workspaceId, datasetId: sql`${campaign.datasetId}::uuid`, added: sql`added` },
    at,
    campaign.type === "socialnet" ? "network" : "mail",
  );
  return sql`
    with added as materialized (
      select l.* from campaign_leads known cross join lateral (select * from leads own where own.id = known.lead_id offset 0) l
      where known.campaign_id = ${campaign.id} and known.dataset_id <> ${campaign.datasetId}
    ), lead as not materialized (
      select l.* from leads l where l.dataset_id = ${campaign.datasetId} and l.workspace_id = ${workspaceId}
      union all
      select * from added
    ), judged as not materialized (
      select ${sql.raw(LEAD_FIELDS.map((name) => `lead.${name}`).join(", "))}, lead.email_key, lead.verification, ${unreachableReason(type)} is null as reachable
      from lead offset 0
    ), wanted as (
      select distinct regexp_replace(name, '^(lead\\.)?(custom\\.)?', '') as name from (
        select unnest(variables) as name from templates
        where workspace_id = ${campaign.workspaceId} and id = any(${sql.param(templateIds)}::uuid[])
        union all select unnest(${sql.param(inlineVariables)}::text[])
      ) names
    ), custom as (
      select wanted.name, (
        select count(*) from lead
        where ${unreachableReason(type)} is null and btrim(lead.custom ->> wanted.name) <> '') as having
      from wanted where wanted.name <> all(${sql.param(LEAD_FIELDS)}::text[]) and strpos(wanted.name, '.') = 0
    )
    select (select status from datasets where id = ${campaign.datasetId} and workspace_id = ${campaign.workspaceId}) as dataset_status,
           count(*)::int as total,
           count(*) filter (where reachable)::int as reachable,
           ${suppressed}::int as suppressed,
           ${ofRisk(sql`= 'risky'`)} as risky, ${ofRisk(sql`= 'invalid'`)} as invalid, ${ofRisk(sql`is null`)} as unverified,
           jsonb_build_object(${sql.join(counted.map(field), sql`, `)})
             || coalesce((select jsonb_object_agg(custom.name, custom.having) from custom), '{}') as having
    from judged`;
}
