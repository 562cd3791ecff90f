import { afterAll, expect, test } from "vitest";
import { findBatch } from "#db/messages/generation-batches.ts";
import { gatherNext } from "#src/domain/messages/drafts/gather-run.ts";
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

const orderOf = (dataset_id: string) => ({
  dataset_id,
  sender_data: { full_name: "Sam", company: "Overture" },
});

test("a text beyond the workspace's calls of the day waits for midnight, and nothing is looked up for it", async () => {
  const tenant = await api.tenant({ credits: 5 });
  const lead = { email: "ada@chess.example", firstName: "Ada" };
  const { datasetId } = await insertDataset(api.sql, tenant, [lead]);
  const { body } = await tenant.call("POST", "/api/v1/personalize", orderOf(datasetId));
  const [{ id }] = await query`select id from generations where batch_id = ${body.run_id}`;
  const midnight = new Date(api.deps.clock.now());
  midnight.setUTCHours(24, 0, 0, 0);
  await query`insert into model_days values (${tenant.workspaceId}, ${api.deps.clock.now().toISOString().slice(0, 10)}, ${MODEL_CALLS_A_DAY}, 0, 0, 0)`;
  expect(await runGeneration(api.deps, id)).toBe("put_back");
  const [{ due_at: dueAt }] = await query`select due_at from generations where id = ${id}`;
  const behind = dueAt.getTime() - midnight.getTime();
  expect([behind >= 0, behind < 60_000]).toEqual([true, true]);
  expect([search.log.entries(), model.log.entries()]).toEqual([[], []]);
  api.advance((dueAt.getTime() - api.deps.clock.now().getTime()) / 1_000 + 1);
  expect(await runGeneration(api.deps, id)).toBe("generated");
  expect(search.log.entries()).not.toEqual([]);
});

test("a run's credits are held for the days that its calls take, and a week", async () => {
  const tenant = await api.tenant({ credits: 5 });
  const { datasetId } = await insertDataset(api.sql, tenant, [{ email: "ada@chess.example" }]);
  const { body } = await tenant.call("POST", "/api/v1/personalize", orderOf(datasetId));
  const rows = [{ email: "bea@chess.example" }];
  await tenant.call("POST", `/api/v1/datasets/${datasetId}/import`, { rows });
  await query`update generation_batches set total = 100000 where id = ${body.run_id}`;
  await gatherNext(api.deps, (await findBatch(api.deps.db, body.run_id))!);
  const holds = await query`
    select h.expires_at from credit_holds h join generations g on g.id::text = h.ref_id
    where g.batch_id = ${body.run_id} order by g.lead_index`;
  const days = holds.map(
    ({ expires_at: at }) => (at - api.deps.clock.now().getTime()) / 86_400_000,
  );
  expect(days.map(Math.round)).toEqual([7 + 1, 7 + 20]);
});
