import type { SeenReverse } from "#db/schema/index.ts";
import { readAddress, specialAddress } from "#src/platform/special-addresses.ts";
import { type Lookup, recordsOf } from "./lookup.ts";

/** Names of one address that are followed: a receiver, too, looks at a few. */
const MOST_NAMES = 3;
const LONGEST_NAME = 253;
/** What DNS may give as a name, and a host can have. */
const HOST = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+$/;

/** The name under which an address has its PTR record (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: readonly number[]): string {
  if (address.length === 4) return `${address.toReversed().join(".")}.in-addr.arpa`;
  const nibbles = address.flatMap((byte) => [byte >> 4, byte & 15]);
  return `${nibbles
    .toReversed()
    .map((nibble) => nibble.toString(16))
    .join(".")}.ip6.arpa`;
}

/**
 * Whether an address has a name that leads back to it, as Google and Yahoo ask of who hands mail to them. Nothing for an
 * address that is no public host's: reports are their sender's word. Never throws.
 */
export async function lookAtReverse(lookup: Lookup, text: string): Promise<SeenReverse | null> {
  const address = readAddress(text);
  if (address === null || specialAddress(address) !== null) return null;
  const records = recordsOf(await lookup(reverseName(address), "PTR"));
  if (records === null) return { address: text, names: [], status: "unknown" };
  const names = records
    .filter((name) => name.length <= LONGEST_NAME && HOST.test(name))
    .slice(0, MOST_NAMES);
  if (names.length === 0) return { address: text, names, status: "missing" };
  const type = address.length === 4 ? "A" : "AAAA";
  const found = await Promise.all(names.map(async (name) => recordsOf(await lookup(name, type))));
  const leadsBack = (records: string[] | null) =>
    records?.some((each) => `${readAddress(each)}` === `${address}`) === true;
  if (found.some(leadsBack)) return { address: text, names, status: "ok" };
  return { address: text, names, status: found.includes(null) ? "unknown" : "mismatch" };
}
