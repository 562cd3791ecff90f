import * as z from "zod";
import type { Json } from "#db/schema/columns.ts";
import { fromBase64, sha256Hex } from "#src/platform/encoding.ts";

/** A payment by its header, parsed as far as this service uses it. */
export interface SignedPayment {
  /** Lower case: another spelling of the same bytes makes no second claim. */
  payer: string;
  nonce: string;
  validBefore: Date;
  /** SHA-256 (hex) of the authorization with its signature. */
  hash: string;
  payment: Record<string, Json>;
}

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`, "i"));
const whole = z.string().regex(/^\d{1,78}$/);
const authorization = z.object({
  from: hexOf(20),
  to: hexOf(20),
  value: whole,
  validAfter: whole,
  validBefore: whole,
  nonce: hexOf(32),
});
const payment = z.looseObject({
  x402Version: z.literal(2),
  payload: z.looseObject({
    signature: z.string().regex(/^0x[0-9a-f]{2,20000}$/i),
    authorization,
  }),
});

/** The last second of the year 9999: ISO 8601 writes later years with a sign, which Postgres reads as a zone. What ends beyond it never does. */
const NEVER_SECONDS = 253_402_300_799;

/** Client libraries make headers below 2 kB for this service's calls. */
export const MAX_PAYMENT_HEADER = 16 * 1024;

/** Null for a header that is no payment of this protocol's exact scheme (EIP-3009). Unverified: the facilitator verifies it. */
export async function readPaymentHeader(header: string): Promise<SignedPayment | null> {
  if (header.length > MAX_PAYMENT_HEADER) return null;
  const parsed = payment.safeParse(parseBase64Json(header));
  if (!parsed.success) return null;
  const { signature, authorization: signed } = parsed.data.payload;
  const seconds = Math.min(Number(signed.validBefore), NEVER_SECONDS);
  const fields = Object.values({ ...signed, signature });
  return {
    payer: signed.from.toLowerCase(),
    nonce: signed.nonce.toLowerCase(),
    validBefore: new Date(seconds * 1000),
    hash: await sha256Hex(fields.join("\n").toLowerCase()),
    payment: parsed.data as Record<string, Json>,
  };
}

function parseBase64Json(text: string): unknown {
  try {
    return JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
        fromBase64(text) ?? undefined,
      ),
    );
  } catch {
    return null;
  }
}
