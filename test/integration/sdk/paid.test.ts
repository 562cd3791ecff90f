import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { compactVerify, importJWK, type JWK } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { paid, type PaidOptions, type Signer } from "#src/sdk/index.ts";
import { installPackage } from "../../support/sdk-package.ts";
import { untilWaiting } from "../../support/locks.ts";
import { serve } from "../../support/serve.ts";
import { type Buyer, startWalletSetting, type WalletSetting } from "../../support/wallet.ts";

const PRICE = 12_000;
const QUESTION = { tags: ["fintech"] };

let world: WalletSetting;
let buyer: Buyer;
beforeAll(async () => {
  world = await startWalletSetting();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.chain.part.faults.clear();
  buyer = await world.buyer();
  world.asked();
});

/** The service, by way of what may happen on the way to it. */
type Way = (ask: () => Promise<Response>, count: number, init: RequestInit) => Promise<Response>;

function buyerBy(way: Way, more: Partial<PaidOptions> = {}, signer: Signer = buyer.account) {
  let count = 0;
  const fetchHere = ((url: string, init: RequestInit) =>
    way(() => world.api.request(new URL(url).pathname, init), ++count, init)) as typeof fetch;
  return paid(signer, {
    baseUrl: "http://overture.test:8787",
    fetch: fetchHere,
    retryDelayMs: 1,
    ...more,
  });
}
const straight: Way = (ask) => ask();
const spent = async () => 1_000_000 - (await buyer.balance());

test("buys an answer, and says what moved", async () => {
  const { answer, receipt, proof } = await buyerBy(straight)("prospects/search", QUESTION);
  expect(answer).toEqual({ count: 0, results: [] });
  const did = await (await world.api.request("/.well-known/did.json")).json();
  const [{ publicKeyJwk }] = (did as { verificationMethod: [{ publicKeyJwk: JWK }] })
    .verificationMethod;
  const { payload } = await compactVerify(proof!, await importJWK(publicKeyJwk));
  expect(JSON.parse(new TextDecoder().decode(payload)).transaction).toBe(receipt!.transaction);
  expect(receipt).toMatchObject({
    success: true,
    network: "eip155:8453",
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(await spent()).toBe(PRICE);
});

test("an answer that is lost on its way is sent for again with the same payment, and paid once", async () => {
  const payments: unknown[] = [];
  const lossy: Way = async (ask, count, init) => {
    payments.push((init.headers as Record<string, string>)["payment-signature"]);
    const response = await ask();
    if (count === 2 || count === 3) throw new TypeError("the connection was reset");
    return response;
  };
  const { receipt } = await buyerBy(lossy)("prospects/search", QUESTION);
  expect(receipt!.success).toBe(true);
  expect(payments).toEqual([undefined, payments[1], payments[1], payments[1]]);
  expect(await spent()).toBe(PRICE);
});

test("a call whose connection is lost while it is at work is sent for again until its answer is there, and paid once", async () => {
  const holder = await world.api.sql.connect();
  await holder.query("begin");
  await holder.query("lock table prospects in access exclusive mode");
  let release = async () => {
    release = async () => {};
    await holder.query("rollback");
    holder.release();
  };
  let first: Promise<Response> | undefined;
  const statuses: number[] = [];
  const lossy: Way = async (ask, count) => {
    if (count === 2) {
      first = ask();
      await untilWaiting(world.api.sql, 1);
      throw new TypeError("the connection was reset");
    }
    const response = await ask();
    statuses.push(response.status);
    if (count === 4) {
      await release();
      await first;
    }
    return response;
  };
  try {
    const { receipt } = await buyerBy(lossy)("prospects/search", QUESTION);
    expect(receipt!.success).toBe(true);
    expect(statuses).toEqual([402, 402, 402, 200]);
    expect(await spent()).toBe(PRICE);
  } finally {
    await release();
  }
});

test("a payment that is refused is not signed a second time", async () => {
  let signed = 0;
  const poor: Signer = {
    address: buyer.address,
    signTypedData: (message) => {
      signed++;
      return buyer.account.signTypedData({
        ...message,
        message: { ...message.message, value: message.message.value - 1n },
      });
    },
  };
  await expect(buyerBy(straight, {}, poor)("prospects/search", QUESTION)).rejects.toMatchObject({
    status: 402,
  });
  expect([signed, await spent()]).toEqual([1, 0]);
});

/** What a lying host asks for, of what the service asks. */
const asking =
  (change: Record<string, unknown>): Way =>
  async (ask) => {
    const response = await ask();
    if (response.status !== 402) return response;
    const body = (await response.json()) as { accepts: object[] };
    body.accepts = [{ ...body.accepts[0], ...change }];
    return new Response(JSON.stringify(body), { status: 402 });
  };

test.each([
  ["more than is allowed", { amount: "100001" }, "PRICE_TOO_HIGH"],
  ["what is no amount", { amount: "-1" }, "PRICE_TOO_HIGH"],
  ["another token", { asset: `0x${"4".repeat(40)}` }, "PRICE_UNKNOWN"],
  ["another chain", { network: "eip155:1" }, "PRICE_UNKNOWN"],
  ["another scheme", { scheme: "upto" }, "PRICE_UNKNOWN"],
])("nothing is signed for %s", async (_, change, code) => {
  const unused: Signer = {
    address: buyer.address,
    signTypedData: () => Promise.reject(new Error("was asked to sign")),
  };
  const buy = buyerBy(asking(change), {}, unused);
  await expect(buy("prospects/search", QUESTION)).rejects.toMatchObject({ status: 402, code });
});

test("a host that asks for years gets a payment of minutes", async () => {
  let until = 0n;
  const watching: Signer = {
    address: buyer.address,
    signTypedData: (message) => {
      until = message.message.validBefore;
      return buyer.account.signTypedData(message);
    },
  };
  const buy = buyerBy(asking({ maxTimeoutSeconds: 1e9 }), {}, watching);
  await buy("prospects/search", QUESTION).catch(() => {});
  expect(Number(until) - Date.now() / 1000).toBeLessThanOrEqual(301);
});

test("the command buys from a wallet that a module of its caller's holds, and refuses what is dearer than it may be", async () => {
  const server = await serve(world.api);
  const installed = await installPackage({ OVERTURE_URL: server.url });
  try {
    // The key stays in this process: the module asks it for each signature.
    const asked: string[] = [];
    const signing = createServer((request, response) => {
      void text(request).then(async (body) => {
        asked.push(body);
        const message = JSON.parse(body, (name, value: unknown) =>
          /^(value|valid\w+)$/.test(name) ? BigInt(value as string) : value,
        ) as Parameters<Signer["signTypedData"]>[0];
        response.end(await buyer.account.signTypedData(message));
      });
    });
    await new Promise<void>((resolve) => signing.listen(0, "127.0.0.1", resolve));
    const { port } = signing.address() as AddressInfo;
    installed.write(
      "wallet.mjs",
      `const text = (_, value) => typeof value === "bigint" ? String(value) : value;
       export default {
         address: "${buyer.address}",
         signTypedData: async (message) => (await fetch("http://127.0.0.1:${port}", { method: "POST", body: JSON.stringify(message, text) })).text(),
       };`,
    );
    // A payment is good for seconds, and the clock of this file is hours ahead of the machine's.
    installed.write(
      "clock.mjs",
      `const real = Date.now; Date.now = () => real() + ${warpOffsetMs()};`,
    );
    const env = { NODE_OPTIONS: `--import ${installed.folder}/clock.mjs` };
    const pay = (...more: string[]) =>
      installed.overture(["pay", "prospects/search", 'tags=["fintech"]', "--json", ...more], {
        env,
      });
    const signer = ["--signer", "wallet.mjs"];
    expect((await pay()).code).toBe(3);
    const dear = await pay(...signer, "--most", "11999");
    expect([dear.code, JSON.parse(dear.out).code, asked.length]).toEqual([3, "PRICE_TOO_HIGH", 0]);
    const bought = await pay(...signer);
    signing.close();
    expect(bought).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(bought.out)).toMatchObject({
      answer: { count: 0 },
      receipt: { success: true },
    });
    expect([asked.length, await spent()]).toEqual([1, PRICE]);
  } finally {
    installed.remove();
    await server.close();
  }
});
