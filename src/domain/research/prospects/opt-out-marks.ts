import type { Deps } from "#src/deps.ts";
import { clientNetwork } from "#src/platform/client-network.ts";
import { toHex } from "#src/platform/encoding.ts";

/**
 * Keyed hashes of the mailbox and the client that asked for an opt-out: equal ones can be compared, and neither
 * address is stored or can be read from its mark without the key.
 */
export interface OptOutMarks {
  mailbox: string;
  client: string;
}

const PURPOSE = "overture.prospect-opt-out-mark.1";
/** 64 bits: enough that no two of a day meet, and short enough to be typed. */
const MARK_BYTES = 8;
const encoder = new TextEncoder();

export async function markOptOut(
  { settings }: Deps,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<OptOutMarks> {
  const secret = encoder.encode(`${PURPOSE}\0${settings.trackingSecrets[0]}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const mark = async (kind: keyof OptOutMarks, value: string) => {
    const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${kind}\0${value}`));
    return `${kind}:${toHex(new Uint8Array(mac).subarray(0, MARK_BYTES))}`;
  };
  return {
    mailbox: await mark("mailbox", foldMailbox(email)),
    client: await mark("client", clientNetwork(clientAddress)),
  };
}

const GMAIL = new Set(["gmail.com", "googlemail.com"]);

/**
 * The mailbox behind an address that `emailKey` made, as far as it can be told: what follows a plus is a tag nearly
 * everywhere (RFC 5233), and Gmail reads no dots (https://support.google.com/mail/answer/7436150). A hyphen is a tag at
 * few and in the names of many.
 */
export function foldMailbox(address: string): string {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const base = local.replace(/(?<=.)\+.*$/s, "");
  return GMAIL.has(domain) ? `${base.replaceAll(".", "")}@gmail.com` : `${base}@${domain}`;
}
