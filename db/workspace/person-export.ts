import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { aboutOf } from "../base/fragments/outbox.ts";
import { integer, rowReader, typed } from "../base/rows.ts";
import type { Json } from "../schema/columns.ts";
import {
  CAMPAIGN_LEADS,
  CONVERSATIONS,
  EMAILS,
  LEADS,
  MESSAGES,
  of,
  type Person,
  SENDS,
  THREAD_MESSAGES,
} from "./person-records.ts";

/** Of a table, everything that is about the person. */
export interface PersonRecords {
  table: string;
  records: Record<string, Json>[];
  /** Whether there are more than were read. */
  isCut: boolean;
}

interface Source {
  /** The rows are called `t`. */
  rows: (person: Person) => SQL;
  /** What stands beside each row, by which a reader knows where it is from. */
  with?: SQL;
}

const campaign = sql`'campaign', (select c.name from campaigns c where c.id = t.campaign_id)`;
const dataset = sql`'dataset', (select d.name from datasets d where d.id = t.dataset_id)`;

/**
 * Every table that has words of people or about them, with how the person is found there. **What `erasureStatements`
 * forgets is shown here**; a test compares what an erased person was found in. Left out are answers to requests of the
 * last day (`idempotency_keys`) and samples of columns (`datasets`), which repeat what stands here, and what all
 * workspaces share and none can be told to have been given: `learned_addresses` does not say whose search taught them,
 * and a lead not whether it came out of the pool (`prospects`). What it was given of the pool stands in the lead.
 */
const SOURCES: Record<string, Source> = {
  leads: { rows: (person) => sql`leads t where ${of("t", person)}`, with: dataset },
  row_research: {
    rows: (person) => sql`row_research t where (t.dataset_id, t.row_index) in (
      select l.dataset_id, l.row_index from leads l where ${of("l", person)})`,
    with: dataset,
  },
  campaign_leads: {
    rows: (person) => sql`campaign_leads t where ${of("t", person)}`,
    with: campaign,
  },
  generations: {
    rows: (person) => sql`generations t where t.lead_id in (${LEADS(person)})`,
    with: campaign,
  },
  sends: { rows: (person) => sql`sends t where t.id in ${SENDS(person)}`, with: campaign },
  send_bodies: { rows: (person) => sql`send_bodies t where t.send_id in ${SENDS(person)}` },
  email_events: {
    rows: (person) => sql`email_events t where t.send_id = any(${MESSAGES(person)})`,
    with: campaign,
  },
  emails: { rows: (person) => sql`emails t where ${of("t", person)}` },
  placement_tests: {
    rows: (person) => sql`placement_tests t where ${of("t", person)}`,
    with: campaign,
  },
  placement_mails: { rows: (person) => sql`placement_mails t where ${of("t", person)}` },
  outbox: {
    rows: (
      person,
    ) => sql`outbox t where t.workspace_id = ${person.workspaceId} and ${aboutOf(sql`t`)} in (
      select x.id::text from ${CAMPAIGN_LEADS(person)} x union all select x.id::text from ${EMAILS(person)} x)`,
  },
  conversations: {
    rows: (person) => sql`conversations t where t.id = any(${CONVERSATIONS(person)})`,
    with: campaign,
  },
  conversation_messages: {
    rows: (person) => sql`conversation_messages t
      where t.id = any(${THREAD_MESSAGES(person)}) or t.conversation_id = any(${CONVERSATIONS(person)})`,
  },
  suppressions: {
    rows: (person) => sql`suppressions t where t.workspace_id = ${person.workspaceId}
      and t.kind = 'email' and t.value_hash = ${person.emailHash}`,
  },
  verification_jobs: {
    rows: (person) =>
      sql`verification_jobs t where t.workspace_id = ${person.workspaceId} and t.email = ${person.emailKey}`,
  },
  dataset_verification_rows: {
    rows: (person) => sql`dataset_verification_rows t where t.key_hash = ${person.emailHash}
      and t.job_id in (select v.id from dataset_verifications v where v.workspace_id = ${person.workspaceId})`,
  },
  // Shared by all workspaces: what is shown of it the domain decides by the workspace's own verdicts.
  verified_addresses: {
    rows: (person) => sql`verified_addresses t where t.key_hash = ${person.emailHash}`,
  },
};

/** Of a table: rows, and bytes as JSON. Whoever is in more is a shared address, or writes to fill an isolate's memory. */
const MOST = { rows: 10_000, bytes: 4_000_000 };

/** The service's own bookkeeping, which says nothing about a person. */
const INTERNAL = [
  "workspace_id",
  "user_id",
  "claim_token",
  "worker_token",
  "lease_until",
  "due_at",
  "attempts",
  "probing_until",
];

const readRecord = rowReader({ record: typed<Record<string, Json>>(), total: integer });

/** Everything that a workspace keeps about the person, and the answer on their address that all workspaces share. */
export const recordsOf = async (db: Db, person: Person): Promise<PersonRecords[]> =>
  Promise.all(
    Object.entries(SOURCES).map(async ([table, { rows, with: beside = sql`` }]) => {
      const { rows: found } = await db.execute(sql`
        with kept as (
          select jsonb_strip_nulls((to_jsonb(t) - ${sql.raw(`array['${INTERNAL.join("','")}']`)}) || jsonb_build_object(${beside})) as record
          from ${rows(person)} limit ${MOST.rows + 1}
        ), sized as (
          select record, count(*) over () as total, row_number() over w as place, sum(octet_length(record::text)) over w as size
          from kept window w as (rows unbounded preceding)
        ) select record, total from sized where place = 1 or (size <= ${MOST.bytes} and place <= ${MOST.rows})`);
      const read = found.map(readRecord);
      return {
        table,
        records: read.map(({ record }) => record),
        isCut: read.length < (read[0]?.total ?? 0),
      };
    }),
  );
