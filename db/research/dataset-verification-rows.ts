import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import {
  claimDueStatement,
  isMine,
  type JobClaim,
  type JobQueue,
  stillMineStatement,
  WORK_ROW,
} from "../base/job-queue.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { datasetVerificationRows, domainOfKey, type VerificationVerdict } from "../schema/index.ts";

/** Rows that are to be asked about, of all datasets. */
const ROWS: JobQueue<typeof datasetVerificationRows> = {
  table: datasetVerificationRows,
  fields: { ...WORK_ROW, key: ["jobId", "rowIndex"] },
  isOpen: sql`${datasetVerificationRows.state} = 'waiting'`,
};

/** As `verified_addresses` has it, of an address as it is compared. */
const HASH = sql.raw("encode(sha256(convert_to(l.email_key, 'UTF8')), 'hex')");

export type LeadToVerify = ReturnType<typeof readLead>;
const readLead = rowReader({
  rowIndex: integer,
  leadId: text,
  email: text,
  keyHash: text,
  domain: text,
  reason: orNull(text),
  backend: orNull(text),
  hasMx: orNull(bool),
  isCatchAll: orNull(bool),
  checkedAt: orNull(instant),
  expiresAt: orNull(instant),
  domainIsCatchAll: orNull(bool),
});

/** Leads with an address in row order, behind `after`; what is kept of it, and what still holds of its domain. */
export async function pageOfLeadsToVerify(
  db: Db,
  workspaceId: string,
  datasetId: string,
  { after, limit, now }: { after: number; limit: number; now: Date },
): Promise<LeadToVerify[]> {
  const at = instantParam(now);
  const { rows } = await db.execute(sql`
    select l.row_index, l.lead_id, l.email, l.key_hash, l.domain,
      a.reason, a.backend, a.has_mx, a.is_catch_all, a.checked_at, a.expires_at, d.is_catch_all as domain_is_catch_all
    from (
      select l.row_index, l.id as lead_id, l.email_key as email, ${HASH} as key_hash, ${domainOfKey(sql`l.email_key`)} as domain
      from leads l
      where l.dataset_id = (select id from datasets where id = ${datasetId} and workspace_id = ${workspaceId} and deleted_at is null)
        and l.row_index > ${after} and l.email_key is not null
      order by l.row_index limit ${limit}
    ) l
    left join verified_addresses a on a.key_hash = l.key_hash
    left join verified_domains d on d.domain = l.domain and d.expires_at > ${at}
    order by l.row_index`);
  return rows.map(readLead);
}

export interface NewVerificationRow {
  rowIndex: number;
  leadId: string;
  keyHash: string;
  domain: string;
  /** Of what is known already; such a row is done. */
  verdict: VerificationVerdict | null;
}

export function insertVerificationRowsStatement(
  db: Db,
  jobId: string,
  rows: readonly NewVerificationRow[],
  now: Date,
) {
  const records = rows.map(({ rowIndex, leadId, keyHash, domain, verdict }) => ({
    row_index: rowIndex,
    lead_id: leadId,
    key_hash: keyHash,
    domain,
    verdict,
  }));
  return db.execute(sql`
    insert into dataset_verification_rows
      (job_id, row_index, lead_id, key_hash, domain, state, cached, attempts, due_at, verdict)
    select ${jobId}::uuid, r.row_index, r.lead_id, r.key_hash, r.domain,
      case when r.verdict is null then 'waiting' else 'done' end, r.verdict is not null, 0, ${instantParam(now)}, r.verdict
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as r(row_index int, lead_id uuid, key_hash text, domain text, verdict jsonb)`);
}

export type ClaimedRow = ReturnType<typeof readClaimed>;
const readClaimed = rowReader({
  rowIndex: integer,
  attempts: integer,
  /** Null when the lead or its address is gone. */
  email: orNull(text),
});

/** `workers`: at most so many work at one job, and `workersOfDomain` at one domain of it. */
export type ClaimLimits = Record<"rows" | "workers" | "workersOfDomain", number>;

/** Takes rows that are due, those that waited longest first, of domains at which not enough are at work already. */
export async function claimVerificationRows(
  db: Db,
  jobId: string,
  { rows: limit, workers, workersOfDomain, ...claim }: JobClaim & ClaimLimits,
): Promise<ClaimedRow[]> {
  const where = sql`job_id = ${jobId} and (select count(distinct claim_token) from live) < ${workers}
    and domain not in (select domain from live group by domain having count(distinct claim_token) >= ${workersOfDomain})`;
  const which = { limit, where, thenBy: datasetVerificationRows.rowIndex };
  const { rows } = await db.execute(sql`
    with live as materialized (
      select domain, claim_token from dataset_verification_rows
      where job_id = ${jobId} and state = 'waiting' and claim_token is not null and due_at > ${instantParam(claim.now)}
    ), claimed as ${claimDueStatement(db, ROWS, claim, which)}
    select c.row_index, c.attempts, l.email_key as email from claimed c left join leads l on l.id = c.lead_id
    order by c.row_index`);
  return rows.map(readClaimed);
}

/** What has become of a claimed row: it is done, dropped, or to be claimed again, not before then. */
export interface RowEnd {
  rowIndex: number;
  state: "done" | "dropped" | "waiting";
  dueAt: Date;
  /** Of which address the verdict is; null leaves it as it was. */
  keyHash: string | null;
  verdict: VerificationVerdict | null;
  attempts: number;
}

/** That the claim has all of these rows still. */
export const rowsStillMineStatement = (
  db: Db,
  jobId: string,
  token: string,
  rowIndexes: readonly number[],
) => {
  const id = sql`job_id = ${jobId} and row_index = any(${sql.param(rowIndexes)}::int[])`;
  return stillMineStatement(db, ROWS, { id, token }, undefined, rowIndexes.length);
};

/** Ends the claim on rows; behind `rowsStillMineStatement`. */
export function endVerificationRowsStatement(db: Db, jobId: string, ends: readonly RowEnd[]) {
  const records = ends.map(({ rowIndex, state, dueAt, keyHash, verdict, attempts }) => ({
    row_index: rowIndex,
    state,
    due_at: dueAt,
    key_hash: keyHash,
    verdict,
    attempts,
  }));
  return db.execute(sql`
    update dataset_verification_rows r
    set state = e.state, due_at = e.due_at, key_hash = coalesce(e.key_hash, r.key_hash), verdict = e.verdict,
      attempts = e.attempts, claim_token = null
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as e(row_index int, state text, due_at timestamptz, key_hash text, verdict jsonb, attempts int)
    where r.job_id = ${jobId} and r.row_index = e.row_index`);
}

/** The numbers of the rows that are claimed under the token still. */
export async function rowsOfClaim(db: Db, jobId: string, token: string): Promise<Set<number>> {
  const { rows } = await db.execute<{ row_index: number }>(sql`
    select row_index from dataset_verification_rows where ${isMine(ROWS, { id: sql`job_id = ${jobId}`, token })}`);
  return new Set(rows.map(({ row_index: index }) => index));
}

const readStand = rowReader({
  due: integer,
  domains: integer,
  live: integer,
  claimEndsAt: orNull(instant),
  nextAt: orNull(instant),
});

/**
 * How many of the next `sample` rows can be claimed now and of how many domains, how many work at some and when the
 * first claim of theirs ends, and when the first row that waits is due; null when none waits.
 */
export async function progressOfVerification(db: Db, jobId: string, now: Date, sample: number) {
  const at = instantParam(now);
  const waiting = sql`from dataset_verification_rows where job_id = ${jobId} and state = 'waiting'`;
  const claimed = sql`${waiting} and claim_token is not null and due_at > ${at}`;
  const { rows } = await db.execute(sql`
    select count(*) as due, count(distinct domain) as domains,
      (select count(distinct claim_token) ${claimed}) as live,
      (select min(due_at) ${claimed}) as claim_ends_at,
      (select min(due_at) ${waiting}) as next_at
    from (select domain ${waiting} and due_at <= ${at} order by due_at, row_index limit ${sample}) due`);
  return readStand(rows[0]!);
}

export async function waitingRows(db: Db, jobId: string, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ row_index: number }>(sql`
    select row_index from dataset_verification_rows where job_id = ${jobId} and state = 'waiting'
    order by due_at, row_index limit ${limit}`);
  return rows.map(({ row_index: index }) => index);
}

export const dropVerificationRowsStatement = (db: Db, jobId: string, rows: readonly number[]) =>
  db.execute(sql`
    update dataset_verification_rows set state = 'dropped', claim_token = null
    where job_id = ${jobId} and state = 'waiting' and row_index = any(${sql.param(rows)}::int[])`);

export type VerifiedLead = ReturnType<typeof readVerified>;
const readVerified = rowReader({
  rowIndex: integer,
  leadId: text,
  email: text,
  cached: bool,
  verdict: typed<VerificationVerdict>(),
});

/** Rows that are done, of leads that are still there with that address, behind `after`. */
export async function pageOfVerifiedLeads(
  db: Db,
  jobId: string,
  { after, limit }: { after: number; limit: number },
): Promise<VerifiedLead[]> {
  const { rows } = await db.execute(sql`
    select r.row_index, r.lead_id, l.email, r.cached, r.verdict
    from dataset_verification_rows r join leads l on l.id = r.lead_id and ${HASH} = r.key_hash
    where r.job_id = ${jobId} and r.state = 'done' and r.row_index > ${after}
    order by r.row_index limit ${limit}`);
  return rows.map(readVerified);
}
