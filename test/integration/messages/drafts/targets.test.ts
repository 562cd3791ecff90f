/** What it takes to choose whom a batch is for, whatever Postgres has been told of the tables. */
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { commit } from "#db/base/client.ts";
import { draftTargets, makeCampaignLeadsStatements } from "#db/messages/draft-targets.ts";
import { insertBigDataset } from "../../../support/campaigns.ts";
import { aiCampaign, api, query, useDrafts } from "./setting.ts";

useDrafts();

const TABLES = ["leads", "campaign_leads", "suppressions", "sends"];
/** Fewer than a page of the dataset, so that both the chosen and the free ones are looked at. */
const CHOSEN = 800;

/** Leads of as many campaigns: an average that says nothing of the next one. Nothing looks at the campaigns themselves. */
const insertSmallCampaigns = (workspaceId: string) =>
  api.sql.query(`
    begin; set local session_replication_role = replica;
    insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email_key, status, current_step, next_step, metadata, created_at, updated_at)
    select gen_random_uuid(), '${workspaceId}', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 0, 'other' || n || '@example.zz', 'pending', 0, 1, '{}', now(), now()
    from generate_series(1, 2000) n;
    commit`);

const analyze = async (tables: string[]): Promise<void> => {
  for (const table of tables) await api.sql.query(`analyze ${table}`);
};

interface Analysed {
  /** Before there are rows of this dataset and this campaign. */
  before?: string[];
  /** With the dataset's, and none of the campaign's. */
  between?: string[];
  after?: string[];
}

test.each<[string, Analysed]>([
  // First, while nothing is.
  ["never analysed", {}],
  ["analysed before any was chosen", { between: TABLES }],
  ["analysed before it came", { before: TABLES }],
  ["half analysed", { before: ["campaign_leads"], after: ["leads"] }],
  ["analysed", { after: TABLES }],
])(
  "choosing whom a batch is for reads no more of a large dataset that is %s because some of it is chosen already",
  async (_name, { before = [], between = [], after = [] }) => {
    // Nothing is analysed but what the case says.
    for (const table of TABLES)
      await api.sql.query(`alter table ${table} set (autovacuum_enabled = false)`);
    const tenant = await api.tenant();
    if (before.length > 0) await insertSmallCampaigns(tenant.workspaceId);
    await analyze(before);
    const { path, id } = await aiCampaign(tenant, { leads: [] });
    const datasetId = await insertBigDataset(api.sql, tenant, 20_000);
    await tenant.call("PATCH", path, { dataset_id: datasetId });
    await analyze(between);
    const now = api.deps.clock.now();
    const first =
      await query`select id from leads where dataset_id = ${datasetId} order by row_index limit ${CHOSEN}`;
    const leadIds = first.map((lead) => lead.id);
    const ofTenant = { id, workspaceId: tenant.workspaceId, useLeadTimezone: false };
    await commit(api.deps.db, makeCampaignLeadsStatements(api.deps.db, ofTenant, leadIds, now));
    await analyze(after);
    let blocks = 0;
    const counting = {
      async execute(statement: SQL) {
        const { sql, params } = new PgDialect().sqlToQuery(statement);
        const { rows } = await api.sql.query(
          `explain (analyze, buffers, format json) ${sql}`,
          params,
        );
        const { Plan: plan } = rows[0]["QUERY PLAN"][0];
        blocks += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
        return api.deps.db.execute(statement);
      },
    };
    const campaign = { id, datasetId, launchedAt: null };
    const stale = { configs: {}, isStale: async () => false };
    const order = { limit: 200, only: null, stale, now };
    expect(await draftTargets(counting as never, campaign, 1, order)).toHaveLength(200);
    // Two looks at the campaign and two at the suppressions for each row of a page, a few pages of an index each.
    expect(blocks).toBeLessThan(10_000);
  },
);
