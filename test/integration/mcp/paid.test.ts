import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findAnvil } from "../../../scripts/stack/chain/anvil.ts";
import { type Agent, connect, keyOf } from "../../support/mcp-clients.ts";
import { patience } from "../../support/patience.ts";
import { serve } from "../../support/serve.ts";
import {
  type Buyer,
  type Payment,
  startWalletSetting,
  type WalletSetting,
} from "../../support/wallet.ts";
import { untilWaiting } from "../../support/locks.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const QUESTION = { tags: ["fintech"] };
const PRICE = 12_000;
const BALANCE = 1_000_000;
const SOLD = ["verify_email", "validate_email", "find_email", "find_profile", "search_prospects"];

if (findAnvil() === null) console.log("paid tools: not run (no anvil)");
describe.runIf(findAnvil() !== null)("paid tools", () => {
  let world: WalletSetting;
  let served: Awaited<ReturnType<typeof serve>>;
  let buyer: Buyer;
  let payment: Payment;
  const agents: Agent[] = [];
  beforeAll(async () => {
    world = await startWalletSetting();
    served = await serve(world.api);
  });
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.close()));
    await served.close();
    await world.close();
  });
  beforeEach(async () => {
    world.chain.part.faults.clear();
    world.api.forgetQuotas();
    buyer = await world.buyer(BALANCE);
    payment = await buyer.sign(SEARCH);
  });

  async function wallet(generation: "2025" | "2026" = "2026", key: string | null = null) {
    const agent = await connect(generation, { url: `${served.url}/mcp`, key });
    agents.push(agent);
    return agent;
  }
  const search = (agent: Agent, meta?: Record<string, unknown>) =>
    agent.use("search_prospects", QUESTION, meta);
  const withPayment = () => ({ "x402/payment": payment });

  describe.each(["2025", "2026"] as const)("a client of %s without a key", (generation) => {
    test("sees what wallets can buy and nothing else, and is asked for the price", async () => {
      const agent = await wallet(generation);
      expect((await agent.tools()).map(({ name }) => name)).toEqual(SOLD);
      const asked = await search(agent);
      expect(asked).toMatchObject({
        isError: true,
        body: { x402Version: 2, accepts: [{ scheme: "exact", amount: String(PRICE) }] },
      });
      await expect(agent.use("overview")).rejects.toThrow(/no tool/);
    });

    test("is served for its payment, with the receipt, and once more for the same one without paying twice", async () => {
      const agent = await wallet(generation);
      for (let times = 0; times < 2; times++) {
        const bought = await search(agent, withPayment());
        expect(bought).toMatchObject({
          isError: false,
          body: { count: 0, results: [] },
          meta: {
            "x402/payment-response": {
              success: true,
              payer: expect.any(String),
              extensions: { "offer-receipt": { info: { receipt: { format: "jws" } } } },
            },
          },
        });
        expect(await buyer.balance()).toBe(BALANCE - PRICE);
      }
    });
  });

  test("a settlement that is refused: nothing is served, nothing is paid", async () => {
    world.chain.part.faults.order("refuses_settlement", 1);
    const refused = await search(await wallet(), withPayment());
    expect(refused).toMatchObject({
      isError: true,
      body: { x402Version: 2, error: expect.stringMatching(/insufficient_balance/) },
    });
    expect(refused.body).not.toHaveProperty("results");
    expect(refused.meta ?? {}).not.toHaveProperty("x402/payment-response");
    expect(await buyer.balance()).toBe(BALANCE);
  });

  test.each(["down", "error", "html"])(
    "a facilitator that is %s at settlement is SETTLEMENT_PENDING and no request to pay; the same call once more is served, and paid once",
    async (fault) => {
      const { faults } = world.chain.part;
      const take = faults.take.bind(faults);
      let calls = 0;
      // The first occasion is the check, which has to pass.
      faults.take = (name) =>
        name === "down" && ++calls === 2 ? (faults.order(fault, 1), take(name)) : take(name);
      const agent = await wallet();
      const pending = await search(agent, withPayment());
      faults.take = take;
      expect(pending).toMatchObject({ isError: true, body: { code: "SETTLEMENT_PENDING" } });
      expect(pending.body).not.toHaveProperty("accepts");
      expect(pending.body).not.toHaveProperty("results");
      expect((await search(agent, withPayment())).body).toMatchObject({ count: 0 });
      expect(await buyer.balance()).toBe(BALANCE - PRICE);
    },
  );

  test("a settlement that is answered when nobody waits any more is SETTLEMENT_PENDING, and paid once", async () => {
    const { faults } = world.chain.part;
    const take = faults.take.bind(faults);
    let calls = 0;
    // The check is answered at once.
    faults.take = (name) => (name === "slow" ? ++calls === 2 : take(name));
    const agent = await wallet();
    const pending = await search(agent, withPayment());
    faults.take = take;
    expect(pending).toMatchObject({ isError: true, body: { code: "SETTLEMENT_PENDING" } });
    expect(pending.body).not.toHaveProperty("results");
    // What was asked for is carried out all the same.
    await vi.waitFor(async () => expect(await buyer.balance()).toBe(BALANCE - PRICE), {
      timeout: patience(20_000),
    });
    expect((await search(agent, withPayment())).body).toMatchObject({ count: 0 });
    expect(await buyer.balance()).toBe(BALANCE - PRICE);
  });

  test("a payment for which an earlier call is at work is SETTLEMENT_PENDING and no request to pay", async () => {
    const agent = await wallet();
    const holder = await world.api.sql.connect();
    await holder.query("begin");
    await holder.query("lock table prospects in access exclusive mode");
    const first = search(agent, withPayment());
    await untilWaiting(world.api.sql, 1);
    const pending = await search(await wallet(), withPayment());
    await holder.query("rollback");
    holder.release();
    expect(pending).toMatchObject({
      isError: true,
      body: { code: "SETTLEMENT_PENDING", retry_after_seconds: 5 },
    });
    expect(pending.body).not.toHaveProperty("accepts");
    expect((await first).isError).toBe(false);
    expect((await search(agent, withPayment())).body).toMatchObject({ count: 0 });
    expect(await buyer.balance()).toBe(BALANCE - PRICE);
  });

  test("a settlement whose answer is lost is looked up on the chain: served, and paid once", async () => {
    world.chain.part.faults.order("lost_answer", 1);
    const agent = await wallet();
    expect((await search(agent, withPayment())).body).toMatchObject({ count: 0 });
    expect(await buyer.balance()).toBe(BALANCE - PRICE);
  });

  test("six at once with one payment are paid once", async () => {
    const agent = await wallet();
    await Promise.all(Array.from({ length: 6 }, () => search(agent, withPayment())));
    expect(await buyer.balance()).toBe(BALANCE - PRICE);
  });

  test.each([["a word"], [{}], [[]], [null], [{ x402Version: 2 }], ["x".repeat(40_000)]])(
    "what is no payment (%j) is asked for one",
    async (given) => {
      const asked = await search(await wallet(), { "x402/payment": given });
      expect(asked).toMatchObject({ isError: true, body: { accepts: expect.any(Array) } });
    },
  );

  test("a payment for one call buys no other, and one for other arguments no second answer", async () => {
    const agent = await wallet();
    const meta = { "x402/payment": payment };
    expect(await agent.use("verify_email", { email: "a@corp.zz" }, meta)).toMatchObject({
      isError: true,
      body: { accepts: expect.any(Array) },
    });
    await search(agent, meta);
    const other = await agent.use("search_prospects", { tags: ["berlin"] }, meta);
    expect(other).toMatchObject({ isError: true });
    expect(await buyer.balance()).toBe(BALANCE - PRICE);
  });

  test("a key pays with its credits, or with a wallet where a payment comes", async () => {
    const tenant = await world.api.tenant({ credits: 100 });
    const { key } = await keyOf(world.api, tenant);
    const agent = await wallet("2026", key);
    expect((await search(agent)).body).toMatchObject({ count: 0 });
    expect(await buyer.balance()).toBe(BALANCE);
    expect((await search(agent, withPayment())).meta).toHaveProperty("x402/payment-response");
    expect(await buyer.balance()).toBe(BALANCE - PRICE);
  });

  test("what the discovery document names is for sale: each address asks for its price", async () => {
    const { version, resources } = (await (
      await world.api.request("/.well-known/x402")
    ).json()) as {
      version: number;
      resources: string[];
    };
    expect(version).toBe(1);
    expect(resources).toHaveLength(SOLD.length);
    for (const resource of resources)
      expect((await world.send(new URL(resource).pathname, {})).status).toBe(402);
  });

  test("a key that is no good is refused, and not taken for a wallet", async () => {
    await expect(wallet("2026", `svc_live_${"x".repeat(43)}`)).rejects.toThrow(/401/);
  });
});
