import { type SQL, sql } from "drizzle-orm";
import { slugOf } from "../base/fragments/person-leads.ts";

/** Somebody of whom a workspace keeps records, by their address: how erasure and export find these. */
export interface Person {
  workspaceId: string;
  /** The address as it is compared, and its SHA-256 (hex). */
  emailKey: string;
  emailHash: string;
}

/** Whether the row is about the address. */
export const of = (alias: string, { workspaceId, emailKey }: Person): SQL =>
  sql`${sql.raw(alias)}.workspace_id = ${workspaceId} and ${sql.raw(alias)}.email_key = ${emailKey}`;
export const CAMPAIGN_LEADS = (person: Person): SQL =>
  sql`(select l.id from campaign_leads l where ${of("l", person)})`;
/** A network's actions have no address: they are found by their lead. */
export const SENDS = (person: Person): SQL => sql`(
  select s.id from sends s where ${of("s", person)}
  union select s.id from sends s where s.campaign_lead_id in ${CAMPAIGN_LEADS(person)})`;
export const EMAILS = (person: Person): SQL =>
  sql`(select e.id from emails e where ${of("e", person)})`;

export const LEADS = (person: Person): SQL =>
  sql`select l.id from leads l where ${of("l", person)}`;

/** Conversation `c`: theirs, or a network's thread with them outside of any campaign. */
export const isConversation = (
  person: Person,
): SQL => sql`c.workspace_id = ${person.workspaceId} and (
  c.peer_key = ${person.emailKey} or c.campaign_lead_id in ${CAMPAIGN_LEADS(person)}
  or c.peer_key in (select 'person:' || l.person_id from campaign_leads l where ${of("l", person)})
  or (c.channel = 'socialnet' and exists (
    select 1 from conversation_messages m where m.conversation_id = c.id and ${isPage(person)})))`;

/** Message `m`: from or to them, in whoever's thread. */
export const isMessage = (person: Person): SQL => sql`m.workspace_id = ${person.workspaceId} and (
  lower(m.from_email) = ${person.emailKey} or ${person.emailKey} = any(m.to_emails) or ${isPage(person)})`;

/** Whether message `m` is from or to one of their pages on a network. */
const isPage = (person: Person): SQL => sql`exists (
  select 1 from leads l where ${of("l", person)}
    and ${slugOf(sql`l.profile_url`)} in (${slugOf(sql`m.from_email`)}, ${slugOf(sql`m.to_emails[1]`)}))`;
