import type { HeaderName } from "./headers.ts";
import type { Parameter, Ref } from "./model.ts";

const QUOTA_HEADERS = ["RateLimit", "RateLimit-Policy"] as const;

/** References to these headers, and to the one that every answer has. */
export function headersOf(names: readonly HeaderName[], isLimited: boolean): Record<string, Ref> {
  const all = ["X-Request-Id", ...(isLimited ? QUOTA_HEADERS : []), ...names] as const;
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The request headers beside the credential, by name; a paid call has its payment. */
export const headerParameter = (
  name: string,
  description: string,
  required: boolean,
): Parameter => ({ name, in: "header", required, description, schema: { type: "string" } });

export const PAYMENT_SIGNATURE = headerParameter(
  "PAYMENT-SIGNATURE",
  "The signed payment, a PaymentPayload of x402 version 2 in base64; without it the answer is 402 and says what to sign.",
  false,
);
