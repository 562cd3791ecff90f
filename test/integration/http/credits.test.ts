import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  captureCredits,
  grantCredits,
  holdCredits,
  releaseCredits,
} from "#src/domain/credits/move.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function tenantWith(credits: number): Promise<Tenant> {
  const tenant = await api.tenant({ credits: 0 });
  await grantCredits(api.deps, tenant.workspaceId, credits, { type: "test", id: "grant" });
  return tenant;
}

const balanceOf = async ({ workspaceId }: Tenant) =>
  (
    await api.sql.query(
      "select available, held, owed from credit_balances where workspace_id = $1",
      [workspaceId],
    )
  ).rows[0];

/** What the ledger says the balance must be. */
const ledgerOf = async ({ workspaceId }: Tenant) =>
  (
    await api.sql.query(
      "select sum(available_delta)::int as available, sum(held_delta)::int as held, sum(owed_delta)::int as owed from credit_entries where workspace_id = $1",
      [workspaceId],
    )
  ).rows[0];

test("holding, capturing and releasing move credits, each reference once", async () => {
  const tenant = await tenantWith(5);
  const [spent, returned] = [randomUUID(), randomUUID()];
  await holdCredits(api.deps, tenant.workspaceId, "draft", [spent, returned]);
  expect(await balanceOf(tenant)).toEqual({ available: 3, held: 2, owed: 0 });
  for (let times = 0; times < 2; times++) {
    await captureCredits(api.deps, tenant.workspaceId, "draft", [spent]);
    await releaseCredits(api.deps, tenant.workspaceId, "draft", [returned]);
  }
  expect(await balanceOf(tenant)).toEqual({ available: 4, held: 0, owed: 0 });
  expect(await ledgerOf(tenant)).toEqual({ available: 4, held: 0, owed: 0 });
});

test("too few credits for all of it: 403 and nothing is held", async () => {
  const tenant = await tenantWith(2);
  const refs = [randomUUID(), randomUUID(), randomUUID()];
  await expect(holdCredits(api.deps, tenant.workspaceId, "draft", refs)).rejects.toMatchObject({
    code: "INSUFFICIENT_CREDITS",
  });
  expect(await balanceOf(tenant)).toEqual({ available: 2, held: 0, owed: 0 });
});

test("32 at once on one balance of 10: exactly ten hold, it is never negative, and the ledger adds up", async () => {
  const tenant = await tenantWith(10);
  const results = await Promise.allSettled(
    Array.from({ length: 32 }, () =>
      holdCredits(api.deps, tenant.workspaceId, "race", [randomUUID()]),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 10, owed: 0 });
  expect(await ledgerOf(tenant)).toEqual({ available: 0, held: 10, owed: 0 });
});

test("the same grant twice counts once", async () => {
  const tenant = await tenantWith(3);
  await grantCredits(api.deps, tenant.workspaceId, 3, { type: "test", id: "grant" }).catch(
    () => {},
  );
  expect(await balanceOf(tenant)).toMatchObject({ available: 3 });
});

test("balance, ledger and packs are read through the API, the ledger page by page", async () => {
  const tenant = await tenantWith(3);
  await holdCredits(api.deps, tenant.workspaceId, "draft", [randomUUID(), randomUUID()]);
  expect((await tenant.call("GET", "/api/v1/payments/balance")).body).toEqual({
    available: 1,
    held: 2,
    owed: 0,
    plan: "paid",
  });
  const first = (await tenant.call("GET", "/api/v1/payments/ledger?limit=2")).body;
  const second = (
    await tenant.call("GET", `/api/v1/payments/ledger?limit=2&cursor=${first.next_cursor}`)
  ).body;
  expect([first.items.length, first.has_more, second.items.length, second.has_more]).toEqual([
    2,
    true,
    1,
    false,
  ]);
  expect((await tenant.call("GET", "/api/v1/payments/ledger?cursor=bm9uc2Vuc2U")).status).toBe(422);
  const packs = (await tenant.call("GET", "/api/v1/payments/packs")).body;
  expect(packs.map((pack: { credits: number }) => pack.credits)).toEqual([1000, 5000, 20000]);
});
