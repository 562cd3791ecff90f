import { encodePaymentSignatureHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { PAYMENT_ASSET } from "#src/domain/billing/wallet/prices.ts";
import { type Chain, startChain } from "../../scripts/stack/chain/chain.ts";
import type { Ledger } from "../../scripts/stack/chain/ledger.ts";
import { MERCHANT } from "../../scripts/stack/chain/accounts.ts";
import { startApi, type TestApi } from "./api.ts";

/** The official client's payment, open to be tampered with. */
export type Payment = Awaited<ReturnType<x402Client["createPaymentPayload"]>>;

export interface Buyer {
  address: `0x${string}`;
  account: ReturnType<typeof privateKeyToAccount>;
  /** Asks, pays and asks again, as the official client does. */
  buy(path: string, body: unknown): Promise<Bought>;
  /** A payment for what the operation asks, signed and not sent. */
  sign(path: string, change?: (asked: Asked) => void): Promise<Payment>;
  /** Signs the authorization anew, as it now stands. */
  resign(payment: Payment): Promise<Payment>;
  balance(): Promise<number>;
}
export type Asked = Parameters<x402Client["createPaymentPayload"]>[0];

export interface Bought {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  /** What the header says of the payment; null when it says nothing. */
  receipt: ReturnType<typeof decodePaymentResponseHeader> | null;
}

export interface WalletSetting {
  api: TestApi;
  chain: Chain;
  ledger: Ledger;
  /** A wallet of its own, with so many millionths of a USDC. */
  buyer(balance?: number): Promise<Buyer>;
  /** One request, with the payment if there is one. */
  send(
    path: string,
    body: unknown,
    payment?: Payment | string,
    headers?: Record<string, string>,
  ): Promise<Bought>;
  merchantBalance(): Promise<number>;
  /** What the facilitator was asked since the last look. */
  asked(): string[];
  close(): Promise<void>;
}

const post = (body: unknown, headers: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

export async function readReply(response: Response): Promise<Bought> {
  const receipt = response.headers.get("payment-response");
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
    receipt: receipt === null ? null : decodePaymentResponseHeader(receipt),
  };
}

/** What sells calls on this chain. */
export const chainEnv = (chain: Chain): Record<string, string> => ({
  X402_FACILITATOR_URL: chain.part.url,
  X402_MERCHANT_ADDRESS: MERCHANT,
  X402_RPC_URL: chain.rpcUrl,
});

/** The API over a chain of its own, with the official client as the buyer. */
export async function startWalletSetting(
  overrides: Record<string, string> = {},
  around: Parameters<typeof startApi>[1] = {},
): Promise<WalletSetting> {
  const chain = await startChain({ rpc: 0, facilitator: 0 });
  if (chain === null) throw new Error("There is no anvil for this machine: set ANVIL_PATH.");
  const api = await startApi({ ...chainEnv(chain), ...overrides }, around);
  return walletOver(api, chain);
}

/** The same over an API that is there already, which sells on this chain; it closes both. */
export async function walletOver(api: TestApi, chain: Chain): Promise<WalletSetting> {
  const { ledger } = await chain.open();
  await ledger.follow(new Date());
  const balanceOf = async (address: `0x${string}`) => Number(await ledger.balanceOf(address));
  const send: WalletSetting["send"] = async (path, body, payment, headers = {}) => {
    const header =
      payment === undefined || typeof payment === "string"
        ? payment
        : encodePaymentSignatureHeader(payment);
    return readReply(
      await api.request(
        path,
        post(body, {
          ...headers,
          ...(header === undefined ? {} : { "payment-signature": header }),
        }),
      ),
    );
  };
  return {
    api,
    chain,
    ledger,
    send,
    async buyer(balance = 1_000_000) {
      const account = privateKeyToAccount(generatePrivateKey());
      const client = new x402Client().register("eip155:8453", new ExactEvmScheme(account));
      if (balance > 0) await ledger.mint(account.address, BigInt(balance));
      const fetchPaid = wrapFetchWithPayment(
        (async (input: Request | URL | string, init?: RequestInit) => {
          const request = new Request(input, init);
          const { pathname } = new URL(request.url);
          return api.request(pathname, {
            method: request.method,
            headers: request.headers,
            body: await request.text(),
          });
        }) as typeof fetch,
        client,
      );
      return {
        address: account.address,
        account,
        buy: async (path, body) =>
          readReply(await fetchPaid(`http://overture.test:8787${path}`, post(body, {}))),
        async sign(path, change = () => {}) {
          const { body } = await send(path, {});
          const asked = body as Asked;
          change(asked);
          return client.createPaymentPayload(asked);
        },
        resign: (payment) => signAgain(account, payment),
        balance: () => balanceOf(account.address),
      };
    },
    merchantBalance: () => balanceOf(MERCHANT),
    asked() {
      const calls = chain.part.log.entries().map(({ summary }) => summary);
      chain.part.log.clear();
      return calls;
    },
    async close() {
      await api.close();
      await chain.close();
    },
  };
}

export type Authorization = Record<
  "from" | "to" | "value" | "validAfter" | "validBefore" | "nonce",
  string
>;
export const authorizationOf = (payment: Payment) =>
  (payment.payload as { authorization: Authorization }).authorization;

const uint = (name: string) => ({ name, type: "uint256" }) as const;
const address = (name: string) => ({ name, type: "address" }) as const;

async function signAgain(account: Buyer["account"], payment: Payment): Promise<Payment> {
  const { from, to, value, validAfter, validBefore, nonce } = authorizationOf(payment);
  const signature = await account.signTypedData({
    domain: {
      name: "USD Coin",
      version: "2",
      chainId: 8453,
      verifyingContract: PAYMENT_ASSET,
    },
    types: {
      TransferWithAuthorization: [
        address("from"),
        address("to"),
        uint("value"),
        uint("validAfter"),
        uint("validBefore"),
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message: {
      from: from as `0x${string}`,
      to: to as `0x${string}`,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as `0x${string}`,
    },
  });
  return { ...payment, payload: { ...payment.payload, signature } };
}
