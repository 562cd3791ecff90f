import { DAY_MS } from "#src/platform/durations.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { plainSpelling } from "../names/letters.ts";
import type { PersonName } from "../names/read-name.ts";

/** A name that somebody typed has an address for so long: it may be wrong, and asks for the other one come from everywhere. */
const OWNED_DAYS = 30;

/** Addresses that were found before then may be anybody's. */
export const ownedSince = (now: Date): Date => new Date(now.getTime() - OWNED_DAYS * DAY_MS);

/** Who an address was found for: SHA-256 (hex) of the domain and the name in a-z, which is not kept. */
export const ownerOf = (domain: string, name: PersonName): Promise<string> =>
  hashOf(domain, name.given, name);

/** Tells whether an owner can be the person: of the same name, with the second first names or without. */
export async function belongsTo(
  domain: string,
  name: PersonName,
): Promise<(owner: string) => boolean> {
  const spelled = [name.given, name.given.slice(0, 1)];
  const owners = await Promise.all(spelled.map((given) => hashOf(domain, given, name)));
  return (owner) => owners.includes(owner);
}

function hashOf(
  domain: string,
  given: readonly string[],
  { particles, family }: PersonName,
): Promise<string> {
  const plain = (words: readonly string[]) =>
    words.map((word) => plainSpelling(word.replace(/['-]/g, ""))).join("");
  return sha256Hex([domain, plain(given), plain([...particles, ...family])].join("\n"));
}
