import { expect, test } from "vitest";
import { buyOneCall } from "../../../scripts/demo/paid-call.ts";
import { tellPurchase } from "../../../scripts/pay/purchase.ts";

test("without a chain the demo says why no call is bought, and what to do", async () => {
  const lines = await buyOneCall({ base_url: "http://127.0.0.1:9", chain: null });
  expect(lines.join("\n")).toMatch(/no anvil for this machine.* set ANVIL_PATH/);
});

const purchase = {
  call: "email/verify",
  body: { email: "a@b.zz" },
  buyer: "0xb",
  signed: { amount: 5_000, merchant: "0xa" },
} as const;
const at = (buyer: number, merchant: number) => ({ buyer, merchant });

test("a purchase is told to the millionth, and away from the local chain without balances", () => {
  const paid = { ...purchase, status: 200, answer: { result: "valid" }, transaction: "0xf" };
  expect(tellPurchase({ ...paid, balances: null })).toEqual([
    'POST /api/x402/v1/email/verify {"email":"a@b.zz"}',
    '200 {"result":"valid"}',
    "0xb paid 0.005000 USDC to 0xa",
    "on eip155:8453, transaction 0xf",
  ]);
  const balances = { before: at(100_000_000, 1), after: at(99_995_000, 5_001) };
  expect(tellPurchase({ ...paid, balances }).slice(4)).toEqual([
    "buyer     100.000000 USDC -> 99.995000 USDC",
    "merchant  0.000001 USDC -> 0.005001 USDC",
  ]);
});

test("an answer without a receipt was not charged", () => {
  const free = { ...purchase, status: 422, answer: {}, transaction: null, balances: null };
  expect(tellPurchase(free).at(-1)).toBe("Nothing was charged.");
});
