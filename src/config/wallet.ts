import * as z from "zod";
import { together, url, whole } from "./fields.ts";

export const walletVariables = {
  X402_FACILITATOR: z.enum(["http", "cdp"]).default("http"),
  X402_FACILITATOR_URL: url.optional(),
  X402_MERCHANT_ADDRESS: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address such as 0x1234... (40 hexadecimal digits)")
    .optional(),
  X402_SETTLE_MARGIN_SECONDS: whole(15, 0, 600),
  X402_RPC_URL: url.optional(),
  CDP_API_KEY_ID: z.string().min(1).optional(),
  CDP_API_KEY_SECRET: z.string().min(1).optional(),
};
const variables = z.object(walletVariables);
type Variables = z.output<typeof variables>;
export const walletChecks = [
  together("X402_FACILITATOR_URL", "X402_MERCHANT_ADDRESS"),
  {
    path: ["CDP_API_KEY_ID"],
    message: "is needed, with CDP_API_KEY_SECRET, where X402_FACILITATOR is cdp",
    holds: (env: Variables) =>
      env.X402_FACILITATOR === "http" ||
      (env.CDP_API_KEY_ID !== undefined && env.CDP_API_KEY_SECRET !== undefined),
  },
];

export interface WalletConfig {
  /** The facilitator of wallets' payments, and the address that gets the money; null where no calls are sold. */
  wallet: {
    merchant: string;
    settleMarginSeconds: number;
    facilitatorUrl: string;
    /** Coinbase's, with its key; null for any other. */
    cdp: { keyId: string; keySecret: string } | null;
    rpcUrl: string | null;
  } | null;
}

export function readWallet(env: Variables): WalletConfig {
  if (env.X402_FACILITATOR_URL === undefined || env.X402_MERCHANT_ADDRESS === undefined)
    return { wallet: null };
  return {
    wallet: {
      merchant: env.X402_MERCHANT_ADDRESS,
      settleMarginSeconds: env.X402_SETTLE_MARGIN_SECONDS,
      facilitatorUrl: env.X402_FACILITATOR_URL,
      cdp:
        env.X402_FACILITATOR === "cdp"
          ? { keyId: env.CDP_API_KEY_ID!, keySecret: env.CDP_API_KEY_SECRET! }
          : null,
      rpcUrl: env.X402_RPC_URL ?? null,
    },
  };
}
