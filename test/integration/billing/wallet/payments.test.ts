import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  authorizationOf,
  type Buyer,
  type Payment,
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

/** What an action moved: of the buyer's and of the merchant's. */
async function moved(buyer: Buyer, act: () => Promise<unknown>) {
  const [before, sold] = [await buyer.balance(), await world.merchantBalance()];
  await act();
  return {
    buyer: (await buyer.balance()) - before,
    merchant: (await world.merchantBalance()) - sold,
  };
}
const PAID = { buyer: -PRICE, merchant: PRICE };
const NOTHING = { buyer: 0, merchant: 0 };

describe("asking", () => {
  test("without a payment it says what is asked for, in header and body, whatever the body of the request", async () => {
    for (const body of [QUESTION, {}, "not json"]) {
      const reply = await world.send(SEARCH, body);
      expect(reply.status).toBe(402);
      expect(reply.body).toMatchObject({
        x402Version: 2,
        error: "Payment required",
        resource: { url: `http://overture.test:8787${SEARCH}` },
        accepts: [
          {
            scheme: "exact",
            network: "eip155:8453",
            amount: "12000",
            asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
            maxTimeoutSeconds: 25,
            extra: { name: "USD Coin", version: "2" },
          },
        ],
      });
      const header = Buffer.from(reply.headers.get("payment-required")!, "base64").toString();
      expect(JSON.parse(header)).toEqual(reply.body);
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
    expect(world.asked()).toEqual([]);
  });

  test("a browser is told the same as a program", async () => {
    const reply = await world.send(SEARCH, QUESTION, undefined, {
      accept: "text/html",
      "user-agent": "Mozilla/5.0",
    });
    expect(reply.status).toBe(402);
    expect(reply.body.accepts).toHaveLength(1);
  });

  test("a page of another origin may ask and pay", async () => {
    const reply = await world.api.request(SEARCH, {
      method: "OPTIONS",
      headers: { origin: "https://agent.zz", "access-control-request-method": "POST" },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-headers")).toContain("PAYMENT-SIGNATURE");
    const asked = await world.send(SEARCH, QUESTION, undefined, { origin: "https://agent.zz" });
    expect(asked.headers.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
  });

  test.each(["/API/x402/v1/prospects/search", "/api/x402/v1//prospects/search"])(
    "%s is nothing that is sold",
    async (path) => {
      const buyer = await world.buyer();
      const reply = await world.send(path, QUESTION, await buyer.sign(SEARCH));
      expect([reply.status, await buyer.balance()]).toEqual([404, 1_000_000]);
    },
  );

  test("a slash at its end leads to the path that is sold, and costs nothing", async () => {
    const buyer = await world.buyer();
    const reply = await world.api.request(`${SEARCH}/`, { method: "POST", body: "{}" });
    expect([reply.status, reply.headers.get("location")]).toEqual([307, SEARCH]);
    expect(await buyer.balance()).toBe(1_000_000);
    expect(world.asked()).toEqual([]);
  });

  test.each(["/api/x402/v1/prospects/%73earch", "/api/x402/v1/%70rospects/search"])(
    "%s costs the same",
    async (path) => {
      expect((await world.send(path, QUESTION)).status).toBe(402);
    },
  );

  test.each(["GET", "PUT", "DELETE"])("%s is no way to it", async (method) => {
    expect((await world.api.request(SEARCH, { method })).status).toBe(405);
  });
});

describe("paying", () => {
  test("the official client buys an answer: the exact price moves, and the receipt names the transaction", async () => {
    const buyer = await world.buyer();
    const movedNow = await moved(buyer, async () => {
      const bought = await buyer.buy(SEARCH, QUESTION);
      expect(bought.status).toBe(200);
      expect(bought.body).toEqual({ count: 0, results: [] });
      expect(bought.receipt).toMatchObject({
        success: true,
        network: "eip155:8453",
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      expect(bought.receipt!.payer!.toLowerCase()).toBe(buyer.address.toLowerCase());
      expect(bought.headers.get("cache-control")).toContain("private");
    });
    expect(movedNow).toEqual(PAID);
    expect(world.asked()).toEqual(["POST /verify", "POST /settle"]);
  });

  const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
  const set = (change: Partial<ReturnType<typeof authorizationOf>>) => (payment: Payment) =>
    void Object.assign(authorizationOf(payment), change);
  const signed: [string, (payment: Payment) => void, RegExp][] = [
    ["too little", set({ value: "11999" }), /value_mismatch/],
    ["too much", set({ value: "12001" }), /value_mismatch/],
    ["for somebody else", set({ to: `0x${"3".repeat(40)}` }), /recipient_mismatch/],
    ["that has expired", (p) => set({ validBefore: inSeconds(-1) })(p), /valid_before/],
    ["that expires in 4 s", (p) => set({ validBefore: inSeconds(4) })(p), /valid_before/],
    ["not valid yet", (p) => set({ validAfter: inSeconds(3600) })(p), /valid_after/],
  ];
  test.each(signed)(
    "an authorization %s: 402 with the reason, and nothing moves",
    async (_, change, reason) => {
      const buyer = await world.buyer();
      const payment = await buyer.sign(SEARCH);
      change(payment);
      const resigned = await buyer.resign(payment);
      const movedNow = await moved(buyer, async () => {
        const reply = await world.send(SEARCH, QUESTION, resigned);
        expect(reply.status).toBe(402);
        expect(reply.body.error).toMatch(reason);
      });
      expect(movedNow).toEqual(NOTHING);
    },
  );

  test.each([
    ["for a year", inSeconds(31_536_000)],
    ["until the year 58,876, in milliseconds", String(Date.now() + 60_000)],
    ["without an end", String(2n ** 256n - 1n)],
  ])("an authorization %s pays as well", async (_, validBefore) => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    set({ validBefore })(payment);
    const reply = await world.send(SEARCH, QUESTION, await buyer.resign(payment));
    expect(reply.status).toBe(200);
  });

  const tampered: [string, (payment: Payment) => void, RegExp][] = [
    ["a lowered price", (p) => void (p.accepted.amount = "1"), /No matching/],
    ["another network", (p) => void (p.accepted.network = "eip155:1"), /No matching/],
    ["another recipient", (p) => void (p.accepted.payTo = authorizationOf(p).from), /No matching/],
    ["a changed value", set({ value: "11999" }), /signature|value_mismatch/],
    ["a foreign payer", set({ from: `0x${"1".repeat(40)}` }), /signature|balance/],
    ["a changed nonce", set({ nonce: `0x${"2".repeat(64)}` }), /signature/],
    ["a stretched validity", (p) => set({ validBefore: inSeconds(31_536_000) })(p), /signature/],
    [
      "a broken signature",
      (p) => void (p.payload["signature"] = `0x${"ab".repeat(65)}`),
      /signature/,
    ],
    ["no signature", (p) => void delete p.payload["signature"], /invalid_payment/],
    [
      "a number for a value",
      (p) => void ((authorizationOf(p).value as unknown) = 12_000),
      /invalid_payment/,
    ],
    ["protocol version 3", (p) => void (p.x402Version = 3), /invalid_payment/],
    ["protocol version 1", (p) => void (p.x402Version = 1), /invalid_payment/],
  ];
  test.each(tampered)("%s: 402 with the reason, and nothing moves", async (_, tamper, reason) => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    const movedNow = await moved(buyer, async () => {
      tamper(payment);
      const reply = await world.send(SEARCH, QUESTION, payment);
      expect(reply.status).toBe(402);
      expect(reply.body.error).toMatch(reason);
      expect(reply.receipt).toBeNull();
    });
    expect(movedNow).toEqual(NOTHING);
    expect(world.asked().filter((call) => call === "POST /settle")).toEqual([]);
  });

  test.each([
    ["garbage", "%%%"],
    ["base64 of no JSON", Buffer.from("hello").toString("base64")],
    ["JSON null", Buffer.from("null").toString("base64")],
    ["an array", Buffer.from("[]").toString("base64")],
    ["invalid UTF-8", Buffer.from([0xff, 0xfe, 0x7b]).toString("base64")],
    ["deep nesting", Buffer.from("[".repeat(5_000)).toString("base64")],
    ["60 kB", Buffer.from(JSON.stringify({ x: "y".repeat(45_000) })).toString("base64")],
  ])("%s in the header: 402, and nobody is asked", async (_, header) => {
    const reply = await world.send(SEARCH, QUESTION, header);
    expect(reply.status).toBe(402);
    expect(world.asked()).toEqual([]);
  });

  test("the header of version 1 pays for nothing", async () => {
    const reply = await world.send(SEARCH, QUESTION, undefined, { "x-payment": "eyJ4IjoxfQ==" });
    expect(reply.status).toBe(402);
  });

  test("a wallet without money is refused", async () => {
    const buyer = await world.buyer(PRICE - 1);
    const reply = await world.send(SEARCH, QUESTION, await buyer.sign(SEARCH));
    expect(reply.status).toBe(402);
    expect(reply.body.error).toMatch(/insufficient_balance/);
  });
});

describe("the same payment again", () => {
  test("with the same question, for ten minutes: the answer again, with its receipt, and no second charge", async () => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    const first = await world.send(SEARCH, QUESTION, payment);
    const again = await moved(buyer, async () => {
      const reply = await world.send(SEARCH, QUESTION, payment);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual(first.body);
      expect(reply.receipt).toMatchObject({ transaction: first.receipt!.transaction });
    });
    expect(again).toEqual(NOTHING);
    world.api.advance(601);
    const late = await world.send(SEARCH, QUESTION, payment);
    expect(late.status).toBe(402);
    expect(late.body.error).toBe("payment_already_used");
  });

  test("with another question: refused, in whatever spelling of its bytes", async () => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    await world.send(SEARCH, QUESTION, payment);
    const other = structuredClone(payment);
    authorizationOf(other).nonce = authorizationOf(other).nonce.toUpperCase().replace("0X", "0x");
    authorizationOf(other).from = authorizationOf(other).from.toLowerCase();
    for (const sent of [payment, other]) {
      const reply = await world.send(SEARCH, { tags: ["other"] }, sent);
      expect(reply.status).toBe(402);
      expect(reply.body.error).toBe("payment_already_used");
    }
  });

  test("five at once from a wallet that can pay for one: one is charged, and nothing is given away", async () => {
    const buyer = await world.buyer(PRICE);
    const payments = await Promise.all(Array.from({ length: 5 }, () => buyer.sign(SEARCH)));
    const replies = await Promise.all(
      payments.map((payment) => world.send(SEARCH, QUESTION, payment)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replies)
      if (status !== 200) expect([status, body.error]).toEqual([402, expect.any(String)]);
    expect(await buyer.balance()).toBe(0);
  });

  test("a payment whose bad signature somebody else sends first is still the payer's", async () => {
    const buyer = await world.buyer();
    const payment = await buyer.sign(SEARCH);
    const forged = structuredClone(payment);
    forged.payload["signature"] = `0x${"cd".repeat(65)}`;
    expect((await world.send(SEARCH, QUESTION, forged)).status).toBe(402);
    expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(200);
  });
});
