import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commit } from "#db/client.ts";
import { grantStatement, holdStatement, takeBackStatement } from "#db/credits.ts";
import { outboxStatement } from "#db/outbox.ts";
import {
  captureCredits,
  creditMove,
  grantCredits,
  holdCredits,
  releaseCredits,
  throwInsufficient,
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

test("a hold ends once: captured or released, however many try both at once", async () => {
  const tenant = await tenantWith(40);
  const refs = Array.from({ length: 40 }, () => randomUUID());
  await holdCredits(api.deps, tenant.workspaceId, "race", refs);
  await Promise.all(
    refs.flatMap((ref) => [
      captureCredits(api.deps, tenant.workspaceId, "race", [ref]),
      releaseCredits(api.deps, tenant.workspaceId, "race", [ref]),
    ]),
  );
  const { rows } = await api.sql.query(
    "select kind, count(*)::int as count from credit_entries where workspace_id = $1 and kind <> 'hold' and ref_type = 'race' group by kind",
    [tenant.workspaceId],
  );
  const ended = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
  const released = ended["release"] ?? 0;
  expect(released + (ended["capture"] ?? 0)).toBe(40);
  expect(await balanceOf(tenant)).toEqual({ available: released, held: 0, owed: 0 });
  expect(await ledgerOf(tenant)).toEqual(await balanceOf(tenant));
});

test("what was never held is neither spent nor given back", async () => {
  const tenant = await tenantWith(5);
  await holdCredits(api.deps, tenant.workspaceId, "draft", [randomUUID()]);
  await captureCredits(api.deps, tenant.workspaceId, "draft", [randomUUID()]);
  await releaseCredits(api.deps, tenant.workspaceId, "draft", [randomUUID()]);
  expect(await balanceOf(tenant)).toEqual({ available: 4, held: 1, owed: 0 });
});

test("what is owed is paid first, by releases and by grants", async () => {
  const tenant = await tenantWith(3);
  const refs = [randomUUID(), randomUUID(), randomUUID()];
  await holdCredits(api.deps, tenant.workspaceId, "draft", refs);
  await api.sql.query("update credit_balances set owed = 4 where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  await releaseCredits(api.deps, tenant.workspaceId, "draft", refs);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 1 });
  await grantCredits(api.deps, tenant.workspaceId, 10, { type: "test", id: "later" });
  expect(await balanceOf(tenant)).toEqual({ available: 9, held: 0, owed: 0 });
  expect(await ledgerOf(tenant)).toEqual({ available: 9, held: 0, owed: -4 });
});

test("what is taken back is taken from what is left, the rest is owed, and each cause counts once", async () => {
  const tenant = await tenantWith(10);
  await holdCredits(api.deps, tenant.workspaceId, "draft", [randomUUID(), randomUUID()]);
  const change = (id: string, amount: number) => ({
    id: randomUUID(),
    workspaceId: tenant.workspaceId,
    amount,
    ref: { type: "test", id },
    now: api.deps.clock.now(),
  });
  const refund = () =>
    commit(api.deps.db, [
      takeBackStatement(api.deps.db, { ...change("purchase", 10), kind: "refund" }),
    ]);
  await Promise.all([refund(), refund(), refund()]);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 2, owed: 2 });
  const failed = { ...change("purchase", 10), kind: "refund_failed" as const };
  await commit(api.deps.db, [grantStatement(api.deps.db, failed)]);
  expect(await balanceOf(tenant)).toEqual({ available: 8, held: 2, owed: 0 });
  expect(await ledgerOf(tenant)).toEqual(await balanceOf(tenant));
});

test("a hold joins the transaction of what it pays for: too few credits, and neither happens", async () => {
  const tenant = await tenantWith(1);
  const { deps } = api;
  const effect = (dedupKey: string) =>
    outboxStatement(deps.db, {
      id: deps.ids.uuid(),
      workspaceId: tenant.workspaceId,
      kind: "lead_reply",
      dedupKey,
      payload: { campaign_id: "c", campaign_lead_id: "l", send_id: "s" },
      now: deps.clock.now(),
    });
  const enqueue = (dedupKey: string, refs: string[]) => {
    const move = creditMove(deps, tenant.workspaceId, "draft", refs);
    return commit(deps.db, [
      effect(dedupKey),
      holdStatement(deps.db, { ...move, amount: 1 }),
    ]).catch(throwInsufficient(refs.length));
  };
  const tooMany = enqueue("two", [randomUUID(), randomUUID()]);
  await expect(tooMany).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS", kind: "forbidden" });
  const ref = randomUUID();
  await enqueue("one", [ref]);
  await enqueue("one", [ref]);
  const { rows } = await api.sql.query("select dedup_key from outbox where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  expect(rows).toEqual([{ dedup_key: "one" }]);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 1, owed: 0 });
});

test("whatever is done, in whatever order and at once, the balance is the sum of its entries", async () => {
  const move = fc.record({
    verb: fc.constantFrom("grant", "hold", "capture", "release"),
    refs: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }),
  });
  const verbs = {
    grant: ({ workspaceId }: Tenant, refs: string[]) =>
      grantCredits(api.deps, workspaceId, refs.length, { type: "test", id: refs.join() }),
    hold: ({ workspaceId }: Tenant, refs: string[]) =>
      holdCredits(api.deps, workspaceId, "any", refs),
    capture: ({ workspaceId }: Tenant, refs: string[]) =>
      captureCredits(api.deps, workspaceId, "any", refs),
    release: ({ workspaceId }: Tenant, refs: string[]) =>
      releaseCredits(api.deps, workspaceId, "any", refs),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 12 }), fc.boolean(), async (moves, atOnce) => {
      const tenant = await tenantWith(2);
      const run = ({ verb, refs }: (typeof moves)[number]) =>
        verbs[verb as keyof typeof verbs](tenant, refs).catch((error: { code?: string }) => {
          if (error.code !== "INSUFFICIENT_CREDITS") throw error;
        });
      if (atOnce) await Promise.all(moves.map(run));
      else for (const each of moves) await run(each);
      expect(await ledgerOf(tenant)).toEqual(await balanceOf(tenant));
    }),
    { numRuns: 40 },
  );
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
