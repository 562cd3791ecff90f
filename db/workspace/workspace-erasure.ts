import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";

/** Rows of a table, called `t`, that go with a workspace. */
export interface Erased {
  table: string;
  /** By the workspace, where nothing else is said. */
  rows?: (id: string) => SQL;
  /** Rows of another table that name the row, by that column, and go with it. */
  along?: { table: string; column: string };
}

const campaignsOf = (id: string) =>
  sql`(select c.id from campaigns c where c.workspace_id = ${id})`;
const datasetsOf = (id: string) => sql`(select d.id from datasets d where d.workspace_id = ${id})`;

/** The owner, who is forgotten with the workspace unless they work in another one too. */
const onlyHere = (id: string) => sql`(
  select w.owner_user_id from workspaces w where w.id = ${id} and w.erasure_began_at is not null
    and not exists (select 1 from workspace_members m where m.user_id = w.owner_user_id and m.workspace_id <> w.id))`;

/**
 * Every table that holds rows of a workspace; a table whose rows are found through another stands before that. Large
 * tables have an index for it; small ones are read once more to see that they are empty. **A new table with a
 * `workspace_id` is entered here or in `KEPT`**; a test says so. What moves with a workspace follows from both (`moving/`).
 */
export const ERASED: readonly Erased[] = [
  { table: "email_events", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "sends" },
  { table: "send_deltas", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "campaign_sums", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "campaign_lead_hits", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "campaigns_to_sum", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  {
    table: "generations",
    rows: (id) =>
      sql`t.batch_id in (select b.id from generation_batches b where b.workspace_id = ${id})`,
  },
  {
    table: "generations",
    rows: (id) => sql`t.kind = 'send_time' and t.campaign_id in ${campaignsOf(id)}`,
  },
  {
    table: "campaign_leads",
    along: { table: "ended_sends", column: "campaign_lead_id" },
  },
  // Behind the leads, whose deletion is a change of these.
  { table: "campaign_lead_sums", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "campaign_zones", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "experiment_judgements", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "experiment_versions", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "experiments", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "campaign_senders", rows: (id) => sql`t.campaign_id in ${campaignsOf(id)}` },
  { table: "generation_batches" },
  {
    table: "notice_windows",
    rows: (id) =>
      sql`t.topic in (select c.id::text from campaigns c where c.workspace_id = ${id} union all select ${id}::text)`,
  },
  { table: "campaigns" },
  { table: "conversation_messages" },
  { table: "conversations" },
  {
    table: "emails",
    along: { table: "email_events", column: "send_id" },
  },
  { table: "row_research", rows: (id) => sql`t.dataset_id in ${datasetsOf(id)}` },
  { table: "lead_import_chunks", rows: (id) => sql`t.dataset_id in ${datasetsOf(id)}` },
  { table: "sheet_imports" },
  {
    table: "dataset_verification_rows",
    rows: (id) =>
      sql`t.job_id in (select j.id from dataset_verifications j where j.workspace_id = ${id})`,
  },
  { table: "dataset_verifications" },
  { table: "verification_jobs" },
  { table: "leads" },
  { table: "datasets" },
  { table: "templates" },
  { table: "sender_profiles" },
  { table: "suppressions" },
  { table: "social_posts" },
  { table: "account_checkpoints" },
  { table: "connected_accounts" },
  { table: "placement_mails" },
  { table: "placement_tests" },
  { table: "inboxes" },
  { table: "mail_aliases" },
  { table: "mail_domains" },
  { table: "sender_lanes" },
  { table: "model_days" },
  { table: "inbound_mails" },
  { table: "notice_deliveries" },
  { table: "outbox" },
  { table: "idempotency_keys" },
  { table: "agent_confirmations" },
  {
    table: "webhook_deliveries",
    rows: (id) => sql`t.webhook_id in (select w.id from webhooks w where w.workspace_id = ${id})`,
  },
  { table: "webhooks" },
  { table: "workspace_invitations" },
  { table: "workspace_members" },
  { table: "events" },
  {
    table: "notification_preferences",
    rows: (id) => sql`t.user_id = ${onlyHere(id)}`,
  },
];

/** What stays, and why: records of money, which the law wants for years, and which name no person; and that a key was revoked. */
export const KEPT: Record<string, string> = {
  api_keys: "the hash of a key that was revoked, so that its holder is told so for good",
  credit_balances: "what the credits of the ledger add up to",
  credit_entries: "the ledger: numbers, and ids of work that is gone",
  credit_holds: "a part of the ledger",
  credit_discrepancies: "what the audit found",
  payment_orders: "what was bought, without the addresses of the pages that the buyer came from",
};

/** Marks workspaces whose grace is over: from here on they cannot be restored. */
export async function beginErasures(db: Db, deletedBefore: Date, now: Date): Promise<void> {
  await db.execute(sql`
    update workspaces set erasure_began_at = ${instantParam(now)}
    where deleted_at <= ${instantParam(deletedBefore)} and erased_at is null and erasure_began_at is null`);
}

export async function erasuresUnderWay(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from workspaces where erasure_began_at is not null and deleted_at is not null and erased_at is null
    order by deleted_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Deletes at most so many rows, in a transaction of its own; answers how many it were. */
export async function erasePiece(
  db: Db,
  { table, rows = byWorkspace, along }: Erased,
  id: string,
  limit: number,
): Promise<number> {
  const name = sql.identifier(table);
  const { rows: counted } = await db.execute<{ count: number }>(sql`
    with gone as (
      delete from ${name} t where t.ctid = any(array(select t.ctid from ${name} t where ${rows(id)} limit ${limit}))
      returning t.*
    )${along === undefined ? sql`` : sql`, along as (delete from ${sql.identifier(along.table)} a using gone where a.${sql.identifier(along.column)} = gone.id)`}
    select count(*)::int as count from gone`);
  return counted[0]!.count;
}

export const byWorkspace = (id: string): SQL => sql`t.workspace_id = ${id}`;

/**
 * When nothing is left: a later sign-in with the same login makes a new user. Workspace and user stay as stubs without
 * a name, for the rows of `KEPT`.
 */
export async function finishErasure(db: Db, id: string, now: Date): Promise<void> {
  const at = instantParam(now);
  const owner = onlyHere(id);
  await commit(db, [
    db.execute(sql`delete from identities where user_id = ${owner}`),
    db.execute(
      sql`update users set email = null, name = null, updated_at = ${at} where id = ${owner}`,
    ),
    db.execute(sql`
      update api_keys set name = '', key_prefix = '', scopes = null, last_used_at = null, updated_at = ${at}
      where workspace_id = ${id}`),
    db.execute(
      sql`update payment_orders set success_url = '', cancel_url = '' where workspace_id = ${id}`,
    ),
    db.execute(sql`
      update workspaces set name = '', postal_address = null, erased_at = ${at}, updated_at = ${at}
      where id = ${id} and erasure_began_at is not null`),
  ]);
}
