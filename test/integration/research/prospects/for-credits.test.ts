import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "#db/base/client.ts";
import type { Principal } from "#src/deps.ts";
import { importProspects } from "#src/domain/research/prospects/import-to-dataset.ts";
import { importProspectFile } from "../../../../scripts/prospect-import.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  const lines = Array.from(
    { length: 12 },
    (_, n) => `https://net.zz/in/p${n},Person ${n},fintech,${90 - n}`,
  );
  const file = (async function* () {
    yield new TextEncoder().encode(`profile_url,full_name,tags,quality\n${lines.join("\n")}\n`);
  })();
  await importProspectFile(client, file);
  await client.end();
});
afterAll(() => api.close());

const balanceOf = async (tenant: Tenant) =>
  (await tenant.call("GET", "/api/v1/payments/balance")).body as {
    available: number;
    held: number;
  };
const search = (tenant: Tenant, body: object) =>
  tenant.call("POST", "/api/v1/prospects/search", body);

test("a search costs a credit for each who is found, and nothing for nobody", async () => {
  const tenant = await api.tenant({ credits: 30 });
  const found = await search(tenant, { tags: ["FinTech"], limit: 20 });
  expect(found).toMatchObject({ status: 200, body: { count: 12 } });
  expect(found.body.results[0]).toMatchObject({ full_name: "Person 0", score: 1 });
  expect(await balanceOf(tenant)).toMatchObject({ available: 18, held: 0 });
  expect((await search(tenant, { tags: ["nobody"], limit: 18 })).body).toEqual({
    count: 0,
    results: [],
  });
  expect(await balanceOf(tenant)).toMatchObject({ available: 18, held: 0 });
});

test("with fewer credits than could be found nothing is searched: 403", async () => {
  const tenant = await api.tenant({ credits: 4 });
  const refused = await search(tenant, { tags: ["fintech"], limit: 5 });
  expect([refused.status, refused.body.detail]).toEqual([403, "INSUFFICIENT_CREDITS"]);
  expect((await search(tenant, { tags: ["fintech"], limit: 4 })).body.count).toBe(4);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, held: 0 });
});

test("prospects become leads of a dataset: new ones cost a credit, known ones nothing", async () => {
  const tenant = await api.tenant({ credits: 20 });
  const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
  const at = `/api/v1/datasets/${dataset.id}`;
  const order = { prospect_tags: ["fintech"], limit: 5 };
  const first = await tenant.call("POST", `${at}/import`, order);
  expect(first).toMatchObject({ status: 200, body: { total: 5, created: 5, updated: 0 } });
  expect(await balanceOf(tenant)).toMatchObject({ available: 15, held: 0 });
  const more = await tenant.call("POST", `${at}/import`, { ...order, limit: 8 });
  expect(more).toMatchObject({ body: { total: 8, created: 3, updated: 5 } });
  expect(await balanceOf(tenant)).toMatchObject({ available: 12, held: 0 });
  expect((await tenant.call("GET", at)).body).toMatchObject({ source: "prospects", row_count: 8 });
  const { body: leads } = await tenant.call("GET", `${at}/leads`);
  expect(leads.items[0]).toMatchObject({ full_name: "Person 0", tags: ["fintech"] });
});

test("a search that finds nobody tells of no end of the credits", async () => {
  const tenant = await api.tenant({ credits: 20 });
  expect((await search(tenant, { tags: ["nobody"], limit: 20 })).body.count).toBe(0);
  const told = await tenant.call("GET", "/api/v1/events?types=credits.exhausted,credits.low");
  expect([told.status, told.body.items]).toEqual([200, []]);
});

test("who finds nobody leaves nothing in the ledger", async () => {
  const tenant = await api.tenant({ credits: 1_000 });
  const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
  const order = { prospect_tags: ["nobody"], limit: 1_000 };
  await search(tenant, { tags: ["nobody"], limit: 50 });
  const { body } = await tenant.call("POST", `/api/v1/datasets/${dataset.id}/import`, order);
  expect(body).toMatchObject({ total: 0, created: 0 });
  const { body: ledger } = await tenant.call("GET", "/api/v1/payments/ledger");
  expect(ledger.items.map(({ kind }: { kind: string }) => kind)).toEqual(["grant"]);
});

test("of two searches at once for the same credits one finds, and no credit is spent twice", async () => {
  const tenant = await api.tenant({ credits: 12 });
  const asked = { tags: ["fintech"], limit: 12 };
  const both = await Promise.all([search(tenant, asked), search(tenant, asked)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, held: 0 });
});

test("leads are paid for in the transaction that stores them, whoever hears of it", async () => {
  const tenant = await api.tenant({ credits: 20 });
  const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
  const at = `/api/v1/datasets/${dataset.id}`;
  const order = { prospect_tags: ["fintech"], limit: 3 };
  await tenant.call("POST", `${at}/import`, order);
  const { workspaceId, userId } = tenant;
  const principal: Principal = {
    workspaceId,
    userId,
    plan: "paid",
    role: "owner",
    via: "key",
    actor: "key:of a test",
    scopes: null,
    confirm: "human",
  };
  const deps = { ...api.deps, db: losing(api.deps.db) };
  const lost = importProspects(deps, principal, dataset.id, { ...order, limit: 5 });
  await expect(lost).rejects.toThrow("lost");
  expect((await tenant.call("GET", at)).body.row_count).toBe(5);
  expect(await balanceOf(tenant)).toMatchObject({ available: 15, held: 0 });
});

/** Each of its transactions is committed, and the answer lost. */
const losing = (db: Db): Db =>
  new Proxy(db, {
    get: (real, name) =>
      name !== "batch"
        ? Reflect.get(real, name)
        : async (...order: Parameters<Db["batch"]>) => {
            await real.batch(...order);
            throw new Error("lost");
          },
  });

test("an import that finds no dataset, or no credits, costs nothing", async () => {
  const tenant = await api.tenant({ credits: 3 });
  const order = { prospect_tags: ["fintech"], limit: 3 };
  const nowhere = "/api/v1/datasets/01a1fc0c-6921-718e-aa4a-ab45df202f28/import";
  expect((await tenant.call("POST", nowhere, order)).status).toBe(404);
  const { body: dataset } = await tenant.call("POST", "/api/v1/datasets", { name: "D" });
  const at = `/api/v1/datasets/${dataset.id}/import`;
  expect((await tenant.call("POST", at, { ...order, limit: 4 })).status).toBe(403);
  expect(await balanceOf(tenant)).toMatchObject({ available: 3, held: 0 });
  for (const wrong of [
    { prospect_tags: [] },
    { prospect_tags: ["a"], limit: 1_001 },
    { prospect_tags: "a" },
  ])
    expect((await tenant.call("POST", at, wrong)).status).toBe(422);
});
