import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { PROFILE_SITE, readProfilePage } from "../finding/profile/profile-page.ts";

/**
 * Whose profile it is, of a profile's key: a member of the network has one page under each country's host, in each language
 * and encoding. Elsewhere the address is the person.
 */
export function personKey(profileKey: string): string {
  const page = readProfilePage(`https://${profileKey}`);
  return (page === null ? undefined : readProfileUrl(page.url)?.key) ?? profileKey;
}

/** What remembers that a person opted out: nothing of them can be read from it. */
const profileHash = (key: string): Promise<string> => sha256Hex(key);

/** The person's hash, and that of the address as it was spelled, under which opt-outs from before are kept. */
export async function profileHashes(
  profileKey: string,
): Promise<[person: string, spelled: string]> {
  return [await profileHash(personKey(profileKey)), await profileHash(profileKey)];
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Keys under which the pool may have the person: from before that was folded under a country's host, or as it is spelled. */
export function poolKeys(profileKey: string): string[] {
  const person = personKey(profileKey);
  const hosts = person.startsWith(`${PROFILE_SITE}/`) ? COUNTRIES : [];
  return [...new Set([person, profileKey, ...hosts.map((host) => `${host}.${person}`)])];
}
