import { createHash, randomBytes } from "node:crypto";
import type { Person } from "./people.ts";

/** What a code was given for. */
export interface Granted {
  person: Person;
  clientId: string;
  redirectUri: string;
  nonce: string | null;
  /** PKCE's, S256. */
  challenge: string;
}

const CODE_MS = 60_000;
const ACCESS_MS = 3_600_000;
const ONCE_MS = 12 * 3_600_000;

const secret = () => randomBytes(24).toString("base64url");

/** Each is good for a time, and what is taken is taken once. */
function shelf<Value>(lifetimeMs: number) {
  const kept = new Map<string, { value: Value; until: number }>();
  const find = (name: string): Value | undefined => {
    const found = kept.get(name);
    return found !== undefined && found.until > Date.now() ? found.value : undefined;
  };
  return {
    put(value: Value): string {
      const name = secret();
      kept.set(name, { value, until: Date.now() + lifetimeMs });
      return name;
    },
    find,
    take(name: string): Value | undefined {
      const value = find(name);
      kept.delete(name);
      return value;
    },
  };
}

/** Codes, access tokens, one-time links, and the browsers that came by one. */
export const createShelves = () => ({
  codes: shelf<Granted>(CODE_MS),
  access: shelf<Person>(ACCESS_MS),
  links: shelf<Person>(ONCE_MS),
  browsers: shelf<Person>(CODE_MS),
});
export type Shelves = ReturnType<typeof createShelves>;

export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");
