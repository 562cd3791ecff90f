import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { from, integer, nested, orNull, type Row, rowReader, text, typed } from "../base/rows.ts";
import { signingDomain } from "../base/fragments/domain-keys.ts";
import { uuidArray } from "../base/text-array.ts";
import type { SeenDomainRecord, Step, TransportKind, TransportSettings } from "../schema/index.ts";
import { drawColumn, drawOfSend } from "./draw.ts";
import { stepDrafts, stepDraftsColumn } from "./step-drafts.ts";
import { stepPlan, stepPlanColumns } from "./step-plan.ts";
import type { SendContext, SenderProfileContext, TemplateContext } from "./step-context.ts";

/** Everything needed to write the messages of these sends, in one round trip. Sends whose lead, sender or step is gone are absent. */
export async function loadContexts(db: Db, sendIds: string[]): Promise<SendContext[]> {
  if (sendIds.length === 0) return [];
  const ids = uuidArray(sendIds);
  const [contexts, steps, domains, templates, profiles] = await commit(db, [
    db.execute(contextStatement(ids)),
    db.execute<SharedStep>(stepsStatement(ids)),
    db.execute(domainsStatement(ids)),
    db.execute(templatesStatement(ids)),
    db.execute(profilesStatement(ids)),
  ]);
  const stepOf = new Map(steps.rows.map(({ of, step_config }) => [of, step_config]));
  const domainOf = new Map(domains.rows.map((row) => [row["id"], row]));
  const templatesOf = byWorkspace(templates.rows, readTemplate);
  const profilesOf = byWorkspace(profiles.rows, readProfile);
  return contexts.rows.map((row) => {
    const { id } = readWorkspace(row);
    const shared = {
      step_config: stepOf.get(row["step_of"] as string),
      domain: domainOf.get(row["domain_id"]) ?? null,
    };
    return readContext({ ...row, ...shared }, templatesOf.get(id) ?? [], profilesOf.get(id) ?? []);
  });
}

export function byWorkspace<T>(rows: Row[], read: (row: Row) => T): Map<unknown, T[]> {
  const groups = Map.groupBy(rows, (row) => row["workspace_id"]);
  return new Map([...groups].map(([id, ofIt]) => [id, ofIt.map(read)]));
}

function contextStatement(ids: SQL): SQL {
  return sql`
  select s.id as send_id, s.workspace_id, s.step, s.attempts, c.id as campaign_id, c.name as campaign_name,
         ${stepName} as step_of, ${stepPlan(sql`s.step`)},
         w.postal_address, l.id as campaign_lead_id, coalesce(l.email, '') as email, to_jsonb(lead) as lead,
         ${aliasColumns} as alias, a.domain_id,
         (select coalesce(jsonb_agg(jsonb_build_object('step', p.step, 'messageId', p.message_id, 'subject', p.subject) order by p.step), '[]')
          from sends p where p.campaign_lead_id = s.campaign_lead_id and p.step < s.step and p.lane_id = s.lane_id
            and p.state in ('accepted', 'assumed_sent') and p.message_id is not null) as previous,
         (select p.subject from sends p where p.campaign_lead_id = s.campaign_lead_id and p.step < s.step
            and p.state in ('accepted', 'assumed_sent') and p.subject is not null order by p.step limit 1) as first_subject,
         ${stepDrafts(sql`s.step`)} as drafts, ${drawOfSend} as draw
  from sends s
  join campaigns c on c.id = s.campaign_id
  join workspaces w on w.id = s.workspace_id
  join campaign_leads l on l.id = s.campaign_lead_id
  join leads lead on lead.id = l.lead_id
  join mail_aliases a on a.id = s.lane_id
  where s.id = any(${ids}) and c.steps -> (s.step - 1) is not null`;
}

/** Of an alias no more than a message needs (`AliasContext`). */
const aliasColumns = sql`jsonb_build_object('id', a.id, 'email', a.email, 'display_name', a.display_name,
           'reply_to', a.reply_to, 'signature', a.signature, 'transport_kind', a.transport_kind,
           'transport_settings', a.transport_settings, 'transport_secret', a.transport_secret)`;

interface SharedStep extends Row {
  of: string;
  step_config: Step;
}

const stepName = sql`s.campaign_id || '/' || s.step`;

/** Most sends of a tick share their step's text and their domain's keys: each goes over the wire once. */
function stepsStatement(ids: SQL): SQL {
  return sql`
  select x.of, c.steps -> (x.step - 1) as step_config
  from (select distinct ${stepName} as of, s.campaign_id, s.step from sends s where s.id = any(${ids})) x
  join campaigns c on c.id = x.campaign_id`;
}

function domainsStatement(ids: SQL): SQL {
  return sql`
  select d.* from mail_domains d
  where d.id in (select a.domain_id from sends s join mail_aliases a on a.id = s.lane_id where s.id = any(${ids}))`;
}

/** The templates that the steps of these sends name. */
export function templatesStatement(ids: SQL): SQL {
  return sql`
  select t.* from templates t
  where (t.workspace_id, t.id) in (
    select s.workspace_id, (v ->> 'template_id')::uuid
    from sends s join campaigns c on c.id = s.campaign_id
    cross join lateral jsonb_array_elements(c.steps -> (s.step - 1) -> 'variants') v
    where s.id = any(${ids}) and v ->> 'type' = 'TEMPLATE')`;
}

export function profilesStatement(ids: SQL): SQL {
  return sql`select p.* from sender_profiles p where p.workspace_id in (select workspace_id from sends where id = any(${ids}))`;
}

export const readTemplate: (row: Row) => TemplateContext = rowReader({
  id: text,
  version: integer,
  subject: orNull(text),
  body: text,
  format: typed<"html" | "text">(),
});

export function readProfile(row: Row): SenderProfileContext {
  const {
    id,
    is_default,
    workspace_id: _w,
    user_id: _u,
    created_at: _c,
    updated_at: _d,
    version,
    ...fields
  } = row;
  return {
    id: id as string,
    version: version as number,
    isDefault: is_default as boolean,
    fields,
  };
}

const readKeys = rowReader({
  id: text,
  name: from("domain", text),
  selector: from("dkim_selector", text),
  sealedKey: from("dkim_private_key", text),
  ed25519Selector: orNull(text),
  ed25519PrivateKey: orNull(text),
  records: orNull(typed<SeenDomainRecord[]>()),
});

const readSend = rowReader({
  sendId: text,
  step: from("step_config", typed<Step>()),
  ...stepPlanColumns,
  alias: nested(
    rowReader({
      id: text,
      email: text,
      displayName: text,
      replyTo: orNull(text),
      signature: orNull(text),
      transportKind: typed<TransportKind>(),
      transportSettings: typed<TransportSettings[TransportKind]>(),
      transportSecret: orNull(text),
    }),
  ),
  domain: orNull(nested((row) => signingDomain(readKeys(row)))),
  previous: typed<SendContext["previous"]>(),
  firstSubject: orNull(text),
  drafts: stepDraftsColumn,
  draw: drawColumn,
  attempts: integer,
});
const readCampaign = rowReader({
  id: from("campaign_id", text),
  name: from("campaign_name", text),
});
const readWorkspace = rowReader({ id: from("workspace_id", text), postalAddress: orNull(text) });
const readLead = rowReader({ campaignLeadId: text, email: text, lead: typed<Row>() });

/** A lead's columns and its custom ones, by name; a custom column never hides a standard one. */
export function leadFields({ custom, ...fields }: Row): Row {
  return { ...(custom as object), ...fields, custom };
}

export function readContext(
  row: Row,
  templates: TemplateContext[],
  senderProfiles: SenderProfileContext[],
): SendContext {
  const { lead, ...address } = readLead(row);
  return {
    ...readSend(row),
    campaign: readCampaign(row),
    workspace: readWorkspace(row),
    lead: { ...address, fields: leadFields(lead) },
    templates,
    senderProfiles,
  };
}
