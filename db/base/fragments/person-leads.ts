import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { bool, orNull, rowReader, text } from "../rows.ts";

/** A person of the network: its id, and the name in the page's address. */
export interface NetworkPerson {
  personId: string | null;
  slug: string | null;
}

/** A person as a lead of one campaign, with what decides the effects of what they say. */
export type PersonLead = ReturnType<typeof readPersonLead>;
const readPersonLead = rowReader({
  id: text,
  campaignId: text,
  leadId: text,
  emailKey: orNull(text),
  profileUrl: orNull(text),
  stopOnReply: bool,
  stopOnCompanyReply: bool,
  /** The last that was sent to them in that campaign, by the account if it sent any; null where nothing was. */
  sendId: orNull(text),
});

/** The name in the page of a member, as the index has it; twin of src/domain/people/leads/profile-slug.ts. */
export const slugOf = (profileUrl: SQL): SQL =>
  sql`lower(substring(${profileUrl} from '/in/([^/]+)'))`;

/**
 * All campaign leads under which a workspace writes to this person: those with the network's id or page, and through
 * them the same leads, addresses and pages in other campaigns. First the one that the account wrote to last, which a
 * reply to the account is about.
 */
export async function findPersonLeads(
  db: Db,
  account: { id: string; workspaceId: string },
  { personId, slug }: NetworkPerson,
): Promise<PersonLead[]> {
  const { rows } = await db.execute(sql`
    with known as materialized (
      select l.*, ${slugOf(sql`l.profile_url`)} as slug from campaign_leads l
      where l.workspace_id = ${account.workspaceId} and l.person_id = ${personId}
      union all
      select l.*, ${slugOf(sql`l.profile_url`)} from campaign_leads l
      where l.workspace_id = ${account.workspaceId} and l.profile_url is not null and ${slugOf(sql`l.profile_url`)} = ${slug}
    ), person as (
      select id from known
      -- Arrays, because a join takes the few for hundreds and reads every lead.
      union select l.id from campaign_leads l where l.lead_id = any(array(select lead_id from known))
      union select l.id from campaign_leads l where l.workspace_id = ${account.workspaceId} and l.email_key = any(array(select email_key from known))
      union select l.id from campaign_leads l where l.workspace_id = ${account.workspaceId} and l.person_id = any(array(select person_id from known))
      union select l.id from campaign_leads l where l.workspace_id = ${account.workspaceId}
        and l.profile_url is not null and ${slugOf(sql`l.profile_url`)} = any(array(select slug from known))
    )
    select l.id, l.campaign_id, l.lead_id, l.email_key, l.profile_url, c.stop_on_reply, c.stop_on_company_reply, last.id as send_id
    from person join campaign_leads l on l.id = person.id join campaigns c on c.id = l.campaign_id
    left join lateral (
      select s.id, s.transmitting_at, s.lane_id = ${account.id}::uuid as by_account from sends s
      where s.campaign_lead_id = l.id and s.transmitting_at is not null
      order by 3 desc, s.transmitting_at desc limit 1
    ) last on true
    order by last.by_account desc nulls last, last.transmitting_at desc nulls last,
      l.status in ('pending', 'active') desc, l.created_at desc, l.id`);
  return rows.map(readPersonLead);
}

/** The ids of every lead of the workspace that is the same person as these, or has this address: by address, by the network's id, by page. */
export const samePerson = (
  workspaceId: string,
  { leadIds, emailKey }: { leadIds: SQL; emailKey: string },
): SQL => {
  const own = (value: SQL) =>
    sql`any(array(select ${value} from campaign_leads me where me.id = any(${leadIds})))`;
  return sql`array(
  select p.id from campaign_leads p where p.workspace_id = ${workspaceId} and p.email_key = ${emailKey}
  union select p.id from campaign_leads p where p.workspace_id = ${workspaceId} and p.email_key = ${own(sql`me.email_key`)}
  union select p.id from campaign_leads p where p.workspace_id = ${workspaceId} and p.person_id = ${own(sql`me.person_id`)}
  union select p.id from campaign_leads p where p.workspace_id = ${workspaceId}
    and p.profile_url is not null and ${slugOf(sql`p.profile_url`)} = ${own(slugOf(sql`me.profile_url`))})`;
};
