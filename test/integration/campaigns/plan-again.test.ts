import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { campaignFiles } from "../../support/campaign-files.ts";
import { insertAlias, insertDataset } from "../../support/campaigns.ts";
import { inFull } from "../../support/full.ts";
import { patience } from "../../support/patience.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

vi.setConfig({ testTimeout: patience(120_000) });
useApi();

test("a file that was applied has nothing more to change, and neither has the one that is read back", async () => {
  const { datasetId } = await insertDataset(api.sql, tenant, [{ email: "a@example.zz" }]);
  const aliasId = await insertAlias(api, tenant);
  const plan = async (campaign: object) => {
    api.forgetQuotas();
    const reply = await tenant.call("POST", "/api/v2/campaigns/plan", { campaign });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  };
  await fc.assert(
    fc.asyncProperty(campaignFiles, campaignFiles, async (first, second) => {
      const own = { external_id: randomUUID(), dataset: datasetId, aliases: [aliasId] };
      for (const file of [first, second]) {
        const { plan_token } = await plan({ ...file, ...own });
        const { body } = await tenant.call("POST", "/api/v2/campaigns/apply", { plan_token });
        const again = await plan({ ...file, ...own });
        expect([again.action, again.changes]).toEqual(["none", []]);
        const path = `/api/v2/campaigns/${body.campaign.campaign_id}?include=file`;
        const read = (await tenant.call("GET", path)).body.file;
        expect((await plan(read)).changes).toEqual([]);
      }
    }),
    { numRuns: inFull(60, 10), seed: 32 },
  );
});
