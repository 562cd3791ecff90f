import type { Deps } from "#src/deps.ts";
import { fromBase64, toBase64 } from "#src/platform/encoding.ts";

/** As Standard Webhooks has it: `whsec_` and 24 to 64 bytes in base64. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const newSecret = ({ ids }: Pick<Deps, "ids">): string =>
  PREFIX + toBase64(fromBase64(ids.secret(SECRET_BYTES))!);

/**
 * The headers of one attempt (Standard Webhooks 1.0.0): the event's id, which stays the same, the instant of this attempt,
 * and a signature by each secret that is good now.
 */
export async function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, content)));
  return {
    "content-type": "application/json",
    "user-agent": "Overture-Webhooks/1.0",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.map((each) => `v1,${each}`).join(" "),
  };
}

async function sign(secret: string, content: BufferSource): Promise<string> {
  const bytes = fromBase64(secret.slice(PREFIX.length));
  if (bytes === null) throw new Error("Not a webhook's secret");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  return toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)));
}
