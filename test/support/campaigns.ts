import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Reply, Tenant, TestApi } from "./api.ts";
import { insertAliases } from "./engine.ts";

export interface LeadRow {
  email: string | null;
  firstName?: string;
  profileUrl?: string;
  timezone?: string;
  custom?: Record<string, unknown>;
}

/** A dataset with these leads, row indexes from 0. */
export async function insertDataset(
  sql: pg.Pool,
  tenant: Tenant,
  leads: LeadRow[],
): Promise<{ datasetId: string; leadIds: string[] }> {
  const datasetId = await insertEmptyDataset(sql, tenant, leads.length);
  const { rows } = await sql.query(
    `insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, first_name, profile_url, timezone, tags, custom)
     select new_uuid(now(), l.n), $1, $2, now(), now(), $3, l.n - 1, l.row->>'email', lower(l.row->>'email'), coalesce(lower(l.row->>'email'), l.row->>'profileUrl', l.n::text),
       l.row->>'firstName', l.row->>'profileUrl', l.row->>'timezone', '{}', coalesce(l.row->'custom', '{}')
     from jsonb_array_elements($4::jsonb) with ordinality l(row, n) returning id, row_index`,
    [tenant.workspaceId, tenant.userId, datasetId, JSON.stringify(leads)],
  );
  rows.sort((a, b) => a.row_index - b.row_index);
  return { datasetId, leadIds: rows.map((row) => row.id) };
}

/** The same for many leads that differ only by number. */
export async function insertBigDataset(
  sql: pg.Pool,
  tenant: Tenant,
  count: number,
): Promise<string> {
  const datasetId = await insertEmptyDataset(sql, tenant, count);
  await sql.query(
    `insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, first_name, tags, custom)
     select new_uuid(now(), n), $1, $2, now(), now(), $3, n - 1, e, e, e, 'Lead ' || n, '{}', '{}'
     from generate_series(1, $4::int) n, lateral (select 'lead' || n || '@example.zz' as e) x`,
    [tenant.workspaceId, tenant.userId, datasetId, count],
  );
  return datasetId;
}

async function insertEmptyDataset(sql: pg.Pool, tenant: Tenant, rowCount: number) {
  const datasetId = randomUUID();
  await sql.query(
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
     values ($1, $2, $3, now(), now(), 'Leads', 'api', 'ready', $4, '[]', '{}')`,
    [datasetId, tenant.workspaceId, tenant.userId, rowCount],
  );
  return datasetId;
}

export async function insertAlias(api: TestApi, tenant: Tenant): Promise<string> {
  const [id] = await insertAliases(api.sql, tenant, 1, { now: api.deps.clock.now() });
  return id!;
}

export async function suppress(
  sql: pg.Pool,
  tenant: Tenant,
  kind: "email" | "domain",
  value: string,
): Promise<void> {
  await sql.query(
    `insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
     values ($1, $2, $3, now(), now(), $4::text, encode(sha256(convert_to($4::text, 'UTF8')), 'hex'), $5, 'manual')`,
    [randomUUID(), tenant.workspaceId, tenant.userId, value, kind],
  );
}

export const inlineStep = (step = 1, more: object = {}) => ({
  step,
  variants: [
    { type: "INLINE", ...(step === 1 ? { subject: "Hello" } : {}), body: `Step ${step} for you` },
  ],
  ...more,
});

export const aiStep = (step = 1) => inlineStep(step, { ai_personalization_enabled: true });

/** A campaign of one step as a file, which may send at any hour. */
export const campaignFile = (dataset: string, alias: string, more: object = {}) => ({
  external_id: `file/${randomUUID()}`,
  name: "Spring",
  dataset,
  aliases: [alias],
  steps: [inlineStep()],
  sending_window_start: "00:00",
  sending_window_end: "00:00",
  send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  ...more,
});

/** What a campaign needs to be created and to launch. */
export async function launchable(
  api: TestApi,
  tenant: Tenant,
  leads: LeadRow[] = [{ email: "ada@example.zz", firstName: "Ada" }],
) {
  const { datasetId, leadIds } = await insertDataset(api.sql, tenant, leads);
  const aliasId = await insertAlias(api, tenant);
  const body = {
    name: "Spring",
    dataset_id: datasetId,
    alias_ids: [aliasId],
    steps: [inlineStep()],
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  };
  return { body, datasetId, leadIds, aliasId };
}

export async function createCampaign(tenant: Tenant, body: object): Promise<Reply["body"]> {
  const reply = await tenant.call("POST", "/api/v1/campaigns/", body);
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}

/** Runs what the queue would call. */
export async function runJob(
  api: TestApi,
  campaign: { campaign_id: string; launch_job_id: string },
) {
  const { runLaunchJob } = await import("#src/domain/campaigns/launch/job.ts");
  return runLaunchJob(api.deps, campaign.campaign_id, campaign.launch_job_id);
}

/** A campaign that has been launched and is active. */
export async function activeCampaign(
  api: TestApi,
  tenant: Tenant,
  more: object = {},
  leads?: LeadRow[],
) {
  const made = await launchable(api, tenant, leads);
  const draft = await createCampaign(tenant, { ...made.body, ...more });
  const path = `/api/v1/campaigns/${draft.campaign_id}`;
  const launched = await tenant.call("POST", `${path}/launch`);
  if (launched.status !== 202) throw new Error(launched.text);
  const outcome = await runJob(api, launched.body);
  if (outcome !== "activated") throw new Error(outcome);
  return { ...made, path, id: draft.campaign_id as string, jobId: launched.body.launch_job_id };
}

/** Puts a campaign into a state past the API: only what the test arranges, never what it claims. */
export async function forceStatus(
  sql: pg.Pool,
  id: string,
  status: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  const columns = { status, ...more };
  const assignments = Object.keys(columns).map((column, index) => `${column} = $${index + 2}`);
  await sql.query(`update campaigns set ${assignments.join(", ")} where id = $1`, [
    id,
    ...Object.values(columns),
  ]);
}
