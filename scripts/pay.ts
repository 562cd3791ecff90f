/**
 * `npm run pay -- CALL [--name value ...]`: buys one paid call with the official client and shows what moved. From the
 * local stack that runs and its funded buyer, or elsewhere with OVERTURE_URL and BUYER_PRIVATE_KEY (real money).
 */
// First: signatures carry the time, and the stack's clock may run ahead.
import { setWarpOffsetMs } from "./stack/warp.ts";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { PAID_CALLS } from "#src/domain/wallet/prices.ts";
import { findRunning, type StackDescription } from "./stack/running.ts";

const usage = () => {
  console.error(
    "usage: npm run pay -- CALL [--field value ...]\n" +
      `CALL is one of ${Object.keys(PAID_CALLS).join(", ")}; a field is one of its body, a list with commas between:\n` +
      "  npm run pay -- email/verify --email anna@corp.zz\n" +
      "  npm run pay -- prospects/search --tags fintech,berlin --limit 5\n" +
      "The local stack has to run (npm start), or OVERTURE_URL and BUYER_PRIVATE_KEY say where and who pays.",
  );
  process.exit(1);
};

const [call, ...rest] = process.argv.slice(2);
const running = findRunning();
const baseUrl = process.env["OVERTURE_URL"] ?? running?.base_url;
const key = process.env["BUYER_PRIVATE_KEY"] ?? running?.chain?.buyer.private_key;
if (call === undefined || baseUrl === undefined || key === undefined) usage();

const LISTS = new Set(["tags"]);
const body: Record<string, unknown> = {};
for (let at = 0; at < rest.length; at += 2) {
  const [name, value] = [rest[at]!, rest[at + 1]];
  if (!name.startsWith("--") || value === undefined) usage();
  const field = name.slice(2);
  if (LISTS.has(field)) body[field] = value!.split(",");
  else body[field] = /^\d+$/.test(value!) ? Number(value) : value;
}

if (process.env["OVERTURE_URL"] === undefined) await followClock(running!);
const account = privateKeyToAccount(key as Hex);
const client = new x402Client().register("eip155:8453", new ExactEvmScheme(account));
const pay = wrapFetchWithPayment(fetch, client);
const before = await usdcOf(account.address);
const response = await pay(`${baseUrl}/api/x402/v1/${call}`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
console.log(`${response.status} ${JSON.stringify(await response.json(), null, 2)}`);
const receipt = response.headers.get("payment-response");
if (receipt === null) console.log("Nothing was charged.");
else {
  const { transaction, network } = decodePaymentResponseHeader(receipt);
  console.log(`${account.address} paid on ${network}: ${transaction}`);
}
const after = await usdcOf(account.address);
if (before !== null && after !== null)
  console.log(`USDC of the buyer: ${before} before, ${after} after.`);

async function followClock({ control_url }: StackDescription): Promise<void> {
  const clock = (await (await fetch(`${control_url}/clock`)).json()) as { offset_seconds: number };
  setWarpOffsetMs(clock.offset_seconds * 1000);
}

/** From the stack's chain; null elsewhere. */
async function usdcOf(address: Hex): Promise<string | null> {
  if (process.env["OVERTURE_URL"] !== undefined || running?.chain == null) return null;
  const { openLedger } = await import("./stack/chain/ledger.ts");
  return (Number(await openLedger(running.chain.rpc_url).balanceOf(address)) / 1e6).toFixed(6);
}
