/**
 * What locks rows under a limit has to run once: a sub-select that is run again for each row outside it passes over those
 * that the statement has changed already, and takes others.
 */
import { beforeAll, expect, test } from "vitest";
import { createDb, type Db } from "#db/base/client.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { claimOrderChecks } from "#db/billing/order-checks.ts";
import { claimCounts } from "#db/network/posts/counting.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

const NOW = new Date("2026-03-02T09:00:00Z");
const BEFORE = new Date("2026-03-01T09:00:00Z");

/** Its sessions join by nested loops and keep nothing between their rounds; statistics of a table that was small do the same. */
let db: Db;
beforeAll(async () => {
  const { pathname } = new URL(api.databaseUrl);
  for (const each of ["hashjoin", "mergejoin", "hashagg", "sort", "material"])
    await api.sql.query(`alter database ${pathname.slice(1)} set enable_${each} = off`);
  // Under another name the gateway opens sessions of their own, which begin with those settings.
  const url = `${api.databaseUrl}?application_name=nested`;
  db = createDb({ url, localGateway: new URL(api.neon.url).host });
});

test("however Postgres joins, no more posts are taken for counting than were asked for", async () => {
  await query`
    insert into social_posts (id, workspace_id, user_id, created_at, updated_at, status, attachments, is_repost, retry_count, impressions,
      reactions, comments, reposts, due_at)
    select gen_random_uuid(), ${tenant.workspaceId}::uuid, ${tenant.userId}::uuid, ${BEFORE}::timestamptz, ${BEFORE}, 'published', '[]', false, 0, 0,
      0, 0, 0, ${BEFORE} from generate_series(1, 30)`;
  const claim = { token: crypto.randomUUID(), now: NOW, until: new Date(NOW.getTime() + 60_000) };
  expect(await claimCounts(db, claim, 20)).toHaveLength(20);
  expect(await claimCounts(db, claim, 20)).toHaveLength(10);
});

test("however Postgres joins, no more orders are taken for a look than were asked for", async () => {
  await query`
    insert into payment_orders (id, workspace_id, user_id, created_at, updated_at, pack_id, credits, amount_cents, currency, success_url, cancel_url,
      status, expires_at, check_at)
    select gen_random_uuid(), ${tenant.workspaceId}::uuid, ${tenant.userId}::uuid, ${BEFORE}::timestamptz, ${BEFORE}, 'starter', 1, 1, 'usd', '', '',
      'open', ${BEFORE}, ${BEFORE} from generate_series(1, 30)`;
  expect(await claimOrderChecks(db, NOW, 20)).toHaveLength(20);
  expect(await claimOrderChecks(db, NOW, 20)).toHaveLength(10);
});

test("however Postgres joins, a sweep ends no more than 500 holds", async () => {
  const { campaignId } = await insertActiveCampaign(api.sql, tenant, { leads: 510, now: NOW });
  await query`update campaign_leads set hold_reason = 'suspect', hold_until = ${BEFORE} where campaign_id = ${campaignId}`;
  const held = async () =>
    (await query`select 1 from campaign_leads where hold_until is not null`).length;
  const store = createPostgresStore(db);
  await store.sweep(NOW);
  expect(await held()).toBe(10);
  await store.sweep(NOW);
  expect(await held()).toBe(0);
});
