import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import {
  authorizationOf,
  type Bought,
  type Buyer,
  type Payment,
  startWalletSetting,
  type WalletSetting,
} from "../../../support/wallet.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const QUESTION = { tags: ["fintech"] };
const PRICE = 12_000;
const PURSE = 10_000_000;
const MANY = 20;

if (findAnvil() === null) console.log("payments in parallel: not run (no anvil)");
describe.runIf(findAnvil() !== null)("payments in parallel", () => {
  let world: WalletSetting;
  beforeAll(async () => {
    world = await startWalletSetting();
  });
  afterAll(() => world.close());

  const signMany = async (buyer: Buyer) => {
    const payments = [];
    while (payments.length < MANY) payments.push(await buyer.sign(SEARCH));
    return payments;
  };
  const say = ({ status, body }: Bought) => `${status} ${body.error ?? body.detail ?? ""}`.trim();

  test("the facilitator settles all that come at once, each in a transaction of its own", async () => {
    const buyer = await world.buyer(PURSE);
    const payments = await signMany(buyer);
    const { facilitator, ledger } = await world.chain.open();
    await ledger.follow(new Date());
    const settled = await Promise.all(
      payments.map((payment) => facilitator.settle(payment as never, payment.accepted)),
    );
    const reasons = settled.map(({ success, errorReason }) => (success ? "" : errorReason));
    expect(reasons).toEqual(Array(MANY).fill(""));
    expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(MANY);
    expect(PURSE - (await buyer.balance())).toBe(MANY * PRICE);
  });

  test("calls of one wallet at once are all served, each charged once; who is told to come again is served then", async () => {
    const buyer = await world.buyer(PURSE);
    const sold = await world.merchantBalance();
    const payments = await signMany(buyer);
    const send = (payment: Payment) => world.send(SEARCH, QUESTION, payment);
    const replies = await Promise.all(payments.map(send));
    for (const reply of replies)
      expect(["200", "503 UPSTREAM_ERROR", "503 SETTLEMENT_PENDING"]).toContain(say(reply));
    for (const payment of payments) expect(say(await send(payment))).toBe("200");
    expect(PURSE - (await buyer.balance())).toBe(MANY * PRICE);
    expect((await world.merchantBalance()) - sold).toBe(MANY * PRICE);
  });

  test("a payment signed after the chain was idle for an hour is served, from ten minutes ago on", async () => {
    const buyer = await world.buyer(PURSE);
    world.api.advance(3_600);
    const payment = await buyer.sign(SEARCH);
    authorizationOf(payment).validAfter = String(Math.floor(Date.now() / 1000) - 600);
    const reply = await world.send(SEARCH, QUESTION, await buyer.resign(payment));
    expect(say(reply)).toBe("200");
    expect(PURSE - (await buyer.balance())).toBe(PRICE);
  });
});
