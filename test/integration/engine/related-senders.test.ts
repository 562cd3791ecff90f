import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { readRelated, relatedStatement } from "#db/engine/snapshot-places.ts";
import { insertActiveCampaign, insertAliases } from "../../support/engine.ts";
import { rowsIn } from "../../support/plan-rows.ts";
import { createRandom } from "../../support/random.ts";
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

/** Campaigns over some of ten senders each, running and not. */
async function insertMany(
  seed: number,
): Promise<Map<string, { senders: string[]; runs: boolean }>> {
  const random = createRandom(seed);
  const now = api.deps.clock.now();
  const all = await insertAliases(api.sql, tenant, 10, { now });
  const campaigns = new Map<string, { senders: string[]; runs: boolean }>();
  for (let no = 0; no < 9; no++) {
    const aliases = all.filter(() => random.chance(0.2));
    const made = await insertActiveCampaign(api.sql, tenant, {
      ...{ leads: 1, aliases, now, domain: `d${no}.zz` },
    });
    const runs = random.chance(0.7);
    const status = runs ? (random.chance(0.5) ? "active" : "draining") : "paused";
    await api.sql.query("update campaigns set status = $2 where id = $1", [
      made.campaignId,
      status,
    ]);
    campaigns.set(made.campaignId, { senders: aliases, runs });
  }
  return campaigns;
}

test.each([1, 2, 3, 4])(
  "what hangs together is what one finds by going from campaign to campaign (seed %i)",
  async (seed) => {
    const campaigns = await insertMany(seed);
    const found = async (campaignId: string | null) => {
      const { rows } = await api.deps.db.execute(relatedStatement(tenant.workspaceId, campaignId));
      return rows.map(readRelated).map((pair) => `${pair.campaignId} ${pair.laneId}`);
    };
    const pairsOf = (ids: Iterable<string>) =>
      [...ids].flatMap((id) => {
        const { senders } = campaigns.get(id)!;
        return (senders.length === 0 ? [null] : senders).map((lane) => `${id} ${lane}`);
      });
    const running = [...campaigns].filter(([, { runs }]) => runs).map(([id]) => id);
    expect((await found(null)).toSorted()).toEqual(pairsOf(running).toSorted());
    for (const start of campaigns.keys()) {
      const reached = new Set([start]);
      // What is added while it is gone through is gone through, too.
      for (const id of reached)
        for (const other of running)
          if (
            campaigns.get(id)!.senders.some((lane) => campaigns.get(other)!.senders.includes(lane))
          )
            reached.add(other);
      expect((await found(start)).toSorted()).toEqual(pairsOf(reached).toSorted());
    }
  },
);
