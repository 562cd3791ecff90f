import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAnvil } from "../../../scripts/stack/chain/anvil.ts";
import {
  authorizationOf,
  type Bought,
  type Buyer,
  startWalletSetting,
  type WalletSetting,
} from "../../support/wallet.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const QUESTION = { tags: ["fintech"] };
const PRICE = 12_000;
const PURSE = 10_000_000;

if (findAnvil() === null) console.log("payments in parallel: not run (no anvil)");
describe.runIf(findAnvil() !== null)("payments in parallel", () => {
  let world: WalletSetting;
  beforeAll(async () => {
    world = await startWalletSetting();
  });
  afterAll(() => world.close());

  const signMany = async (buyer: Buyer, count: number) => {
    const payments = [];
    while (payments.length < count) payments.push(await buyer.sign(SEARCH));
    return payments;
  };
  function tally(replies: Bought[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { status, body } of replies) {
      const said = `${status} ${body.error ?? body.detail ?? ""}`.trim();
      counts[said] = (counts[said] ?? 0) + 1;
    }
    return counts;
  }

  test.each([8, 40])(
    "%i payments of one wallet at once are all served, each charged once",
    async (count) => {
      const buyer = await world.buyer(PURSE);
      const sold = await world.merchantBalance();
      const payments = await signMany(buyer, count);
      const replies = await Promise.all(payments.map((each) => world.send(SEARCH, QUESTION, each)));
      expect(tally(replies)).toEqual({ 200: count });
      expect(new Set(replies.map(({ receipt }) => receipt!.transaction)).size).toBe(count);
      expect(PURSE - (await buyer.balance())).toBe(count * PRICE);
      expect((await world.merchantBalance()) - sold).toBe(count * PRICE);
    },
  );

  test("a payment signed after the chain was idle for an hour is served, from ten minutes ago on", async () => {
    const buyer = await world.buyer(PURSE);
    world.api.advance(3_600);
    const payment = await buyer.sign(SEARCH);
    authorizationOf(payment).validAfter = String(Math.floor(Date.now() / 1000) - 600);
    const reply = await world.send(SEARCH, QUESTION, await buyer.resign(payment));
    expect(tally([reply])).toEqual({ 200: 1 });
    expect(PURSE - (await buyer.balance())).toBe(PRICE);
  });
});
