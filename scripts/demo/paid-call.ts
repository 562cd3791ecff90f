import type { Hex } from "viem";
import type { StackDescription } from "../stack/running.ts";

/** Buys a call from the wallet that the stack has funded; resolves with payer, receiver and amount, in lines. */
export async function buyOneCall({
  base_url: baseUrl,
  chain,
}: Pick<StackDescription, "base_url" | "chain">): Promise<string[]> {
  if (chain === null)
    return [
      "No call is bought: there is no anvil for this machine. Install Foundry, set ANVIL_PATH to its anvil, and start again.",
    ];
  // A large package, which nothing before this needs.
  const { buyCall, tellPurchase } = await import("../pay/purchase.ts");
  const purchase = await buyCall({
    baseUrl,
    call: "email/verify",
    body: { email: "anna@corp.zz" },
    privateKey: chain.buyer.private_key as Hex,
    rpcUrl: chain.rpc_url,
  });
  return [
    "A call that needs no account, paid from a wallet:",
    ...tellPurchase(purchase).map((line) => `  ${line}`),
  ];
}
