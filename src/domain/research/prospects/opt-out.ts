import { forgetOptOuts, optOutProspect } from "#db/research/opt-outs.ts";
import type { Deps } from "#src/deps.ts";
import { fromBase64, toBase64Url } from "#src/platform/encoding.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { OptOutMarks } from "./opt-out-marks.ts";
import { personKey, poolKeys, profileHashes } from "./person-key.ts";

/** How long the link in an opt-out mail works. */
const VALID_MS = 7 * DAY_MS;
const PURPOSE = "overture.prospect-opt-out.2";
const MAX_TOKEN = 4_000;
const encoder = new TextEncoder();

interface SignedOptOut {
  profileKey: string;
  marks: OptOutMarks;
  askedAt: Date;
}

/** What a confirmed link stands for: nothing of it is kept until it is. */
export async function signOptOut(
  deps: Deps,
  { profileKey, marks }: Omit<SignedOptOut, "askedAt">,
): Promise<string> {
  const askedAt = deps.clock.now().getTime();
  const body = encoder.encode([askedAt, marks.mailbox, marks.client, profileKey].join(" "));
  const mac = await crypto.subtle.sign("HMAC", await keyOf(deps.settings.trackingSecrets[0]), body);
  return `${toBase64Url(new Uint8Array(mac))}.${toBase64Url(body)}`;
}

/** The opt-out that a link names; null where its signature is wrong or too old. */
export async function readOptOut(deps: Deps, token: string): Promise<SignedOptOut | null> {
  if (token.length > MAX_TOKEN) return null;
  const [mac, body, ...more] = token.split(".").map(fromBase64);
  if (mac == null || body == null || more.length > 0) return null;
  if (!(await isSigned(deps.settings.trackingSecrets, mac, body))) return null;
  const read = /^(\d+) (\S+) (\S+) (.+)$/s.exec(new TextDecoder().decode(body));
  if (read === null) return null;
  const [, at, mailbox, client, profileKey] = read as unknown as [string, ...SignedFields];
  const askedAt = new Date(Number(at));
  if (askedAt.getTime() + VALID_MS < deps.clock.now().getTime()) return null;
  return { profileKey, marks: { mailbox, client }, askedAt };
}
type SignedFields = [askedAt: string, mailbox: string, client: string, profileKey: string];

/**
 * Takes the person out of the pool. Safe to repeat. False when the link is no good, or the operator has undone what was
 * asked for by then.
 */
export async function confirmOptOut(deps: Deps, token: string): Promise<boolean> {
  const signed = await readOptOut(deps, token);
  if (signed === null) return false;
  const { profileKey, marks, askedAt } = signed;
  const { stands, gone } = await optOutProspect(deps.db, {
    poolKeys: poolKeys(profileKey),
    profileHashes: await profileHashes(profileKey),
    shownKey: personKey(profileKey),
    confirmedBy: marks.mailbox,
    askedFrom: marks.client,
    askedAt,
    now: deps.clock.now(),
  });
  deps.log.info("prospect_opted_out", { stands, was_there: gone > 0, ...marks });
  return stands;
}

/** For so long the operator sees whose profile it was; after that the hash alone keeps the person out. */
export const SHOWN_DAYS = 30;
const FORGOTTEN_AT_ONCE = 1_000;

/** Part of the full check: what the operator need not see any more. */
export async function forgetOldOptOuts({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  await forgetOptOuts(db, {
    before: new Date(now.getTime() - SHOWN_DAYS * DAY_MS),
    day: now.toISOString().slice(0, 10),
    limit: FORGOTTEN_AT_ONCE,
  });
}

async function isSigned(secrets: string[], mac: Bytes, body: Bytes): Promise<boolean> {
  for (const secret of secrets)
    if (await crypto.subtle.verify("HMAC", await keyOf(secret), mac, body)) return true;
  return false;
}
type Bytes = Uint8Array<ArrayBuffer>;

/** For this purpose alone, whatever else the secret signs. */
function keyOf(trackingSecret: string): Promise<CryptoKey> {
  const secret = encoder.encode(`${PURPOSE}\0${trackingSecret}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"]);
}
