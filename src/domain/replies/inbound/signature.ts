import { sha256Hex, toHex } from "#src/platform/encoding.ts";
import { isSameText } from "#src/platform/same-text.ts";

/** How far a signature's time may be off: clocks differ, and an old request must not be replayed for ever. */
const TOLERANCE_SECONDS = 300;

const FIELD = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
const encoder = new TextEncoder();

/**
 * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 under the inbound secret of
 * `<t>.<recipient>.<SHA-256 of the raw mail, hex>`. A relay that hands mail over by
 * HTTP signs so. Of the digest, so that a mail of 50 MB is not copied for it.
 */
export async function signInbound(
  secret: string,
  { at, to, raw }: { at: Date; to: string; raw: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${await hmac(secret, seconds, to, raw)}`;
}

/** Whether the header signs this mail for this recipient, now. */
export async function isInboundSigned(
  secret: string,
  header: string | undefined,
  { now, to, raw }: { now: Date; to: string; raw: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const [, seconds = "", given = ""] = FIELD.exec(header ?? "") ?? [];
  if (given === "") return false;
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS) return false;
  return isSameText(given, await hmac(secret, Number(seconds), to, raw));
}

async function hmac(
  secret: string,
  seconds: number,
  to: string,
  raw: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  const signed = encoder.encode(`${seconds}.${to}.${await sha256Hex(raw)}`);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return toHex(mac);
}
