import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit, driverError } from "#db/base/client.ts";
import { isFenced } from "#db/base/fence.ts";
import { outboxStatement } from "#db/base/fragments/outbox.ts";
import {
  chargeFor,
  chargeForEach,
  type Delivery,
  hold,
  settle,
  settleFirst,
  throwInsufficient,
} from "#src/domain/billing/credits/charge.ts";
import { statements } from "../../../support/statements.ts";
import { api, tenant, useApi } from "../../../support/use-api.ts";
import { type Ledger, ledgerOf } from "../../../support/ledger.ts";

let ledger: Ledger;
useApi({ of: { credits: 5 }, eachTest: true });
beforeEach(() => {
  ledger = ledgerOf(api, tenant);
});

const call = <Value>(work: () => Promise<Delivery<Value>>, refId: string = randomUUID()) =>
  chargeFor(api.deps, tenant, { refType: "personalization_draft", refId }, work);
const sees = async (balance: Partial<Awaited<ReturnType<Ledger["balance"]>>>) =>
  expect(await ledger.balance()).toMatchObject(balance);

test("work that delivers is charged; its credit is held while it is done, at one round trip before and one after", async () => {
  const asked = await statements(api);
  const value = await call(async () => {
    expect(asked()).toBe(1);
    await sees({ available: 4, held: 1 });
    return { spent: true, value: "safe" };
  });
  expect(value).toBe("safe");
  expect(asked()).toBe(2);
  await sees({ available: 4, held: 0 });
  await ledger.expectSound();
});

test("work that found nothing answers and costs nothing", async () => {
  expect(await call(async () => ({ spent: false, value: "unknown" }))).toBe("unknown");
  await sees({ available: 5, held: 0 });
});

test("work that throws gives the credit back, and the caller gets its error", async () => {
  const failure = new Error("the model is down");
  await expect(call(() => Promise.reject(failure))).rejects.toBe(failure);
  const throwsAtOnce = () => {
    throw failure;
  };
  await expect(call(throwsAtOnce)).rejects.toBe(failure);
  await sees({ available: 5, held: 0 });
});

test("without credits the work is not begun: 403", async () => {
  await ledger.takeBack("purchase", 5);
  let begun = false;
  const refused = call(async () => {
    begun = true;
    return { spent: true, value: null };
  });
  await expect(refused).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS", kind: "forbidden" });
  expect(begun).toBe(false);
});

test("an attempt is charged once: of two workers with the same reference one does the work", async () => {
  const refId = randomUUID();
  let done = 0;
  const work = async () => ({ spent: true, value: ++done });
  const results = await Promise.allSettled([call(work, refId), call(work, refId)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(call(work, refId)).rejects.toThrow("charged before");
  expect(done).toBe(1);
  await sees({ available: 4, held: 0 });
});

test("when giving back fails, the caller still gets the work's own error, and the hold runs out by itself", async () => {
  const failure = new Error("the model is down");
  const failed = call(() => {
    api.neon.faults.order("refuse", 1);
    return Promise.reject(failure);
  });
  await expect(failed).rejects.toBe(failure);
  await sees({ available: 4, held: 1 });
});

test("when charging fails, what was delivered is answered all the same", async () => {
  const value = await call(async () => {
    api.neon.faults.order("refuse", 1);
    return { spent: true, value: "safe" };
  });
  expect(value).toBe("safe");
  await sees({ available: 4, held: 1 });
});

test("a charge whose reply is lost is charged once, and answered", async () => {
  const value = await call(async () => {
    api.neon.faults.order("reply_lost", 1);
    return { spent: true, value: "safe" };
  });
  expect(value).toBe("safe");
  await sees({ available: 4, held: 0 });
  await ledger.expectSound();
});

/** Some effect of the transaction that credits join. */
const effect = (dedupKey: string) =>
  outboxStatement(api.deps.db, {
    id: api.deps.ids.uuid(),
    workspaceId: tenant.workspaceId,
    kind: "lead_reply",
    dedupKey,
    payload: { campaign_id: "c", campaign_lead_id: "l", send_id: "s" },
    now: api.deps.clock.now(),
  });
const effects = async () =>
  (
    await api.sql.query(
      "select dedup_key from outbox where workspace_id = $1 order by created_at, id",
      [tenant.workspaceId],
    )
  ).rows.map((row) => row.dedup_key);

test("a batch is held for in the transaction that enqueues it: too few credits, and neither happens", async () => {
  const enqueue = (name: string, refIds: string[]) => {
    const charge = ledger.charge(refIds);
    const statements = [effect(`${name}-${tenant.workspaceId}`), hold(api.deps, charge)] as const;
    return commit(api.deps.db, statements).catch(throwInsufficient(charge));
  };
  const tooMany = Array.from({ length: 6 }, () => randomUUID());
  await expect(enqueue("six", tooMany)).rejects.toMatchObject({
    code: "INSUFFICIENT_CREDITS",
    message: expect.stringContaining("6 credits"),
  });
  const refs = tooMany.slice(2);
  await enqueue("four", refs);
  await enqueue("four", refs);
  expect(await effects()).toEqual([`four-${tenant.workspaceId}`]);
  await sees({ available: 1, held: 4 });
});

test("a batch is settled item by item with its results, in one transaction that may be repeated", async () => {
  const refs = Array.from({ length: 4 }, () => randomUUID());
  await ledger.hold(refs);
  const store = () =>
    commit(api.deps.db, [
      effect(`results-${tenant.workspaceId}`),
      ...settle(api.deps, ledger.charge(refs.slice(0, 3)), (ref) => ref !== refs[1]),
    ]);
  await Promise.all([store(), store()]);
  await store();
  expect(await ledger.balance()).toEqual({ available: 2, held: 1, owed: 0 });
  expect(await ledger.kinds()).toEqual({ hold: 4, capture: 2, release: 1 });
  await ledger.expectSound();
});

test("a result that cannot be stored is not charged for", async () => {
  const refs = [randomUUID()];
  await ledger.hold(refs);
  const failing = api.deps.db.execute("select 1 / 0");
  const [capture] = settle(api.deps, ledger.charge(refs), () => true);
  const stored = commit(api.deps.db, [capture!, failing]);
  await expect(stored.catch(driverError)).resolves.toMatchObject({ code: "22012" });
  await sees({ available: 4, held: 1 });
});

test("work that stores what it delivers spends what its transaction says, and stores nothing once its holds are given back", async () => {
  const refIds = Array.from({ length: 3 }, () => randomUUID());
  const charge = { workspaceId: tenant.workspaceId, refType: "prospect_found" as const, refIds };
  const store = () => {
    const [first, ...others] = settleFirst(api.deps, charge, sql`2`);
    return commit(api.deps.db, [first!, ...others]);
  };
  const lost = chargeForEach(api.deps, tenant, charge, () => Promise.reject(new Error("lost")));
  await expect(lost).rejects.toThrow("lost");
  await expect(store()).rejects.toSatisfy(isFenced);
  await sees({ available: 5, held: 0 });
  charge.refIds = refIds.map(() => randomUUID());
  await chargeForEach(api.deps, tenant, charge, async () => {
    await store();
    return { spent: "settled", value: null };
  });
  await sees({ available: 3, held: 0 });
  await ledger.expectSound();
});
