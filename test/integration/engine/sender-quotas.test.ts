import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { instantParam } from "#db/base/instants.ts";
import { uuidArray } from "#db/base/text-array.ts";
import { domainQuotaOf } from "#db/engine/index.ts";
import { loadSendingInputs, sendersStatement } from "#db/engine/sending-inputs.ts";
import { insertActiveCampaign, insertAliases } from "../../support/engine.ts";
import { rowsIn } from "../../support/plan-rows.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

/** A campaign over so many aliases of two domains, one of which has a limit; some are closed, and one has no lane. */
async function insertCampaign(senders: number) {
  const { workspaceId, userId } = tenant;
  const now = api.deps.clock.now();
  const aliases = await insertAliases(api.sql, tenant, senders, { now });
  const { campaignId } = await insertActiveCampaign(api.sql, tenant, { leads: 1, aliases, now });
  for (const [place, limit] of [70, null].entries()) {
    const id = randomUUID();
    await query`insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key, daily_limit)
      values (${id}, ${workspaceId}, ${userId}, ${now}, ${now}, ${id} || '.zz', 'verified', 's', 'none', 'none', ${limit}::int)`;
    const own = aliases.filter((_, no) => (no % 5 === 0 ? 1 : 0) === place);
    await query`update mail_aliases set domain_id = ${id} where id = any(${own}::uuid[])`;
  }
  const closed = aliases.filter((_, no) => no % 7 === 3);
  await query`update sender_lanes set open = false where id = any(${closed}::uuid[])`;
  await query`delete from campaign_senders where lane_id = ${aliases[1]}`;
  await query`delete from sender_lanes where id = ${aliases[1]}`;
  await api.sql.query("analyze");
  return { campaignId, aliases };
}

test("each sender's part of its domain's limit is what it is by itself", async () => {
  const { campaignId, aliases } = await insertCampaign(40);
  const campaign = { id: campaignId, workspaceId: tenant.workspaceId };
  const { senders } = await loadSendingInputs(
    api.deps.db,
    campaign,
    undefined,
    api.deps.clock.now(),
  );
  const { rows } = await api.deps.db.execute(sql`
    select a.id, ${domainQuotaOf(sql`a.id`, sql`a.domain_id`)} as quota from mail_aliases a where a.id = any(${uuidArray(aliases)})`);
  const alone = new Map(rows.map(({ id, quota }) => [id, quota]));
  expect(new Set(senders.map(({ domainQuota }) => domainQuota?.place)).size).toBeGreaterThan(20);
  for (const { id, domainQuota } of senders) expect([id, domainQuota]).toEqual([id, alone.get(id)]);
});

test("and is found by the number of senders, not by its square", async () => {
  const { campaignId } = await insertCampaign(400);
  const { sql: text, params } = new PgDialect().sqlToQuery(
    sendersStatement(
      uuidArray([campaignId]),
      tenant.workspaceId,
      instantParam(api.deps.clock.now()),
    ),
  );
  const { rows } = await api.sql.query(`explain (analyze, format json) ${text}`, params);
  expect(rowsIn(rows[0]["QUERY PLAN"][0].Plan)).toBeLessThan(400 * 100);
});
