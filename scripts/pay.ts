/**
 * `npm run pay -- CALL [--name value ...]`: buys one paid call with the official client and shows what moved. From the
 * local stack that runs and its funded buyer, or elsewhere with OVERTURE_URL and BUYER_PRIVATE_KEY (real money).
 */
// First: signatures carry the time, and the stack's clock may run ahead.
import { setWarpOffsetMs } from "./stack/warp.ts";
import type { Hex } from "viem";
import { PAID_CALLS } from "#src/domain/billing/wallet/prices.ts";
import { buyCall, tellPurchase } from "./pay/purchase.ts";
import { findRunning, type StackDescription } from "./stack/running.ts";

function usage(): never {
  console.error(
    "usage: npm run pay -- CALL [--field value ...]\n" +
      `CALL is one of ${Object.keys(PAID_CALLS).join(", ")}; a field is one of its body, a list with commas between:\n` +
      "  npm run pay -- email/verify --email anna@corp.zz\n" +
      "  npm run pay -- prospects/search --tags fintech,berlin --limit 5\n" +
      "The local stack has to run (npm start), or OVERTURE_URL and BUYER_PRIVATE_KEY say where and who pays.",
  );
  process.exit(1);
}

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

const isLocal = process.env["OVERTURE_URL"] === undefined;
if (isLocal) await followClock(running!);
const purchase = await buyCall({
  baseUrl,
  call,
  body,
  privateKey: key as Hex,
  rpcUrl: isLocal ? (running!.chain?.rpc_url ?? null) : null,
});
for (const line of tellPurchase(purchase)) console.log(line);

async function followClock({ control_url }: StackDescription): Promise<void> {
  const clock = (await (await fetch(`${control_url}/clock`)).json()) as { offset_seconds: number };
  setWarpOffsetMs(clock.offset_seconds * 1000);
}
