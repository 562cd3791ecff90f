import { sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { forgetDrafts } from "../base/fragments/forget-drafts.ts";
import { forgetReasonsStatement } from "../base/fragments/outbox.ts";
import type { NewOwned } from "../base/owned.ts";
import { lockSuppressionsStatement } from "../engine/index.ts";
import {
  CONVERSATIONS,
  EMAILS,
  LEADS,
  MESSAGES,
  of,
  type Person,
  SENDS,
  THREAD_MESSAGES,
} from "./person-records.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

/** The person that a workspace erases. */
export type Erasure = NewOwned & Person;

/** Profiles of the workspace's leads with that address. */
export async function profilesOf(db: Db, person: Erasure): Promise<string[]> {
  const { rows } = await db.execute<{ profile_url: string }>(sql`
    select distinct profile_url from leads
    where workspace_id = ${person.workspaceId} and email_key = ${person.emailKey} and profile_url is not null`);
  return rows.map(({ profile_url: url }) => url);
}

/** Verification jobs about the address that are under way: their credits are to be given back. */
export async function openVerificationsOf(db: Db, person: Erasure): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from verification_jobs
    where workspace_id = ${person.workspaceId} and email = ${person.emailKey} and status in ('pending', 'running')`);
  return rows.map(({ id }) => id);
}

/**
 * Everything that a workspace keeps about a person, in the order in which it has to go: what is found through something
 * else goes before it. **Whatever comes to keep words of people or about them adds its statement here.** Records that
 * sums are made of (messages sent, rows verified) stay without the person. All of it is one transaction.
 */
export const erasureStatements = (db: Db, person: Erasure): [Statement, ...Statement[]] => [
  lockSuppressionsStatement(db, person.workspaceId),
  lockDatasets(db, person),
  keepHash(db, person),
  ...[
    conversations,
    messagesElsewhere,
    trackedEvents,
    sends,
    campaignLeads,
    sendBodies,
    emails,
    placementTests,
    placementMails,
    verificationJobs,
    verifiedRows,
    drafts,
    research,
    samples,
    leads,
    knownAddress,
    learnedAddress,
    answers,
    confirmations,
  ].map((statement) => db.execute(statement(person))),
  forgetReasonsStatement(db, person.workspaceId, SENDS(person), EMAILS(person)),
  ...[sendAddresses, campaignLeadAddresses, emailAddresses].map((statement) =>
    db.execute(statement(person)),
  ),
];

/** An import that is being taken over ends before, or sees the hash. */
const lockDatasets = (db: Db, { workspaceId }: Erasure) =>
  db.execute(
    sql`select id from datasets where workspace_id = ${workspaceId} order by id for update`,
  );

/** Suppresses the hash for good, whatever suppressed before; a complaint stays a complaint. */
const keepHash = (db: Db, { id, workspaceId, userId, now, emailHash }: Erasure) =>
  db.execute(sql`
    insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
    values (${id}, ${workspaceId}, ${userId}, ${instantParam(now)}, ${instantParam(now)}, null, ${emailHash}, 'email', 'manual')
    on conflict (workspace_id, kind, value_hash) do update
    set value = null, expires_at = null, updated_at = excluded.updated_at`);

const conversations = (person: Erasure) =>
  sql`delete from conversations where id = any(${CONVERSATIONS(person)})`;

/** The person's messages in other people's threads. */
const messagesElsewhere = (person: Erasure) =>
  sql`delete from conversation_messages where id = any(${THREAD_MESSAGES(person)})`;

/** Behind the leads: a network's action that begins meanwhile has its text there by then, or finds its lead stopped. */
const sendBodies = (person: Erasure) =>
  sql`delete from send_bodies where send_id in ${SENDS(person)}`;

/** The event stays; the link, user agent and network, which may identify the person, do not. */
const trackedEvents = (person: Erasure) => sql`
  update email_events set url = null, user_agent = null, asn = null
  where send_id = any(${MESSAGES(person)})`;

const sends = (person: Erasure) =>
  sql`update sends s set subject = null, reason = null where s.id in ${SENDS(person)}`;

const campaignLeads = (person: Erasure) =>
  sql`update campaign_leads l set ${withoutPerson(person)} where ${of("l", person)}`;
const withoutPerson = (person: Erasure) => sql`
    email = null, profile_url = null, person_id = null, connected_at = null, timezone = null, last_error = null, metadata = '{}',
    ${leadEnd(stoppedAsDeleted, person.now)}`;
/** What has ended stays as it did. */
const stoppedAsDeleted = {
  status: sql`case when l.status in ('pending', 'active') then 'stopped' else l.status end`,
  stopReason: sql`case when l.status in ('pending', 'active') then 'lead_deleted' else l.stop_reason end`,
};

const emails = (person: Erasure) =>
  sql`update emails e set ${withoutRecipient(person)} where ${of("e", person)}`;
const withoutRecipient = (person: Erasure) => sql`
    to_email = '', subject = '', body = '', attachments = '[]', in_reply_to = null, error = null,
    state = case when e.state in ('queued', 'scheduled') then 'cancelled' else e.state end, updated_at = ${instantParam(person.now)}`;

/** Tests of a step as the person would get it. */
const placementTests = (person: Erasure) => sql`
  update placement_tests t set letter = null, subject = '', email_key = null, updated_at = ${instantParam(person.now)}
  where ${of("t", person)}`;

/** To a mailbox of the workspace's own whose address it erases. */
const placementMails = (person: Erasure) => sql`
  update placement_mails m
  set to_email = '', email_key = '', folder = null, note = null,
    state = case when m.state in ('queued', 'looking') then 'unknown' else m.state end,
    ended_at = case when m.state in ('queued', 'looking') then ${instantParam(person.now)} else m.ended_at end
  where ${of("m", person)}`;

const verificationJobs = ({ workspaceId, emailKey }: Erasure) =>
  sql`delete from verification_jobs where workspace_id = ${workspaceId} and email = ${emailKey}`;

/** A row that waits finds its lead gone, and gives its credit back. */
const verifiedRows = ({ workspaceId, emailHash }: Erasure) => sql`
  update dataset_verification_rows r set key_hash = ''
  from dataset_verifications v
  where v.workspace_id = ${workspaceId} and r.job_id = v.id and r.key_hash = ${emailHash}`;

const drafts = (person: Erasure) => forgetDrafts(LEADS(person));

const research = (person: Erasure) => sql`
  delete from row_research r using leads l
  where ${of("l", person)} and r.dataset_id = l.dataset_id and r.row_index = l.row_index`;

/** A dataset's columns are described by their first text, which may be the person's. */
const samples = (person: Erasure) => sql`
  update datasets d
  set columns = (
    select coalesce(jsonb_agg(case when lower(trim(c ->> 'sample')) = any(said.texts) then c || '{"sample": null}' else c end order by place), '[]')
    from jsonb_array_elements(d.columns) with ordinality as columns(c, place))
  from (
    select l.dataset_id, array_agg(lower(trim(left(t.value, 200)))) as texts
    from leads l, lateral (select value from jsonb_each_text(to_jsonb(l)) union select value from jsonb_each_text(l.custom)
                           union select unnest(l.tags)) t
    where ${of("l", person)} group by l.dataset_id
  ) said
  where d.id = said.dataset_id`;

const leads = (person: Erasure) => sql`
  with gone as (
    delete from leads l where ${of("l", person)} returning l.dataset_id
  )
  update datasets d set row_count = d.row_count - gone.rows, updated_at = ${instantParam(person.now)}
  from (select dataset_id, count(*)::int as rows from gone group by dataset_id) gone
  where d.id = gone.dataset_id`;

const knownAddress = ({ emailHash }: Erasure) =>
  sql`delete from verified_addresses where key_hash = ${emailHash}`;

const learnedAddress = ({ emailHash }: Erasure) =>
  sql`delete from learned_addresses where address_hash = ${emailHash}`;

/** Any answer of the last day may tell of the person. Its key stays used: the request is not run again. */
const answers = ({ workspaceId }: Erasure) => sql`
  update idempotency_keys set status = null, headers = null, body = null
  where workspace_id = ${workspaceId} and status is not null`;

/** What an agent would have sent to the person. */
const confirmations = ({ workspaceId, emailKey }: Erasure) => sql`
  delete from agent_confirmations where workspace_id = ${workspaceId} and email_key = ${emailKey}`;

/** Last, because the other statements find their rows by these addresses; and all of it again, for rows that came meanwhile. */
const sendAddresses = (person: Erasure) =>
  sql`update sends s set subject = null, reason = null, email_key = null where s.id in ${SENDS(person)}`;
const campaignLeadAddresses = (person: Erasure) =>
  sql`update campaign_leads l set ${withoutPerson(person)}, email_key = null where ${of("l", person)} returning l.campaign_id`;
const emailAddresses = (person: Erasure) =>
  sql`update emails e set ${withoutRecipient(person)}, email_key = '' where ${of("e", person)}`;

/** Campaigns with a lead of that person. */
export async function campaignsOf(db: Db, person: Erasure): Promise<string[]> {
  const { rows } = await db.execute<{ campaign_id: string }>(
    sql`select distinct l.campaign_id from campaign_leads l where ${of("l", person)}`,
  );
  return rows.map(({ campaign_id: id }) => id);
}
