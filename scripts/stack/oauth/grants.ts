import { createHash, randomBytes } from "node:crypto";
import { openJournal } from "../journal.ts";

export type ProviderName = "google" | "microsoft" | "other";

/** What a mailbox's owner consented to. */
export interface Consent {
  provider: ProviderName;
  clientId: string;
  email: string;
  scopes: string[];
}

interface Code extends Consent {
  redirectUri: string;
  /** PKCE's, S256; null where the request had none. */
  challenge: string | null;
  /** Whether a refresh token comes with it. */
  isOffline: boolean;
  expiresAt: number;
}

interface Access {
  email: string;
  /** What it is for; of an older stack's state it is not known. */
  scopes?: string[];
  /** Of the consent that it came from. */
  refreshToken: string | null;
  expiresAt: number;
}

export interface Issued {
  consent: Consent;
  accessToken: string;
  lifetime: number;
  refreshToken?: string;
}

const CODE_MS = 10 * 60_000;
const LIFETIME_SECONDS = 3599;

/** Codes, consents and tokens of every mailbox, kept over a restart; their times are the stack's clock's. */
export function openGrants(stateFile?: string) {
  const journal = openJournal(stateFile);
  const codes = journal.table<Code>("codes");
  const consents = journal.table<Consent>("consents");
  const access = journal.table<Access>("access");

  function issue(consent: Consent, refreshToken: string | null, lifetime = LIFETIME_SECONDS) {
    const accessToken = nameOf[consent.provider].access();
    const expiresAt = Date.now() + lifetime * 1000;
    const { email, scopes } = consent;
    access.put(accessToken, { email, scopes, refreshToken, expiresAt });
    return { consent, accessToken, lifetime };
  }

  /** Whose mailbox an access token opens now, until when, and for what. */
  function inForce(token: string): Omit<Access, "refreshToken"> | undefined {
    const held = access.get(token);
    return held !== undefined && held.expiresAt > Date.now() ? held : undefined;
  }

  function newRefreshToken(consent: Consent): string {
    const refreshToken = nameOf[consent.provider].refresh();
    consents.put(refreshToken, consent);
    return refreshToken;
  }

  function endAccess(ends: (token: Access) => boolean): void {
    for (const [token, held] of [...access.entries()]) if (ends(held)) access.delete(token);
  }

  return {
    /** Google gives a refresh token with the first consent of an app, and later ones only where they are asked for anew. */
    hasConsent: (clientId: string, email: string) =>
      consents.values().some((each) => each.clientId === clientId && each.email === email),
    addCode(code: Omit<Code, "expiresAt">): string {
      const name = `4/${randomBytes(36).toString("base64url")}`;
      codes.put(name, { ...code, expiresAt: Date.now() + CODE_MS });
      return name;
    },
    /** Null when the code is unknown, used, too old, of another app or redirect, or its verifier is another. */
    redeem(
      code: string,
      { clientId, redirectUri, verifier }: Record<string, string | null>,
      lifetime?: number,
    ): Issued | null {
      const held = codes.get(code);
      codes.delete(code);
      if (held === undefined || held.expiresAt <= Date.now()) return null;
      if (held.clientId !== clientId || held.redirectUri !== redirectUri) return null;
      if (held.challenge !== null && held.challenge !== challengeOf(verifier ?? "")) return null;
      const { provider, email, scopes, isOffline } = held;
      const consent = { provider, clientId: held.clientId, email, scopes };
      const refreshToken = isOffline ? newRefreshToken(consent) : null;
      return {
        ...issue(consent, refreshToken, lifetime),
        ...(refreshToken === null ? {} : { refreshToken }),
      };
    },
    /** `rotate`: with a new refresh token; `strict`: the old one is dead from here on. */
    renew(
      refreshToken: string,
      clientId: string,
      how: { rotate: boolean; strict: boolean; lifetime?: number | undefined },
    ): Issued | null {
      const consent = consents.get(refreshToken);
      if (consent === undefined || consent.clientId !== clientId) return null;
      if (!how.rotate) return issue(consent, refreshToken, how.lifetime);
      const fresh = newRefreshToken(consent);
      if (how.strict) consents.delete(refreshToken);
      return { ...issue(consent, fresh, how.lifetime), refreshToken: fresh };
    },
    /** Whether the token opens that mailbox now. */
    accepts: (email: string, token: string): boolean =>
      inForce(token)?.email === email.trim().toLowerCase(),
    inForce,
    /** The access tokens of that mailbox, or of all, stop to work; their refresh tokens go on. */
    endAccess: (email?: string) =>
      endAccess((held) => email === undefined || held.email === email.toLowerCase()),
    /** All that was given for that mailbox stops to work, as when its owner takes the access back. */
    revoke(email: string): void {
      const of = email.toLowerCase();
      for (const [token, held] of [...consents.entries()])
        if (held.email === of) consents.delete(token);
      endAccess((held) => held.email === of);
    },
    revokeToken(token: string): void {
      const refreshToken = access.get(token)?.refreshToken ?? token;
      consents.delete(refreshToken);
      access.delete(token);
      endAccess((held) => held.refreshToken === refreshToken);
    },
    list: () => consents.values(),
    close: () => journal.close(),
  };
}

export type Grants = ReturnType<typeof openGrants>;

export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

const random = (bytes: number) => randomBytes(bytes).toString("base64url");

/** Tokens of the length and the look of the original's. */
const nameOf: Record<ProviderName, { access(): string; refresh(): string }> = {
  google: { access: () => `ya29.a0${random(150)}`, refresh: () => `1//0${random(72)}` },
  microsoft: { access: () => `EwB${random(1200)}`, refresh: () => `1.A${random(800)}` },
  other: { access: () => random(32), refresh: () => random(32) },
};
