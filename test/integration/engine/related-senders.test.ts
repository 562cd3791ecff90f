import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { relatedStatement } from "#db/engine/snapshot-places.ts";
import { insertActiveCampaign, insertAliases } from "../../support/engine.ts";
import { rowsIn } from "../../support/plan-rows.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

async function insertCampaigns(senders: number): Promise<string> {
  const now = api.deps.clock.now();
  const aliases = await insertAliases(api.sql, tenant, senders, { now });
  const [first] = [
    await insertActiveCampaign(api.sql, tenant, { leads: 1, aliases, now }),
    await insertActiveCampaign(api.sql, tenant, { leads: 1, aliases, now, domain: "other.zz" }),
  ];
  return first!.campaignId;
}

async function workOf(campaignId: string): Promise<{ rows: number; pairs: number }> {
  await api.sql.query("analyze");
  const { sql, params } = new PgDialect().sqlToQuery(
    relatedStatement(tenant.workspaceId, campaignId),
  );
  const { rows } = await api.sql.query(`explain (analyze, format json) ${sql}`, params);
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return { rows: rowsIn(plan), pairs: plan["Actual Rows"] };
}

test("whoever shares a campaign's senders is found by the number of these, and not by its square", async () => {
  const few = await workOf(await insertCampaigns(50));
  const many = await workOf(await insertCampaigns(500));
  expect(few.pairs).toBe(100);
  expect(many.pairs).toBe(1_000);
  expect(many.rows).toBeLessThan(many.pairs * 100);
});
