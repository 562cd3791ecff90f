import { optOutProspect } from "#db/prospects.ts";
import type { Deps } from "#src/deps.ts";
import { fromBase64, toBase64Url } from "#src/platform/encoding.ts";
import { profileHash } from "./read-prospect.ts";

/** A link in a mail: for so long somebody may find it and press the button. */
const VALID_MS = 7 * 24 * 3_600_000;
const PURPOSE = "overture.prospect-opt-out.1";
const MAX_TOKEN = 4_000;
const encoder = new TextEncoder();

/** What a confirmed link stands for: nothing is kept until it is. */
export async function signOptOut(deps: Deps, profileKey: string): Promise<string> {
  const until = deps.clock.now().getTime() + VALID_MS;
  const body = encoder.encode(`${until} ${profileKey}`);
  const mac = await crypto.subtle.sign("HMAC", await keyOf(deps), body);
  return `${toBase64Url(new Uint8Array(mac))}.${toBase64Url(body)}`;
}

/** The profile that a link is about; null for what nobody signed, or signed too long ago. */
export async function readOptOut(deps: Deps, token: string): Promise<string | null> {
  if (token.length > MAX_TOKEN) return null;
  const [mac, body, ...more] = token.split(".").map(fromBase64);
  if (mac == null || body == null || more.length > 0) return null;
  if (!(await crypto.subtle.verify("HMAC", await keyOf(deps), mac, body))) return null;
  const [, until, profileKey] = /^(\d+) (.+)$/s.exec(new TextDecoder().decode(body)) ?? [];
  if (profileKey === undefined || Number(until) < deps.clock.now().getTime()) return null;
  return profileKey;
}

/** Takes the person out of the pool for good. Safe to repeat. False when the link is no good. */
export async function confirmOptOut(deps: Deps, token: string): Promise<boolean> {
  const profileKey = await readOptOut(deps, token);
  if (profileKey === null) return false;
  const now = deps.clock.now();
  const wasThere = await optOutProspect(deps.db, {
    profileKey,
    profileHash: await profileHash(profileKey),
    now,
  });
  deps.log.info("prospect_opted_out", { was_there: wasThere });
  return true;
}

/** For this purpose alone, whatever else the secret signs. */
function keyOf({ settings }: Deps): Promise<CryptoKey> {
  const secret = encoder.encode(`${PURPOSE}\0${settings.trackingSecret}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"]);
}
