import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reconcileWalletPayments } from "#src/domain/billing/wallet/reconcile.ts";
import {
  authorizationOf,
  startWalletSetting,
  type WalletSetting,
} from "../../../support/wallet.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const QUESTION = { tags: ["fintech"] };
const PRICE = 12_000;

let world: WalletSetting;
beforeAll(async () => {
  world = await startWalletSetting();
});
afterAll(() => world.close());
beforeEach(() => {
  world.chain.part.faults.clear();
  world.asked();
});

const rows = async () =>
  (await world.api.sql.query("select state, transaction from wallet_payments order by created_at"))
    .rows;

test.each(["down", "error", "html", "garbage"])(
  "a facilitator that is %s when the payment is checked: 503 without its words, nothing charged, and the payment stays good",
  async (fault) => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    world.chain.part.faults.order(fault, 1);
    const reply = await world.send(SEARCH, QUESTION, payment);
    expect(reply.status).toBe(503);
    expect(reply.body.detail).toBe("UPSTREAM_ERROR");
    expect(JSON.stringify(reply.body)).not.toContain("hunter2");
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await buyer.balance()).toBe(1_000_000);
    expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(200);
  },
);

test("a facilitator that checks another payer's payment has checked none: 503, and nothing charged", async () => {
  const buyer = await world.buyer();
  const payment = await buyer.sign(SEARCH);
  world.chain.part.faults.order("checks_another", 1);
  const reply = await world.send(SEARCH, QUESTION, payment);
  expect([reply.status, reply.body.detail]).toEqual([503, "UPSTREAM_ERROR"]);
  expect(await buyer.balance()).toBe(1_000_000);
});

test("the price list is told while the facilitator is away", async () => {
  world.chain.part.faults.order("down", 10);
  expect((await world.send(SEARCH, QUESTION)).status).toBe(402);
});

test("a settlement whose answer is lost: the chain is asked, and the buyer has the answer, charged once", async () => {
  const buyer = await world.buyer();
  const payment = await buyer.sign(SEARCH);
  world.chain.part.faults.order("lost_answer", 1);
  for (let times = 0; times < 2; times++) {
    const reply = await world.send(SEARCH, QUESTION, payment);
    expect(reply).toMatchObject({ status: 200, body: { count: 0, results: [] } });
    expect(reply.receipt).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(await buyer.balance()).toBe(1_000_000 - PRICE);
  }
});

test.each(["down", "error", "html", "garbage"])(
  "a facilitator that is %s at settlement: nobody is told that it failed, and the next try settles",
  async (fault) => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    // The first occasion is the check, which has to pass.
    const { faults } = world.chain.part;
    const take = faults.take.bind(faults);
    let calls = 0;
    faults.take = (name) =>
      name === "down" && ++calls === 2 ? (faults.order(fault, 1), take(name)) : take(name);
    const reply = await world.send(SEARCH, QUESTION, payment);
    faults.take = take;
    expect(reply.status).toBe(503);
    expect(reply.body.detail).toBe("SETTLEMENT_PENDING");
    expect(JSON.stringify(reply.body)).not.toContain("hunter2");
    expect(await buyer.balance()).toBe(1_000_000);
    const again = await world.send(SEARCH, QUESTION, payment);
    expect(again.status).toBe(200);
    expect(await buyer.balance()).toBe(1_000_000 - PRICE);
  },
);

test("a refused settlement withholds the answer: 402, and nothing moves", async () => {
  const buyer = await world.buyer();
  const payment = await buyer.sign(SEARCH);
  world.chain.part.faults.order("refuses_settlement", 1);
  const reply = await world.send(SEARCH, QUESTION, payment);
  expect(reply.status).toBe(402);
  expect(reply.body.error).toMatch(/insufficient_balance/);
  expect(reply.body).not.toHaveProperty("results");
  expect(await buyer.balance()).toBe(1_000_000);
});

test("a settlement in doubt that no buyer comes back for is ended by the scheduled job", async () => {
  await world.api.sql.query("delete from wallet_payments");
  const buyer = await world.buyer();
  world.chain.part.faults.order("lost_answer", 1);
  const { chain } = world.api.deps;
  world.api.deps.chain = null;
  await world.send(SEARCH, QUESTION, await buyer.sign(SEARCH));
  world.api.deps.chain = chain;
  expect(await rows()).toMatchObject([{ state: "settling" }]);
  world.api.advance(120);
  await reconcileWalletPayments(world.api.deps);
  expect(await rows()).toMatchObject([{ state: "settled" }]);
  expect(await buyer.balance()).toBe(1_000_000 - PRICE);
});

test("an authorization that the payer cancels while its settlement is in doubt is no payment", async () => {
  await world.api.sql.query("delete from wallet_payments");
  const buyer = await world.buyer();
  const payment = await buyer.sign(SEARCH);
  const { faults } = world.chain.part;
  const take = faults.take.bind(faults);
  let calls = 0;
  faults.take = (name) => (name === "down" && ++calls === 2 ? true : take(name));
  expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(503);
  faults.take = take;
  await world.ledger.cancel(buyer.account, authorizationOf(payment).nonce as `0x${string}`);
  const again = await world.send(SEARCH, QUESTION, payment);
  expect(again.status).toBe(402);
  expect(await buyer.balance()).toBe(1_000_000);
  expect(await rows()).toEqual([]);
});

test("a claim that died with its worker is taken over when its lease has ended", async () => {
  const buyer = await world.buyer();
  const payment = await buyer.sign(SEARCH, (asked) => {
    asked.accepts[0]!.maxTimeoutSeconds = 25;
  });
  world.chain.part.faults.order("lost_answer", 1);
  await world.send(SEARCH, QUESTION, payment);
  // As if it had died before it kept its answer, its money unmoved.
  const other = await world.buyer();
  const unspent = await other.sign(SEARCH);
  await world.api.sql.query(
    "update wallet_payments set state = 'claimed', payer = $1, nonce = $2, lease_until = now() + interval '1 year'",
    [other.address.toLowerCase(), authorizationOf(unspent).nonce],
  );
  const busy = await world.send(SEARCH, QUESTION, unspent);
  expect([busy.status, busy.body.error]).toEqual([402, "payment_already_in_use"]);
  await world.api.sql.query("update wallet_payments set lease_until = '2020-01-01'");
  expect((await world.send(SEARCH, QUESTION, unspent)).status).toBe(200);
});

test("what nobody needs any more is forgotten, what was paid is not", async () => {
  await world.api.sql.query("delete from wallet_payments");
  const buyer = await world.buyer();
  const payment = await buyer.sign(SEARCH);
  await world.send(SEARCH, QUESTION, payment);
  world.api.advance(590);
  await reconcileWalletPayments(world.api.deps);
  expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(200);
  world.api.advance(11);
  await reconcileWalletPayments(world.api.deps);
  const { rows: kept } = await world.api.sql.query(
    "select state, answer_body, transaction from wallet_payments",
  );
  expect(kept).toEqual([
    { state: "settled", answer_body: null, transaction: expect.stringMatching(/^0x/) },
  ]);
});

/** No count of a minute is to run across the end of one. */
const toNextMinute = () => world.api.advance(60 - ((Date.now() / 1000) % 60));

test("60 requests a minute without payment from one address, then 429", async () => {
  const from = { "cf-connecting-ip": "203.0.113.9" };
  toNextMinute();
  for (let times = 0; times < 60; times++)
    expect((await world.send(SEARCH, QUESTION, undefined, from)).status).toBe(402);
  const over = await world.send(SEARCH, QUESTION, undefined, from);
  expect(over.status).toBe(429);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(over.headers.get("ratelimit")).toMatch(/^"unpaid";r=0;t=\d+$/);
  expect(over.headers.get("ratelimit-policy")).toBe('"unpaid";q=60;w=60');
  expect((await world.send(SEARCH, QUESTION, "garbage", from)).status).toBe(429);
});

test("a customer's network of IPv6 is one address, however many it has", async () => {
  toNextMinute();
  const from = (no: number) => ({ "cf-connecting-ip": `2001:db8:7:7::${no.toString(16)}` });
  for (let times = 0; times < 60; times++)
    expect((await world.send(SEARCH, QUESTION, undefined, from(times))).status).toBe(402);
  expect((await world.send(SEARCH, QUESTION, undefined, from(60))).status).toBe(429);
  const next = { "cf-connecting-ip": "2001:db8:7:8::1" };
  expect((await world.send(SEARCH, QUESTION, undefined, next)).status).toBe(402);
});

test("60 uncharged answers a minute for one payer, then 429 before the facilitator is asked", async () => {
  const buyer = await world.buyer();
  toNextMinute();
  const payment = await buyer.sign(SEARCH);
  for (let times = 0; times < 60; times++)
    expect((await world.send(SEARCH, {}, payment)).status).toBe(422);
  world.asked();
  const over = await world.send(SEARCH, QUESTION, payment);
  expect(over.status).toBe(429);
  expect(over.headers.get("ratelimit")).toMatch(/"uncharged";r=0;t=\d+$/);
  expect(world.asked()).toEqual([]);
  world.api.advance(61);
});

test("a settlement that is refused counts among them: its work was done", async () => {
  const buyer = await world.buyer();
  toNextMinute();
  const payment = await buyer.sign(SEARCH);
  world.chain.part.faults.order("refuses_settlement", 60);
  for (let times = 0; times < 60; times++)
    expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(402);
  world.asked();
  const over = await world.send(SEARCH, QUESTION, payment);
  expect(over.status).toBe(429);
  expect(over.headers.get("ratelimit")).toMatch(/"uncharged";r=0;t=\d+$/);
  expect(world.asked()).toEqual([]);
  world.chain.part.faults.clear();
  world.api.advance(61);
});
