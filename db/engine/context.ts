import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../client.ts";
import {
  publishedReturnPath,
  publishedSecondKey,
  publishedTrackingHost,
  type SigningDomain,
} from "../senders/domain-keys.ts";
import type { SeenDomainRecord, Step, TransportKind, TransportSettings } from "../schema/index.ts";
import { uuidArray } from "./begin.ts";
import type { SendContext, SenderProfileContext, TemplateContext } from "./store.ts";

/** Everything needed to write the messages of these sends, in one round trip. Sends whose lead, sender or step is gone are absent. */
export async function loadContexts(db: Db, sendIds: string[]): Promise<SendContext[]> {
  if (sendIds.length === 0) return [];
  const ids = uuidArray(sendIds);
  const results = await commit(db, [
    db.execute(contextStatement(ids)),
    db.execute(templatesStatement(ids)),
    db.execute(profilesStatement(ids)),
  ]);
  const [contexts, templates, profiles] = results.map(
    (result) => (result as { rows: Record<string, unknown>[] }).rows,
  );
  const templatesOf = groupBy(templates!, "workspace_id", readTemplate);
  const profilesOf = groupBy(profiles!, "workspace_id", readProfile);
  return contexts!.map((row) => {
    const workspaceId = row["workspace_id"] as string;
    return readContext(row, templatesOf.get(workspaceId) ?? [], profilesOf.get(workspaceId) ?? []);
  });
}

function contextStatement(ids: SQL): SQL {
  return sql`
  select s.id as send_id, s.workspace_id, s.step, s.attempts, c.id as campaign_id, c.name as campaign_name, c.timezone,
         c.steps -> (s.step - 1) as step_config, (c.steps -> s.step ->> 'delay_days')::int as next_delay_days,
         w.postal_address, l.id as campaign_lead_id, l.email, to_jsonb(lead) as lead,
         to_jsonb(a) as alias, to_jsonb(d) as domain,
         (select coalesce(jsonb_agg(jsonb_build_object('step', p.step, 'messageId', p.message_id, 'subject', p.subject) order by p.step), '[]')
          from sends p where p.campaign_lead_id = s.campaign_lead_id and p.step < s.step and p.lane_id = s.lane_id
            and p.state in ('accepted', 'assumed_sent') and p.message_id is not null) as previous,
         (select p.subject from sends p where p.campaign_lead_id = s.campaign_lead_id and p.step < s.step
            and p.state in ('accepted', 'assumed_sent') order by p.step limit 1) as first_subject
  from sends s
  join campaigns c on c.id = s.campaign_id
  join workspaces w on w.id = s.workspace_id
  join campaign_leads l on l.id = s.campaign_lead_id
  join leads lead on lead.id = l.lead_id
  join mail_aliases a on a.id = s.lane_id
  left join mail_domains d on d.id = a.domain_id
  where s.id = any(${ids}) and l.email is not null and c.steps -> (s.step - 1) is not null`;
}

/** The templates that the steps of these sends name. */
function templatesStatement(ids: SQL): SQL {
  return sql`
  select t.* from templates t
  where (t.workspace_id, t.id) in (
    select s.workspace_id, (v ->> 'template_id')::uuid
    from sends s join campaigns c on c.id = s.campaign_id
    cross join lateral jsonb_array_elements(c.steps -> (s.step - 1) -> 'variants') v
    where s.id = any(${ids}) and v ->> 'type' = 'TEMPLATE')`;
}

function profilesStatement(ids: SQL): SQL {
  return sql`select p.* from sender_profiles p where p.workspace_id in (select workspace_id from sends where id = any(${ids}))`;
}

export function readTemplate(row: Record<string, unknown>): TemplateContext {
  return {
    id: row["id"] as string,
    version: Number(row["version"]),
    subject: row["subject"] as string | null,
    body: row["body"] as string,
    format: row["format"] as "html" | "text",
  };
}

export function readProfile(row: Record<string, unknown>): SenderProfileContext {
  const {
    id,
    is_default,
    workspace_id: _w,
    user_id: _u,
    created_at: _c,
    updated_at: _d,
    version: _v,
    ...fields
  } = row;
  return { id: id as string, isDefault: is_default as boolean, fields };
}

export function readContext(
  row: Record<string, unknown>,
  templates: TemplateContext[],
  senderProfiles: SenderProfileContext[],
): SendContext {
  const alias = row["alias"] as Record<string, unknown>;
  const domain = row["domain"] as Record<string, unknown> | null;
  const { custom, ...leadRow } = row["lead"] as Record<string, unknown>;
  return {
    sendId: row["send_id"] as string,
    step: row["step_config"] as Step,
    nextDelayDays: row["next_delay_days"] === null ? null : Number(row["next_delay_days"]),
    timezone: row["timezone"] as string,
    campaign: { id: row["campaign_id"] as string, name: row["campaign_name"] as string },
    workspace: {
      id: row["workspace_id"] as string,
      postalAddress: row["postal_address"] as string | null,
    },
    lead: {
      campaignLeadId: row["campaign_lead_id"] as string,
      email: row["email"] as string,
      // A custom column never hides one of ours.
      fields: { ...(custom as object), ...leadRow, custom },
    },
    alias: {
      id: alias["id"] as string,
      email: alias["email"] as string,
      displayName: alias["display_name"] as string,
      replyTo: alias["reply_to"] as string | null,
      signature: alias["signature"] as string | null,
      transportKind: alias["transport_kind"] as TransportKind,
      transportSettings: alias["transport_settings"] as TransportSettings[TransportKind],
      transportSecret: alias["transport_secret"] as string | null,
    },
    domain: domain && readDomain(domain),
    templates,
    senderProfiles,
    previous: row["previous"] as SendContext["previous"],
    firstSubject: row["first_subject"] as string | null,
    attempts: Number(row["attempts"]),
  };
}

function readDomain(row: Record<string, unknown>): SigningDomain {
  const name = row["domain"] as string;
  const records = row["records"] as SeenDomainRecord[] | null;
  return {
    id: row["id"] as string,
    name,
    selector: row["dkim_selector"] as string,
    sealedKey: row["dkim_private_key"] as string,
    ed25519: publishedSecondKey(
      row["ed25519_selector"] as string | null,
      row["ed25519_private_key"] as string | null,
      records,
    ),
    returnPath: publishedReturnPath(name, records),
    trackingHost: publishedTrackingHost(name, records),
  };
}

function groupBy<T>(
  rows: Record<string, unknown>[],
  key: string,
  read: (row: Record<string, unknown>) => T,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const id = row[key] as string;
    const group = groups.get(id) ?? [];
    group.push(read(row));
    groups.set(id, group);
  }
  return groups;
}
