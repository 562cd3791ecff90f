import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestClient, http, publicActions } from "viem";
import { reconcileWalletPayments } from "#src/domain/billing/wallet/reconcile.ts";
import { PAYMENT_ASSET } from "#src/domain/billing/wallet/prices.ts";
import { createJsonRpcChain } from "#src/providers/facilitator/json-rpc.ts";
import type { Chain } from "#src/providers/facilitator/index.ts";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { MERCHANT } from "../../../../scripts/stack/chain/accounts.ts";
import { base } from "../../../../scripts/stack/chain/ledger.ts";
import { LIES } from "../../../../scripts/stack/chain/settlement-lies.ts";
import { submitTransfer, transferTokens } from "../../../support/transfer.ts";
import {
  authorizationOf,
  type Buyer,
  type Payment,
  startWalletSetting,
  type WalletSetting,
} from "../../../support/wallet.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const QUESTION = { tags: ["fintech"] };
const ANSWER = { count: 0, results: [] };
const PRICE = 12_000;
const PURSE = 1_000_000;
const PENDING = { status: 503, body: { detail: "SETTLEMENT_PENDING" }, receipt: null };
const YEAR_SECONDS = 31_536_000;

if (findAnvil() === null) console.log("settlements in doubt: not run (no anvil)");
describe.runIf(findAnvil() !== null)("a settlement in doubt", () => {
  let world: WalletSetting;
  let chain: Chain;
  let node: ReturnType<typeof openNode>;
  const openNode = () =>
    createTestClient({ chain: base, mode: "anvil", transport: http(world.chain.rpcUrl) }).extend(
      publicActions,
    );
  beforeAll(async () => {
    world = await startWalletSetting();
    chain = world.api.deps.chain!;
    node = openNode();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    world.chain.part.faults.clear();
    world.asked();
  });
  afterEach(async () => {
    world.api.deps.chain = chain;
    await node.setAutomine(true);
  });

  const buy = (payment: Payment) => world.send(SEARCH, QUESTION, payment);
  const order = (fault: string) => world.chain.part.faults.order(fault, 1);
  /** The same as every balance says: the buyer's, the merchant's and what is on record. */
  async function opened(balance = PURSE) {
    const buyer = await world.buyer(balance);
    const sold = await world.merchantBalance();
    const states = async () => {
      const { rows } = await world.api.sql.query<{ state: string }>(
        "select state from wallet_payments where payer = $1",
        [buyer.address.toLowerCase()],
      );
      return rows.map(({ state }) => state);
    };
    return {
      buyer,
      states,
      async moved() {
        const paid = balance - (await buyer.balance());
        expect((await world.merchantBalance()) - sold).toBe(paid);
        return paid;
      },
    };
  }
  async function signFor(buyer: Buyer, seconds: number) {
    const payment = await buyer.sign(SEARCH);
    authorizationOf(payment).validBefore = String(Math.floor(Date.now() / 1000) + seconds);
    return buyer.resign(payment);
  }

  test.each(LIES)(
    "%s: the chain is asked, and the buyer has the answer that was paid for",
    async (lie) => {
      const { buyer, moved } = await opened();
      const payment = await buyer.sign(SEARCH);
      order(lie);
      const reply = await buy(payment);
      expect(reply).toMatchObject({ status: 200, body: ANSWER, receipt: { success: true } });
      expect(reply.receipt!.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      const again = await buy(payment);
      expect(again).toMatchObject({ status: 200, body: ANSWER });
      expect(again.receipt!.transaction).toBe(reply.receipt!.transaction);
      expect(await moved()).toBe(PRICE);
    },
  );

  // What is refused before it is sent is believed, unless the chain says otherwise.
  const doubtful = LIES.filter((lie) => lie !== "says_refused");
  test.each(doubtful)(
    "%s, and no chain that answers: 503, and the answer when it does",
    async (lie) => {
      const { buyer, moved } = await opened();
      const payment = await buyer.sign(SEARCH);
      order(lie);
      world.api.deps.chain = createJsonRpcChain({
        fetch,
        url: "http://127.0.0.1:9",
        token: PAYMENT_ASSET,
      });
      const reply = await buy(payment);
      expect(reply).toMatchObject(PENDING);
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await buy(payment)).toMatchObject(PENDING);
      world.api.deps.chain = chain;
      expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
      expect(await moved()).toBe(PRICE);
    },
  );

  test.each(["hides_settlement", "says_used", "error_after_settlement", "cut_settlement"])(
    "%s, and no chain is configured: 503, and the answer with the next try, charged once",
    async (lie) => {
      const { buyer, moved } = await opened();
      const payment = await buyer.sign(SEARCH);
      world.api.deps.chain = null;
      order(lie);
      expect(await buy(payment)).toMatchObject(PENDING);
      expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
      expect(await moved()).toBe(PRICE);
    },
  );

  test("nothing was moved and nobody knows: 503, and the next try is charged, once", async () => {
    const { buyer, moved, states } = await opened();
    const payment = await buyer.sign(SEARCH);
    order("fails_settlement");
    expect(await buy(payment)).toMatchObject(PENDING);
    expect([await moved(), await states()]).toEqual([0, ["settling"]]);
    expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
    expect([await moved(), await states()]).toEqual([PRICE, ["settled"]]);
  });

  test("a transaction that waits for its block is not refused, whatever the facilitator says of the next try", async () => {
    const { buyer, moved, states } = await opened();
    const payment = await buyer.sign(SEARCH);
    await node.setAutomine(false);
    order("fails_settlement");
    expect(await buy(payment)).toMatchObject(PENDING);
    await submitTransfer(world.ledger, payment);
    for (const fault of ["refuses_settlement", "fails_settlement"]) {
      order(fault);
      expect(await buy(payment)).toMatchObject(PENDING);
    }
    expect([await moved(), await states()]).toEqual([0, ["settling"]]);
    await node.mine({ blocks: 1 });
    world.asked();
    expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
    expect([await moved(), await states()]).toEqual([PRICE, ["settled"]]);
    expect(world.asked()).toEqual([]);
  });

  test("when the authorization has ended unused, the chain says so: 402, and nothing is on record", async () => {
    const { buyer, moved, states } = await opened();
    const payment = await buyer.sign(SEARCH);
    order("fails_settlement");
    expect(await buy(payment)).toMatchObject(PENDING);
    world.api.advance(60);
    const reply = await buy(payment);
    expect([reply.status, reply.body.error]).toEqual([402, expect.stringMatching(/valid_before/)]);
    expect([await moved(), await states()]).toEqual([0, []]);
  });

  test("a transaction that was reverted is 402 with its reason, and the payment may be used again", async () => {
    const { buyer, moved, states } = await opened(PRICE);
    const payment = await signFor(buyer, YEAR_SECONDS);
    await node.setAutomine(false);
    const sent = buy(payment);
    await vi.waitFor(async () => expect((await node.getTxpoolStatus()).pending).toBe(1), {
      timeout: 5_000,
      interval: 5,
    });
    // Overtakes the settlement that waits.
    await transferTokens(world.chain.rpcUrl, buyer.account, MERCHANT, 1n);
    await node.mine({ blocks: 1 });
    const reply = await sent;
    expect([reply.status, reply.body.error]).toEqual([402, "invalid_exact_evm_transaction_failed"]);
    expect([await moved(), await states()]).toEqual([1, []]);
    await node.setAutomine(true);
    await world.ledger.mint(buyer.address, 1n);
    expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
    expect(await buyer.balance()).toBe(0);
  });

  test("the scheduled job charges nobody who went away, and the buyer who returns is served", async () => {
    const { buyer, moved, states } = await opened();
    const payment = await signFor(buyer, YEAR_SECONDS);
    order("fails_settlement");
    expect(await buy(payment)).toMatchObject(PENDING);
    world.api.advance(120);
    world.asked();
    await reconcileWalletPayments(world.api.deps);
    expect([await moved(), await states(), world.asked()]).toEqual([0, ["settling"], []]);
    expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
    expect(await moved()).toBe(PRICE);
  });

  test("the scheduled job forgets what ended unused", async () => {
    const { buyer, moved, states } = await opened();
    order("fails_settlement");
    expect(await buy(await buyer.sign(SEARCH))).toMatchObject(PENDING);
    world.api.advance(120);
    await reconcileWalletPayments(world.api.deps);
    expect([await moved(), await states()]).toEqual([0, []]);
  });

  test("the same payment, checked while its answer was bought, is answered too", async () => {
    const { buyer, moved } = await opened();
    const payment = await buyer.sign(SEARCH);
    const facilitator = world.api.deps.facilitator!;
    const { verify } = facilitator;
    const [asked, bought] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    facilitator.verify = async (...order) => {
      facilitator.verify = verify;
      asked.resolve();
      await bought.promise;
      return verify(...order);
    };
    const late = buy(payment);
    await asked.promise;
    expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
    bought.resolve();
    expect(await late).toMatchObject({ status: 200, body: ANSWER });
    expect(await moved()).toBe(PRICE);
  });

  test("ten retries at once of a payment in doubt: one charge, and none is refused", async () => {
    const { buyer, moved } = await opened();
    const payment = await buyer.sign(SEARCH);
    order("fails_settlement");
    expect(await buy(payment)).toMatchObject(PENDING);
    const replies = await Promise.all(Array.from({ length: 10 }, () => buy(payment)));
    for (const { status } of replies) expect([200, 503]).toContain(status);
    expect(await buy(payment)).toMatchObject({ status: 200, body: ANSWER });
    expect(await moved()).toBe(PRICE);
  });
});
