import * as z from "zod";
import type { StripeSettings } from "../providers/payments/stripe.ts";
import { secret, together, url } from "./fields.ts";

export const purchaseVariables = {
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: secret.optional(),
  STRIPE_API_BASE: url
    .refine((value) => new URL(value).pathname === "/", "must have no path")
    .default("https://api.stripe.com"),
  PURCHASE_RETURN_HOSTS: z
    .string()
    .transform((text) => text.split(",").map((one) => one.trim().toLowerCase()))
    .pipe(z.array(z.string().regex(/^[a-z0-9.:[\]-]+$/, "must be host names")).max(50))
    .optional(),
};
export const purchaseChecks = [together("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET")];
const variables = z.object(purchaseVariables);

export interface PurchaseConfig {
  /** Null where no credits are sold. */
  stripe: StripeSettings | null;
  /** Where customers may be sent back to after paying; null for any http or https URL. */
  purchaseReturnHosts: string[] | null;
}

export const readPurchases = (env: z.output<typeof variables>): PurchaseConfig => ({
  stripe:
    env.STRIPE_SECRET_KEY === undefined
      ? null
      : {
          secretKey: env.STRIPE_SECRET_KEY,
          webhookSecret: env.STRIPE_WEBHOOK_SECRET!,
          base: env.STRIPE_API_BASE,
        },
  purchaseReturnHosts: env.PURCHASE_RETURN_HOSTS ?? null,
});
