import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CampaignCreate, type Event, Overture, type OvertureOptions } from "#src/sdk/index.ts";
import { allOf } from "../../support/all-of.ts";
import { inlineStep, insertAlias, insertDataset } from "../../support/campaigns.ts";
import { serve } from "../../support/serve.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";
import { untilSettled } from "../workspace/webhooks/setting.ts";

useApi();
let server: Awaited<ReturnType<typeof serve>>;
let datasetId: string;
let aliasId: string;
beforeAll(async () => {
  server = await serve(api);
  ({ datasetId } = await insertDataset(api.sql, tenant, [{ email: "ada@example.zz" }]));
  aliasId = await insertAlias(api, tenant);
});
afterAll(() => server.close());

const clientOf = (more: Partial<OvertureOptions> = {}) =>
  new Overture({ baseUrl: server.url, apiKey: tenant.key, retryDelayMs: 1, ...more });
const campaign = (name: string) =>
  ({
    name,
    dataset_id: datasetId,
    alias_ids: [aliasId],
    steps: [inlineStep()],
  }) as CampaignCreate;

test("a campaign is made, read, changed as it was read, and launched", async () => {
  const { campaigns } = clientOf();
  const { campaign_id: id } = await campaigns.create(campaign("By the SDK"));
  let etag = "";
  await campaigns.get(id, {}, { onHeaders: (headers) => (etag = headers.get("etag")!) });
  const changed = await campaigns.change(id, { name: "Renamed" }, { ifMatch: etag });
  expect(changed.name).toBe("Renamed");
  const late = campaigns.change(id, { name: "Third" }, { ifMatch: etag });
  await expect(late).rejects.toMatchObject({ status: 412, code: "PRECONDITION_FAILED" });
  expect(await campaigns.launch(id)).toMatchObject({ campaign_id: id, launch_error: null });
});

test("what was done though its answer was lost is done once", async () => {
  const lost = new Set([1, 2]);
  let count = 0;
  const lossy = (async (...of: Parameters<typeof fetch>) => {
    const response = await fetch(...of);
    await response.clone().text();
    if (lost.has(++count)) throw new TypeError("the connection was reset");
    return response;
  }) as typeof fetch;
  const name = randomUUID();
  let replayed: string | null = null;
  await clientOf({ fetch: lossy }).campaigns.create(campaign(name), {
    onHeaders: (headers) => (replayed = headers.get("idempotent-replayed")),
  });
  const [{ made }] = await query`select count(*)::int as made from campaigns where name = ${name}`;
  expect([count, replayed, made]).toEqual([3, "true", 1]);
});

test("a list is all of it, a page at a time", async () => {
  const overture = clientOf();
  const names = Array.from({ length: 7 }, (_, index) => `List ${index}`);
  for (const name of names) await overture.datasets.create({ name });
  const found = await allOf(overture.datasets.list({ limit: 2 }));
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  expect((await overture.datasets.list({ limit: 2 }).page()).items).toHaveLength(2);
  // The feed ends where another transaction, of whatever database beside this one, is open.
  await untilSettled();
  const events: Event[] = await allOf(overture.events.list({ limit: 3 }));
  expect(events.length).toBeGreaterThan(3);
});

test("events are read backwards to the oldest, each once, a page at a time", async () => {
  await untilSettled();
  const before = await allOf(clientOf().events.list());
  await query`
    insert into events (workspace_id, id, type, at, data)
    select ${tenant.workspaceId}, gen_random_uuid(), 'email.sent', ${api.deps.clock.now()}, '{}'
    from generate_series(1, 101)`;
  await untilSettled();
  const back = await allOf(clientOf().events.list({ before: "now" }));
  expect(new Set(back.map(({ id }) => id)).size).toBe(back.length);
  expect(back).toHaveLength(before.length + 101);
});

test("a refusal says its status, code and request", async () => {
  const missing = clientOf().campaigns.get(randomUUID());
  await expect(missing).rejects.toMatchObject({
    name: "OvertureError",
    status: 404,
    code: "CAMPAIGN_NOT_FOUND",
    requestId: expect.stringMatching(/^[\w-]{8,}$/),
  });
  const unfit = clientOf().campaigns.create({ name: 7 } as never);
  await expect(unfit).rejects.toMatchObject({
    status: 422,
    problem: { errors: expect.arrayContaining([expect.objectContaining({ pointer: "#/name" })]) },
  });
  const unknown = clientOf({ apiKey: "svc_live_nobody" }).campaigns.list().page();
  await expect(unknown).rejects.toMatchObject({ status: 401 });
});

test("a file of leads and a file of what became of them", async () => {
  const overture = clientOf();
  const { id } = await overture.datasets.create({ name: "A file" });
  const form = new FormData();
  form.append(
    "file",
    new Blob(["email,First Name\nzoe@example.zz,Zoë\n"], { type: "text/csv" }),
    "a.csv",
  );
  await overture.datasets.importLeads(id, form, { query: { dry_run: "true" } });
  expect(await allOf(overture.leads.list(id))).toEqual([]);
  await overture.datasets.importLeads(id, form);
  expect(await overture.datasets.exportLeads(id)).toContain("zoe@example.zz");
});
