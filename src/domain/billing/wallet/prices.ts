/** The network and the token that paid calls are sold for: USDC on Base mainnet (CAIP-2, EIP-712 domain of the token). */
export const PAYMENT_NETWORK = "eip155:8453";
export const PAYMENT_ASSET = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const PAYMENT_ASSET_DOMAIN = { name: "USD Coin", version: "2" };

/**
 * The calls that any wallet can buy: price in millionths of a USDC, and the seconds that the handler may take. No two
 * prices are alike: a signed payment names an amount and no route, so it fits one call only.
 */
export const PAID_CALLS = {
  "email/verify": { amount: 5_000, seconds: 10 },
  "email/validate": { amount: 3_000, seconds: 10 },
  "email/find": { amount: 10_000, seconds: 8 },
  "linkedin/find-url": { amount: 8_000, seconds: 12 },
  "prospects/search": { amount: 12_000, seconds: 10 },
} as const satisfies Record<string, { amount: number; seconds: number }>;
export type PaidCall = keyof typeof PAID_CALLS;

/** A facilitator refuses an authorization that ends within 6 s, at verification and again at settlement; one second more for this service. */
export const SETTLE_RESERVE_SECONDS = 7;

/** For so long the same payment for the same question gets the answer again that it has paid for. */
export const ANSWER_KEPT_MS = 10 * 60_000;
