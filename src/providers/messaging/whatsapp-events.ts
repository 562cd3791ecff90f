import * as z from "zod";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { MessagingEvents, MessagingStatus } from "./index.ts";

/**
 * The Cloud API's webhook.
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 * https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components
 */
export function createWhatsappEvents({
  appSecret,
  verifyToken,
}: {
  appSecret: string;
  verifyToken: string;
}): MessagingEvents {
  return {
    // Of digests: how far two of them agree says nothing about the token.
    isOurs: async (token) => (await sha256Hex(token)) === (await sha256Hex(verifyToken)),
    isSigned: (raw, signature) => isSigned(appSecret, raw, signature),
    statusesOf,
  };
}

/** `sha256=<hex>`: HMAC-SHA256 of the raw body under the app's secret. */
async function isSigned(
  appSecret: string,
  raw: Uint8Array<ArrayBuffer>,
  signature: string | undefined,
): Promise<boolean> {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(signature ?? "")?.[1]?.match(/../g);
  if (hex === undefined || hex === null) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secret = new TextEncoder().encode(appSecret);
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["verify"]);
  return crypto.subtle.verify(
    "HMAC",
    key,
    Uint8Array.from(hex, (pair) => Number.parseInt(pair, 16)),
    raw,
  );
}

/** Each level is read by itself: what is new or odd in one place costs nothing of the others. */
const listOf = (field: string) =>
  z
    .object({ [field]: z.array(z.unknown()) })
    .transform((object) => object[field]!)
    .catch([]);
const entries = listOf("entry");
const changes = listOf("changes");
const statuses = z
  .object({ value: listOf("statuses") })
  .transform(({ value }) => value)
  .catch([]);

const printable = (longest: number) =>
  z.string().transform((text) =>
    text
      .toWellFormed()
      .replace(/[\u0000-\u001f\u007f]+/g, " ")
      .slice(0, longest),
  );

const failure = z
  .object({
    code: z.int().transform(String).catch("unknown"),
    title: printable(200).catch(""),
    error_data: z.object({ details: printable(300) }).catch({ details: "" }),
  })
  .transform(({ code, title, error_data: { details } }) => ({
    code,
    detail: [title, details].filter(Boolean).join(": "),
  }));
const NO_REASON = { code: "unknown", detail: "WhatsApp gave no reason" };

/** Seconds since 1970, as text; the year 2100 is the last that is believed. */
const LAST_SECOND = 4_102_444_800;
const instant = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .refine((seconds) => seconds <= LAST_SECOND)
  .transform((seconds) => new Date(seconds * 1000));

const one = z
  .object({
    id: z.string().regex(/^[\x21-\x7e]{1,300}$/),
    status: z.enum(["sent", "delivered", "read", "failed"]),
    timestamp: instant,
    biz_opaque_callback_data: z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/)
      .nullable()
      .catch(null),
    errors: z.array(failure).catch([]),
  })
  .transform(({ id, status, timestamp, biz_opaque_callback_data, errors }): MessagingStatus => ({
    id,
    reference: biz_opaque_callback_data,
    status,
    at: timestamp,
    failure: status === "failed" ? (errors[0] ?? NO_REASON) : null,
  }));

function statusesOf(body: unknown): MessagingStatus[] {
  return entries
    .parse(body)
    .flatMap((entry) => changes.parse(entry))
    .flatMap((change) => statuses.parse(change))
    .flatMap((each) => {
      const { data } = one.safeParse(each);
      return data === undefined ? [] : [data];
    });
}
