/** What a workspace had under way when it was deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { runWorker } from "#src/domain/messages/drafts/run-worker.ts";
import { runQueuedImport } from "#src/domain/people/leads/sheet-import.ts";
import type { GooglePart } from "../../../../scripts/stack/google/google.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import {
  activeCampaign,
  createCampaign,
  forceStatus,
  insertDataset,
  launchable,
} from "../../../support/campaigns.ts";
import { googleEnv, sheetUrl, startTestGoogle } from "../../../support/google.ts";

let api: TestApi;
let google: GooglePart;
let model: ModelPart;
beforeAll(async () => {
  google = await startTestGoogle();
  model = await startModel();
  api = await startApi({ ...googleEnv(google), ...model.env });
});
afterAll(() => Promise.all([api.close(), google.close(), model.close()]));

const rowsOf = async (text: string, { workspaceId }: Tenant) =>
  (await api.sql.query(text, [workspaceId])).rows;
const deletes = (tenant: Tenant) => tenant.callAsUser("DELETE", "/api/v1/workspace");

test("a running campaign is paused as by hand, a scheduled one is a draft, a launching one has failed", async () => {
  const tenant = await api.tenant();
  await activeCampaign(api, tenant, { name: "1" });
  for (const [name, status, more] of [
    ["2", "scheduled", { start_date: "2100-01-01T00:00:00Z" }],
    ["3", "launching", {}],
  ] as const) {
    const { body } = await launchable(api, tenant, [{ email: `lead${name}@example.zz` }]);
    const { campaign_id } = await createCampaign(tenant, { ...body, name });
    await forceStatus(api.sql, campaign_id, status, more);
  }
  expect((await deletes(tenant)).status).toBe(200);
  const states =
    "select status, paused_reason, launch_error from campaigns where workspace_id = $1 order by name";
  expect(await rowsOf(states, tenant)).toEqual([
    { status: "paused", paused_reason: "user_requested", launch_error: null },
    { status: "draft", paused_reason: null, launch_error: null },
    { status: "failed", paused_reason: null, launch_error: "The workspace was deleted." },
  ]);
});

test("an import, a dataset's verification and a run end, and what was held for them goes back", async () => {
  const tenant = await api.tenant({ credits: 50 });
  const people = [1, 2, 3].map((n) => ({ email: `ada${n}@example.zz`, firstName: `Ada${n}` }));
  const { datasetId } = await insertDataset(api.sql, tenant, people);
  const { body: sheet } = await tenant.call("POST", "/api/v1/datasets", { name: "Sheet" });
  const begun = await Promise.all([
    tenant.call("POST", `/api/v1/datasets/${sheet.id}/import`, {
      sheet_url: sheetUrl("local-rows-6000"),
    }),
    tenant.call("POST", `/api/v1/email-verification/dataset/${datasetId}`),
    tenant.call("POST", "/api/v1/personalize", {
      dataset_id: datasetId,
      sender_data: { full_name: "Sam Field", company: "Overture" },
    }),
  ]);
  expect(begun.map(({ status }) => status)).toEqual([202, 202, 202]);
  const balance = "select available, held from credit_balances where workspace_id = $1";
  expect(await rowsOf(balance, tenant)).toEqual([{ available: 44, held: 6 }]);

  await deletes(tenant);
  const [imported] = await rowsOf(
    "select id, status from sheet_imports where workspace_id = $1",
    tenant,
  );
  expect(imported.status).toBe("failed");
  expect(await runQueuedImport(api.deps, imported.id)).toBe("superseded");
  expect(
    await rowsOf("select status from dataset_verifications where workspace_id = $1", tenant),
  ).toEqual([{ status: "cancelled" }]);
  expect(
    await rowsOf("select cancelled_at from generation_batches where workspace_id = $1", tenant),
  ).toEqual([{ cancelled_at: expect.any(Date) }]);
  // Its workers find each text cancelled, and come to the end without a word to the model.
  const rounds = Array.from({ length: 10 }, () => begun[2].body.run_id as string);
  for (const run of rounds) if ((await runWorker(api.deps, run)) === "over") break;
  expect(await runWorker(api.deps, rounds[0]!)).toBe("over");
  expect(model.log.entries()).toEqual([]);
  expect(await rowsOf(balance, tenant)).toEqual([{ available: 50, held: 0 }]);
});
