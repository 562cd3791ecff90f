import { type SQL, sql } from "drizzle-orm";
import { slugOf } from "../base/fragments/person-leads.ts";

/** A person in a workspace's records, by address: how erasure and export find these. */
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
/** Both: an array, so that what hangs on them is looked up message by message. */
export const MESSAGES = (person: Person): SQL =>
  sql`array(select s.id from ${SENDS(person)} s union all select e.id from ${EMAILS(person)} e)`;

export const LEADS = (person: Person): SQL =>
  sql`select l.id from leads l where ${of("l", person)}`;

/**
 * Theirs, or a network's threads with them outside of any campaign. An array of ids, and so below: each way is a look-up in
 * an index, where a condition of all of them would be tried at every row of the workspace.
 */
export const CONVERSATIONS = (person: Person): SQL => {
  const mine = sql`select c.id from conversations c where c.workspace_id = ${person.workspaceId}`;
  return sql`array(
  ${mine} and c.peer_key = ${person.emailKey}
  union ${mine} and c.campaign_lead_id = any(array(${CAMPAIGN_LEADS(person)}))
  union ${mine} and c.peer_key = any(array(select 'person:' || l.person_id from campaign_leads l where ${of("l", person)}))
  union ${mine} and c.channel = 'socialnet' and c.id = any(array(${ofPages(person, sql`x.conversation_id`)})))`;
};

/**
 * The spellings by which a message of before its addresses were kept as they are compared may name somebody: their own, and
 * those that programs write. All of them are looked up in the index.
 */
function spelled(person: Person): SQL {
  const [, local, at] = /^(.*)(@.*)$/s.exec(person.emailKey) ?? [null, person.emailKey, ""];
  const names = local!.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (first) => first.toUpperCase());
  const first = local!.slice(0, 1).toUpperCase() + local!.slice(1);
  const forms = [local!, first, names, local!.toUpperCase()].map((form) => form + at);
  return sql`(${sql.param([...new Set(forms)])}::text[] || array(
    select x.from_email from conversation_messages x where x.workspace_id = ${person.workspaceId} and lower(x.from_email) = ${person.emailKey}))`;
}

/** Messages from or to them, in any thread. */
export const THREAD_MESSAGES = (person: Person): SQL => {
  const mine = sql`select x.id from conversation_messages x where x.workspace_id = ${person.workspaceId}`;
  return sql`array(
  ${mine} and lower(x.from_email) = ${person.emailKey}
  union ${mine} and x.to_emails && ${spelled(person)}
  union ${ofPages(person, sql`x.id`)})`;
};

/** Of messages `x` from or to one of their pages on a network. */
function ofPages(person: Person, column: SQL): SQL {
  const pages = sql`any(array(select ${slugOf(sql`l.profile_url`)} from leads l where ${of("l", person)}))`;
  const at = (address: SQL): SQL => sql`
    select ${column} from conversation_messages x
    where x.workspace_id = ${person.workspaceId} and ${slugOf(address)} = ${pages}`;
  return sql`${at(sql`x.from_email`)} union ${at(sql`x.to_emails[1]`)}`;
}
