import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAID_CALLS, type PaidCall } from "#src/domain/billing/wallet/prices.ts";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { type SearchPart, startSearch } from "../../../../scripts/stack/search.ts";
import {
  buyWithPython,
  findPythonBuyer,
  type PythonBought,
} from "../../../support/python-buyer.ts";
import { startWalletSetting, type WalletSetting } from "../../../support/wallet.ts";

const python = findPythonBuyer();
const isRun = python !== null && findAnvil() !== null;
if (!isRun) console.log(`python buyer: not run (no ${python === null ? "x402 package" : "anvil"})`);

const PURSE = 1_000_000;
const orders: [PaidCall, body: unknown, answer: object][] = [
  ["email/verify", { email: "anna@corp.zz" }, { result: "valid", backend: "smtp" }],
  ["email/validate", { email: "anna@corp.zz" }, { valid_format: true, risk_level: "safe" }],
  [
    "email/find",
    { first_name: "Anna", last_name: "Berg", domain: "corp.zz" },
    { found: true, email: "anna.berg@corp.zz" },
  ],
  ["linkedin/find-url", { name: "Ingrid Solberg" }, { status: "not_found", profiles: [] }],
  ["prospects/search", { tags: ["fintech"] }, { count: 0, results: [] }],
];

describe.runIf(isRun)("the official client in Python", () => {
  let farm: Farm;
  let search: SearchPart;
  let world: WalletSetting;
  let server: Server;
  beforeAll(async () => {
    farm = await startFarm();
    search = await startSearch({ web: { pages: [], people: [] } });
    world = await startWalletSetting({ PROBE_INTERVAL_MS: "0", ...search.env }, { farm });
    server = await serve(world);
  });
  afterAll(async () => {
    server.close();
    await Promise.all([world.close(), farm.close(), search.close()]);
  });

  async function buy(wanted: { call: PaidCall; body: unknown }[]) {
    const privateKey = generatePrivateKey();
    const buyer = privateKeyToAddress(privateKey);
    await world.ledger.mint(buyer, BigInt(PURSE));
    const sold = await world.merchantBalance();
    const bought: PythonBought[] = await buyWithPython(
      python!,
      { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, privateKey },
      wanted.map(({ call, body }) => ({ path: `/api/x402/v1/${call}`, body })),
    );
    const paid = PURSE - Number(await world.ledger.balanceOf(buyer));
    expect((await world.merchantBalance()) - sold).toBe(paid);
    return { bought, paid, buyer };
  }

  test("buys each of the five calls, to the millionth", async () => {
    const { bought, paid, buyer } = await buy(orders.map(([call, body]) => ({ call, body })));
    for (const [index, [, , answer]] of orders.entries())
      expect(bought[index]).toMatchObject({
        status: 200,
        body: answer,
        receipt: {
          success: true,
          network: "eip155:8453",
          payer: buyer.toLowerCase(),
          transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        },
      });
    expect(paid).toBe(orders.reduce((sum, [call]) => sum + PAID_CALLS[call].amount, 0));
  });
});

/** The API at an address, for clients of other languages. */
function serve({ api }: WalletSetting): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const body = await text(incoming);
    const reply = await api.request(url, {
      method,
      headers: headers as [string, string][],
      ...(body === "" ? {} : { body }),
    });
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    outgoing.end(await reply.text());
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
