import { afterAll, expect, test } from "vitest";
import { MODEL_CALLS_A_DAY } from "#src/domain/research/personalization/ask-model.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import { startModel } from "../../../../scripts/stack/model/model.ts";
import { startSearch } from "../../../../scripts/stack/search.ts";
import { startApi } from "../../../support/api.ts";
import { api, query, useApi } from "../../../support/use-api.ts";
import { insertDataset } from "../../../support/campaigns.ts";

const search = await startSearch({ web: { pages: [], people: [] } });
const model = await startModel();
afterAll(() => Promise.all([search.close(), model.close()]));
useApi({ start: () => startApi({ ...search.env, ...model.env }) });

test("a text beyond the workspace's calls of the day waits for midnight, and nothing is looked up for it", async () => {
  const tenant = await api.tenant({ credits: 5 });
  const lead = { email: "ada@chess.example", firstName: "Ada" };
  const { datasetId } = await insertDataset(api.sql, tenant, [lead]);
  const order = { dataset_id: datasetId, sender_data: { full_name: "Sam", company: "Overture" } };
  const { body } = await tenant.call("POST", "/api/v1/personalize", order);
  const [{ id }] = await query`select id from generations where batch_id = ${body.run_id}`;
  const midnight = new Date(api.deps.clock.now());
  midnight.setUTCHours(24, 0, 0, 0);
  await query`insert into model_days values (${tenant.workspaceId}, ${api.deps.clock.now().toISOString().slice(0, 10)}, ${MODEL_CALLS_A_DAY}, 0, 0, 0)`;
  expect(await runGeneration(api.deps, id)).toBe("put_back");
  const [{ due_at: dueAt }] = await query`select due_at from generations where id = ${id}`;
  expect(Math.abs(dueAt.getTime() - midnight.getTime())).toBeLessThanOrEqual(1_000);
  expect([search.log.entries(), model.log.entries()]).toEqual([[], []]);
  api.advance((dueAt.getTime() - api.deps.clock.now().getTime()) / 1_000 + 1);
  expect(await runGeneration(api.deps, id)).toBe("generated");
  expect(search.log.entries()).not.toEqual([]);
});
