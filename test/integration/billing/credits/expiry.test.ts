import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { beforeEach, expect, test } from "vitest";
import { commit } from "#db/base/client.ts";
import { dueHoldsSql } from "#db/billing/credit-ledger.ts";
import { expireStatement } from "#db/billing/credits.ts";
import { chargeFor } from "#src/domain/billing/credits/charge.ts";
import { expireHolds } from "#src/domain/billing/credits/expire.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { api, tenant, useApi } from "../../../support/use-api.ts";
import { type Ledger, ledgerOf } from "../../../support/ledger.ts";

const MINUTE = 60;
const HOUR_MS = 3_600_000;

let ledger: Ledger;
useApi({ of: { credits: 5 }, eachTest: true });
beforeEach(() => {
  ledger = ledgerOf(api, tenant);
});

const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());

test("credits held for a call whose worker died come back after 15 minutes, by the scheduled check", async () => {
  await new Promise<void>((begun) => {
    const dies = () => {
      begun();
      return new Promise<never>(() => {});
    };
    const work = { refType: "personalization_preview", refId: randomUUID() } as const;
    void chargeFor(api.deps, tenant, work, dies);
  });
  api.advance(14 * MINUTE);
  await expireHolds(api.deps);
  expect(await ledger.balance()).toEqual({ available: 4, held: 1, owed: 0 });
  api.advance(MINUTE);
  await fullCheck(api.deps);
  await api.settled();
  expect(await ledger.balance()).toEqual({ available: 5, held: 0, owed: 0 });
  expect(await ledger.kinds("personalization_preview")).toEqual({ hold: 1, expire: 1 });
  await ledger.expectSound();
});

test("a batch is held for a day, or for as long as its caller says", async () => {
  await ledger.hold(uuids(2));
  await ledger.hold(uuids(1), HOUR_MS);
  api.advance(60 * MINUTE);
  await expireHolds(api.deps);
  expect(await ledger.balance()).toMatchObject({ held: 2 });
  api.advance(23 * 60 * MINUTE);
  await expireHolds(api.deps);
  expect(await ledger.balance()).toMatchObject({ available: 5, held: 0 });
});

test("what expires pays what is owed first", async () => {
  await ledger.hold(uuids(3), 0);
  await ledger.takeBack("purchase", 4);
  expect(await ledger.balance()).toEqual({ available: 0, held: 3, owed: 2 });
  await expireHolds(api.deps);
  expect(await ledger.balance()).toEqual({ available: 1, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("a sweeper that also names what another gave back before pays what is owed from its own alone", async () => {
  await ledger.hold(["a", "b"], 0);
  await ledger.takeBack("purchase", 5);
  expect(await ledger.balance()).toEqual({ available: 0, held: 2, owed: 2 });
  const { db, ids, clock } = api.deps;
  const giveBack = (...refs: string[]) => {
    const items = refs.map((refId) => ({ entryId: ids.uuid(), refId }));
    const { workspaceId, refType } = ledger.charge(refs);
    return commit(db, [expireStatement(db, { workspaceId, refType, items, now: clock.now() })]);
  };
  await giveBack("a");
  await giveBack("a", "b");
  expect(await ledger.balance()).toEqual({ available: 0, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("several sweepers at once give each hold back once, whoever's it is", async () => {
  const ledgers = await Promise.all(
    [40, 300, 300].map(async (credits) => ledgerOf(api, await api.tenant({ credits }))),
  );
  for (const each of ledgers) await each.hold(uuids((await each.balance()).available), 0);
  await Promise.all([1, 2, 3, 4].map(() => expireHolds(api.deps)));
  for (const [index, credits] of [40, 300, 300].entries()) {
    expect(await ledgers[index]!.balance()).toEqual({ available: credits, held: 0, owed: 0 });
    expect((await ledgers[index]!.kinds())["expire"]).toBe(credits);
    await ledgers[index]!.expectSound();
  }
});

test("work delivered after its hold ran out is charged if the credits are there, and once", async () => {
  const [ref] = uuids(1) as [string];
  await ledger.hold([ref], 0);
  await expireHolds(api.deps);
  for (let times = 0; times < 2; times++) await ledger.end([ref], true);
  expect(await ledger.balance()).toEqual({ available: 4, held: 0, owed: 0 });
  expect(await ledger.kinds()).toEqual({ hold: 1, expire: 1, capture: 1 });
  await ledger.expectSound();
});

test("without the credits it is let go for good: neither a debt nor a charge after the next purchase", async () => {
  const refs = uuids(3);
  await ledger.hold(refs, 0);
  await expireHolds(api.deps);
  await ledger.takeBack("purchase", 4);
  await ledger.end(refs, true);
  expect(await ledger.balance()).toEqual({ available: 0, held: 0, owed: 0 });
  await ledger.grant("later", 5);
  await ledger.end(refs, true);
  expect(await ledger.balance()).toEqual({ available: 5, held: 0, owed: 0 });
  expect((await ledger.kinds())["capture"]).toBe(3);
  await ledger.expectSound();
});

test("work that failed after its hold ran out is given back no second time, nor charged later", async () => {
  const refs = uuids(1);
  await ledger.hold(refs, 0);
  await expireHolds(api.deps);
  await ledger.end(refs, false);
  await ledger.end(refs, true);
  expect(await ledger.balance()).toEqual({ available: 5, held: 0, owed: 0 });
});

test("a capture and a sweeper that meet at one hold charge it once, whoever comes first", async () => {
  const sweep = () => expireHolds(api.deps);
  const [early, late] = uuids(2) as [string, string];
  await ledger.hold([early], 0);
  await ledger.meet(() => ledger.end([early], true), sweep);
  expect(await ledger.kinds()).toEqual({ hold: 1, capture: 1 });
  await ledger.hold([late], 0);
  await ledger.meet(sweep, () => ledger.end([late], true));
  expect(await ledger.kinds()).toEqual({ hold: 2, expire: 1, capture: 2 });
  expect(await ledger.balance()).toEqual({ available: 3, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("who gives back beside a refund pays the debt that has just come", async () => {
  await ledger.hold(uuids(3), 0);
  await ledger.meet(
    () => ledger.takeBack("purchase", 4),
    () => expireHolds(api.deps),
  );
  expect(await ledger.balance()).toEqual({ available: 1, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("looking for what is due reads neither the holds that were settled nor those given back", async () => {
  await ledger.hold(["due"], 0);
  await api.sql.query(
    `insert into credit_holds (workspace_id, ref_type, ref_id, amount, expires_at, returned_at)
     select $1, 'test', n::text, 1, $2, case when n % 2 = 0 then $2::timestamptz end from generate_series(1, 20000) n`,
    [tenant.workspaceId, new Date(0)],
  );
  await api.sql.query("delete from credit_holds where ref_type = 'test' and returned_at is null");
  await api.sql.query("vacuum analyze credit_holds");
  const { sql, params } = new PgDialect().sqlToQuery(dueHoldsSql(api.deps.clock.now(), 500));
  const { rows } = await api.sql.query(`explain (analyze, buffers, format json) ${sql}`, params);
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  expect(plan["Actual Rows"]).toBe(1);
  await expireHolds(api.deps);
  expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(10);
});

test("more holds than one batch takes are given back in one check", async () => {
  await ledger.grant("more", 1_500);
  await ledger.hold(uuids(1_200), 0);
  expect(await expireHolds(api.deps)).toBe(1_200);
  expect(await ledger.balance()).toEqual({ available: 1_505, held: 0, owed: 0 });
});
