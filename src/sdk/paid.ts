import { fromBase64, toBase64 } from "./base64.ts";
import { addressOf } from "./client.ts";
import { OvertureError } from "./error.ts";
import type { PaidCalls } from "./methods.ts";
import { type Attempt, DEFAULTS, type Reply, send, type Sending } from "./send.ts";

/** USDC on Base (CAIP-2), of which a million is one. */
const TOKEN = { network: "eip155:8453", asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };
const LONGEST_SECONDS = 300;

type Address = `0x${string}`;
type Field = { name: string; type: string };

/** What viem's accounts are. */
export interface Signer {
  address: Address;
  signTypedData(message: {
    domain: { name: string; version: string; chainId: number; verifyingContract: Address };
    types: { TransferWithAuthorization: Field[] };
    primaryType: "TransferWithAuthorization";
    message: {
      from: Address;
      to: Address;
      value: bigint;
      validAfter: bigint;
      validBefore: bigint;
      nonce: Address;
    };
  }): Promise<string>;
}

export interface PaidOptions extends Partial<Sending> {
  /** Of the deployment: `https://api.example.com`. */
  baseUrl: string;
  /** The most that one call may cost, in millionths of a USDC. */
  most?: number;
}

export interface Receipt {
  success: boolean;
  payer?: string;
  transaction: string;
  network: string;
  extensions?: { "offer-receipt"?: { info: { receipt: { format: "jws"; signature: string } } } };
}

export interface Bought<Call extends keyof PaidCalls> {
  answer: PaidCalls[Call]["answer"];
  /** What moved; null where nothing was charged. */
  receipt: Receipt | null;
  /** The receipt as a JWS, for others to check with the key of the deployment's `/.well-known/did.json`. */
  proof: string | null;
}

interface Asked {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: Address;
  maxTimeoutSeconds: number;
  extra?: { name?: string; version?: string };
}

/**
 * Buys calls from a wallet, without an account (x402 version 2, scheme `exact`, an authorization by EIP-3009). It signs
 * once a call and sends the same payment again where an answer is lost, so that no answer is paid for twice.
 */
export function paid(signer: Signer, options: PaidOptions) {
  const { baseUrl, most = 100_000, ...rest } = options;
  const base = addressOf(baseUrl);
  const sending: Sending = { fetch: (...of) => fetch(...of), ...DEFAULTS, ...rest };
  return async function buy<Call extends keyof PaidCalls>(
    call: Call,
    body: PaidCalls[Call]["body"],
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Bought<Call>> {
    const attempt: Attempt = {
      url: `${base}/api/x402/v1/${call}`,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      isRepeatable: true,
      signal,
    };
    const reply = await send(sending, attempt).catch(async (error: unknown): Promise<Reply> => {
      if (!(error instanceof OvertureError) || error.status !== 402) throw error;
      const payment = await sign(signer, error.problem, most);
      const headers = { ...attempt.headers, "payment-signature": payment };
      return send(sending, { ...attempt, headers });
    });
    const header = reply.headers.get("payment-response");
    const receipt = header === null ? null : (fromHeader(header) as Receipt);
    return {
      answer: JSON.parse(reply.text) as PaidCalls[Call]["answer"],
      receipt,
      proof: receipt?.extensions?.["offer-receipt"]?.info.receipt.signature ?? null,
    };
  };
}

/** The header of a payment for what is asked; refuses what costs more than was allowed, or another token. */
async function sign(
  signer: Signer,
  required: Readonly<Record<string, unknown>>,
  most: number,
): Promise<string> {
  const accepts = Array.isArray(required["accepts"]) ? (required["accepts"] as Asked[]) : [];
  const accepted = accepts.find(
    ({ scheme, network, asset }) =>
      scheme === "exact" &&
      network === TOKEN.network &&
      asset.toLowerCase() === TOKEN.asset.toLowerCase(),
  );
  if (accepted === undefined) throw refusal("PRICE_UNKNOWN", "No price in USDC on Base is asked.");
  const { amount, payTo, maxTimeoutSeconds, extra } = accepted;
  if (!/^\d{1,30}$/.test(amount) || BigInt(amount) > BigInt(most))
    throw refusal("PRICE_TOO_HIGH", `It costs ${amount}, and at most ${most} is allowed.`);
  const now = Math.floor(Date.now() / 1000);
  const ends = now + Math.min(Number(maxTimeoutSeconds) || 0, LONGEST_SECONDS);
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const authorization = {
    from: signer.address,
    to: payTo,
    value: amount,
    // Clocks differ.
    validAfter: String(now - 600),
    validBefore: String(ends),
    nonce: `0x${[...nonce].map((byte) => byte.toString(16).padStart(2, "0")).join("")}` as Address,
  };
  const { value, validAfter, validBefore } = authorization;
  const signature = await signer.signTypedData({
    domain: {
      name: extra?.name ?? "USD Coin",
      version: extra?.version ?? "2",
      chainId: Number(TOKEN.network.split(":")[1]),
      verifyingContract: TOKEN.asset as Address,
    },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  });
  const { resource } = required;
  const payment = { x402Version: 2, resource, accepted, payload: { signature, authorization } };
  return toBase64(new TextEncoder().encode(JSON.stringify(payment)));
}

const refusal = (code: string, message: string) => new OvertureError(402, code, message);

const fromHeader = (header: string): unknown =>
  JSON.parse(new TextDecoder().decode(fromBase64(header) ?? new Uint8Array()));
