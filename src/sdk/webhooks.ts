import type { Event } from "../console/api/schema.ts";
import { fromBase64 } from "./base64.ts";

type Given = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How far the attempt's time may be from now. */
  toleranceSeconds?: number;
  now?: Date;
}

/** A request whose signature is not the service's, or is too old. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/**
 * The event of a webhook's request, which is signed as Standard Webhooks 1.0.0 has it; throws a `WebhookError` otherwise.
 * `body` is the request's, byte for byte; of two `secrets` either will do, while one is being replaced.
 */
async function verify(
  body: string | Uint8Array,
  headers: Given,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<Event> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  const age = now.getTime() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > toleranceSeconds)
    throw new WebhookError("webhook-timestamp is too far from now");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  const given = signatures
    .split(" ")
    .slice(0, 20)
    .filter((each) => each.startsWith("v1,"));
  const all = typeof secrets === "string" ? [secrets] : secrets;
  if (all.length === 0) throw new TypeError("there is no secret to verify by");
  for (const secret of all) {
    const key = await keyOf(secret);
    for (const each of given) {
      const signature = fromBase64(each.slice(3));
      // The comparison takes as long for each wrong signature.
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, content)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event;
    }
  }
  throw new WebhookError("no signature is by the secret");
}

function headerOf(headers: Given, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") throw new WebhookError(`${name} is missing`);
  return value;
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length < 16) throw new TypeError("that is no secret of a webhook: whsec_...");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

export const webhooks = { verify };
