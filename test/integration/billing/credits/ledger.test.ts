import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { api, useApi } from "../../../support/use-api.ts";
import { type Ledger, ledgerOf } from "../../../support/ledger.ts";

useApi();

const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());
const ledgerWith = async (credits: number): Promise<Ledger> =>
  ledgerOf(api, await api.tenant({ credits }));

test("holding, capturing and releasing move credits, each reference once", async () => {
  const ledger = await ledgerWith(5);
  const [spent, returned] = [randomUUID(), randomUUID()];
  await ledger.hold([spent, returned]);
  expect(await ledger.balance()).toEqual({ available: 3, held: 2, owed: 0 });
  for (let times = 0; times < 2; times++) {
    await ledger.end([spent], true);
    await ledger.end([returned], false);
    await ledger.hold([spent, returned]);
  }
  expect(await ledger.balance()).toEqual({ available: 4, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("too few credits for all of it: 403 and nothing is held", async () => {
  const ledger = await ledgerWith(2);
  await expect(ledger.hold(uuids(3))).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  expect(await ledger.balance()).toEqual({ available: 2, held: 0, owed: 0 });
});

test("32 spenders on one balance spend it to the last credit, one for each that was served", async () => {
  const ledger = await ledgerWith(300);
  let spent = 0;
  const spender = async () => {
    for (let turn = 0; turn < 10; turn++) {
      const ref = randomUUID();
      const held = await ledger.hold([ref]).then(
        () => true,
        () => false,
      );
      if (!held) continue;
      await ledger.end([ref], turn % 5 > 0);
      if (turn % 5 > 0) spent++;
    }
  };
  await Promise.all(Array.from({ length: 32 }, spender));
  expect(await ledger.balance()).toEqual({ available: 300 - spent, held: 0, owed: 0 });
  expect((await ledger.kinds())["capture"]).toBe(spent);
  await ledger.expectSound();
});

test("a hold ends once: captured or released, however many try both at once", async () => {
  const ledger = await ledgerWith(40);
  const refs = uuids(40);
  await ledger.hold(refs);
  await Promise.all(refs.flatMap((ref) => [ledger.end([ref], true), ledger.end([ref], false)]));
  const { capture = 0, release = 0 } = await ledger.kinds();
  expect(capture + release).toBe(40);
  expect(await ledger.balance()).toEqual({ available: release, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("what was never held is neither spent nor given back", async () => {
  const ledger = await ledgerWith(5);
  await ledger.hold([randomUUID()]);
  await ledger.end([randomUUID()], true);
  await ledger.end([randomUUID()], false);
  expect(await ledger.balance()).toEqual({ available: 4, held: 1, owed: 0 });
});

test("a reference is the workspace's own: nobody ends another's hold", async () => {
  const [ledger, other] = [await ledgerWith(5), await ledgerWith(5)];
  const ref = randomUUID();
  await ledger.hold([ref]);
  await other.end([ref], true);
  await other.end([ref], false);
  expect(await ledger.balance()).toEqual({ available: 4, held: 1, owed: 0 });
  expect(await other.balance()).toEqual({ available: 5, held: 0, owed: 0 });
});

test("references of hostile text, and the same one twice in a list, are held and ended once", async () => {
  const ledger = await ledgerWith(10);
  const refs = ['a"b', "a\\b", "{x,y}", "", "null", "é漢😀", "'; drop table credit_holds; --"];
  await ledger.hold([...refs, ...refs]);
  expect(await ledger.balance()).toEqual({ available: 3, held: 7, owed: 0 });
  await ledger.end([...refs, ...refs], true);
  expect(await ledger.balance()).toEqual({ available: 3, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("what is owed is paid first, by releases and by grants", async () => {
  const ledger = await ledgerWith(7);
  const refs = uuids(3);
  await ledger.hold(refs);
  await ledger.end(uuids(4), true);
  await ledger.takeBack("purchase", 8);
  expect(await ledger.balance()).toEqual({ available: 0, held: 3, owed: 4 });
  await ledger.end(refs, false);
  expect(await ledger.balance()).toEqual({ available: 0, held: 0, owed: 1 });
  await ledger.grant("later", 10);
  expect(await ledger.balance()).toEqual({ available: 9, held: 0, owed: 0 });
  await ledger.expectSound();
});

test("what is taken back is taken from what is left, the rest is owed, and each cause counts once", async () => {
  const ledger = await ledgerWith(10);
  await ledger.hold(uuids(2));
  await Promise.all([1, 2, 3].map(() => ledger.takeBack("purchase", 10)));
  expect(await ledger.balance()).toEqual({ available: 0, held: 2, owed: 2 });
  await ledger.grant("purchase", 10, "refund_failed");
  expect(await ledger.balance()).toEqual({ available: 8, held: 2, owed: 0 });
  await ledger.expectSound();
});

test("who waits for the balance is judged by what is there when its turn comes", async () => {
  const ledger = await ledgerWith(0);
  await ledger.meet(
    () => ledger.grant("purchase", 3),
    () => ledger.hold(["a"]),
    () => ledger.takeBack("purchase", 2),
  );
  expect(await ledger.balance()).toEqual({ available: 0, held: 1, owed: 0 });
  const refused = ledger.meet(
    () => ledger.grant("another", 1),
    () => ledger.hold(["b"]),
    () => ledger.hold(["c"]),
  );
  await expect(refused).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  await ledger.expectSound();
});

test("refunds, disputes and purchases at once take what is left, owe the rest and pay it, none refused", async () => {
  const ledger = await ledgerWith(5);
  const ids = uuids(12);
  await Promise.all([
    ...ids.map((id) => ledger.takeBack(id, 2)),
    ...ids.slice(0, 6).map((id) => ledger.takeBack(id, 1, "dispute")),
    ...ids.slice(0, 8).map((id) => ledger.grant(id, 3)),
  ]);
  expect(await ledger.balance()).toEqual({ available: 0, held: 0, owed: 24 + 6 - 24 - 5 });
  await ledger.expectSound();
});

test("the same grant twice counts once", async () => {
  const ledger = await ledgerWith(0);
  await Promise.all([ledger.grant("purchase", 3), ledger.grant("purchase", 3)]);
  expect(await ledger.balance()).toMatchObject({ available: 3 });
});

test("balance, ledger and packs are read through the API, the ledger page by page", async () => {
  const tenant = await api.tenant({ credits: 3 });
  await ledgerOf(api, tenant).hold(uuids(2));
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
