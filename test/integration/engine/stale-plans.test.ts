/** A session keeps the plans of the engine's functions; until somebody analyzes, they are of tables as they were. */
import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import { claimCall } from "#db/engine/claim.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { api, useApi } from "../../support/use-api.ts";

const NOW = new Date("2026-03-02T09:00:00Z");

useApi();

test("a claim that was planned while tables were empty reads no more leads than it takes when they have grown", async () => {
  const session = await api.sql.connect();
  onTestFinished(() => session.release());
  const claim = async () => {
    const order = { now: NOW, until: NOW, limit: 50, workerToken: randomUUID(), leaseSeconds: 180 };
    const { sql, params } = new PgDialect().sqlToQuery(claimCall(order, ["email"]));
    await maintain(createPostgresStore(api.deps.db), NOW, NOW, new Set());
    await session.query("begin");
    const claimed = await session.query(sql, params);
    const { rows } = await session.query(
      "select coalesce(seq_tup_read, 0)::int + coalesce(idx_tup_fetch, 0)::int as leads from pg_stat_xact_user_tables where relname = 'campaign_leads'",
    );
    await session.query("rollback");
    return {
      claimed: claimed.rows.filter(({ id }) => id !== null).length,
      read: rows[0].leads as number,
    };
  };
  await insertActiveCampaign(api.sql, await api.tenant(), { leads: 1, now: NOW });
  expect((await claim()).claimed).toBe(1);

  await insertActiveCampaign(api.sql, await api.tenant(), {
    leads: 3_000,
    aliases: 20,
    now: NOW,
    domain: "grown.zz",
  });
  const { claimed, read } = await claim();
  expect(claimed).toBe(21);
  // Each is looked for, found by its id, and read again by its writers.
  expect(read).toBeLessThan(21 * 5);
});
