import {
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  parseEther,
  parseSignature,
} from "viem";
import { PAYMENT_ASSET } from "#src/domain/billing/wallet/prices.ts";
import { base, type Ledger } from "../../scripts/stack/chain/ledger.ts";
import { authorizationOf, type Payment } from "./wallet.ts";

const abi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** Sends the signed transfer to the chain, as anybody may; it is not waited for. */
export function submitTransfer({ client }: Ledger, payment: Payment): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorizationOf(payment);
  const { r, s, yParity } = parseSignature(payment.payload["signature"] as Hex);
  return client.writeContract({
    address: PAYMENT_ASSET,
    abi,
    functionName: "transferWithAuthorization",
    args: [
      from as Hex,
      to as Hex,
      BigInt(value),
      BigInt(validAfter),
      BigInt(validBefore),
      nonce as Hex,
      27 + yParity,
      r,
      s,
    ],
  });
}

/** A plain transfer of the account's own, at a price of gas that overtakes everybody; it is not waited for. */
export async function transferTokens(
  rpcUrl: string,
  account: LocalAccount,
  to: Hex,
  value: bigint,
): Promise<Hex> {
  const options = { chain: base, transport: http(rpcUrl) };
  await createTestClient({ ...options, mode: "anvil" }).setBalance({
    address: account.address,
    value: parseEther("1"),
  });
  return createWalletClient({ ...options, account }).writeContract({
    address: PAYMENT_ASSET,
    abi,
    functionName: "transfer",
    args: [to, value],
    gas: 200_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 100_000_000_000n,
  });
}
