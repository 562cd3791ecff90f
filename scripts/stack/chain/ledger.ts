import { setTimeout as delay } from "node:timers/promises";
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  parseSignature,
  publicActions,
  TransactionReceiptNotFoundError,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { PAYMENT_ASSET, PAYMENT_ASSET_DOMAIN } from "#src/domain/billing/wallet/prices.ts";
import { BUYER, FACILITATOR } from "./accounts.ts";
import contracts from "./contracts.json" with { type: "json" };
import { createTurns } from "./turns.ts";

/** Where the official clients and facilitators look for it on every chain. */
const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";
const TOKEN = PAYMENT_ASSET as Address;
/** Said here because the package of all chains takes longer to load than the rest of the stack. */
export const base = defineChain({
  id: 8453,
  name: "Base",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});
export const tokenAbi = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address holder) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** Millionths of a USDC: enough for ten thousand calls. */
const BUYER_BALANCE = 100_000_000n;

const LOOK_MS = 3;
const MOST_LOOKS = 3_000;

export type Ledger = ReturnType<typeof openLedger>;

/** The chain's token as tests and people look at it. */
export function openLedger(rpcUrl: string) {
  const options = { chain: base, transport: http(rpcUrl) };
  const test = createTestClient({ ...options, mode: "anvil" });
  const reader = createPublicClient(options);
  const account = privateKeyToAccount(FACILITATOR.privateKey);
  const wallet = createWalletClient({ ...options, account }).extend(publicActions);

  /** viem's own waits for the block after, which on a chain where nothing else happens never comes. */
  async function waitForTransactionReceipt({ hash }: { hash: Hex }) {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const receipt = await reader.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      if (receipt !== null) return receipt;
      await delay(LOOK_MS);
    }
    throw new Error(`transaction ${hash} was not mined`);
  }
  /** Two transactions that are prepared at once would get the same number, and one of them would be refused. */
  const turn = createTurns();
  const writeContract = ((order: never) =>
    turn(() => wallet.writeContract(order))) as typeof wallet.writeContract;
  const sendTransaction = ((order: never) =>
    turn(() => wallet.sendTransaction(order))) as typeof wallet.sendTransaction;
  const client = { ...wallet, writeContract, sendTransaction, waitForTransactionReceipt };
  const token = { address: TOKEN, abi: tokenAbi } as const;

  const followed = { second: 0, done: Promise.resolve() };
  /**
   * Blocks are as late as the stack's clock from here on, and the newest is of this second: what is simulated is
   * simulated at the newest block's time, and Base is never idle.
   */
  function follow(now: Date): Promise<void> {
    const second = Math.floor(now.getTime() / 1000);
    if (followed.second === second) return followed.done;
    followed.second = second;
    followed.done = followed.done.catch(() => {}).then(() => moveTo(second));
    return followed.done;
  }
  async function moveTo(second: number): Promise<void> {
    try {
      await test.request({ method: "anvil_setTime" as never, params: [second] as never });
      await test.mine({ blocks: 1 });
    } catch (error) {
      followed.second = 0;
      throw error;
    }
  }
  return {
    client,
    balanceOf: (holder: Address) =>
      reader.readContract({ ...token, functionName: "balanceOf", args: [holder] }),
    mint: async (to: Address, value: bigint) => {
      const hash = await client.writeContract({
        ...token,
        functionName: "mint",
        args: [to, value],
      });
      await client.waitForTransactionReceipt({ hash });
    },
    /** The payer takes a signed authorization back, at the token itself. */
    async cancel(account: LocalAccount, nonce: Hex) {
      const signature = await account.signTypedData({
        domain: { ...PAYMENT_ASSET_DOMAIN, chainId: base.id, verifyingContract: TOKEN },
        types: {
          CancelAuthorization: [
            { name: "authorizer", type: "address" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "CancelAuthorization",
        message: { authorizer: account.address, nonce },
      });
      const { r, s, v, yParity } = parseSignature(signature);
      const parity = Number(v ?? BigInt(yParity) + 27n);
      const hash = await client.writeContract({
        ...token,
        functionName: "cancelAuthorization",
        args: [account.address, nonce, parity, r, s],
      });
      await client.waitForTransactionReceipt({ hash });
    },
    follow,
    async deploy() {
      await test.setCode({ address: TOKEN, bytecode: contracts.LocalUsdc as Hex });
      await test.setCode({ address: MULTICALL3, bytecode: contracts.LocalMulticall as Hex });
      await this.mint(BUYER.address, BUYER_BALANCE);
    },
  };
}
