import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import { within } from "#src/platform/deadline.ts";
import type { Clock } from "#src/platform/index.ts";
import type { GoogleCall } from "./google-call.ts";
import { SheetsFault } from "./index.ts";
import { readJson } from "#src/platform/json.ts";

export interface ServiceAccount {
  email: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

export interface GoogleTokens {
  get(): Promise<string>;
  /** The API refused this one. */
  forget(token: string): void;
}

const SCOPE = "https://www.googleapis.com/auth/spreadsheets.readonly";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** The longest that Google takes. */
const LIFETIME_SECONDS = 3600;
/** Google refuses an `iat` in its future, and clocks differ. */
const SKEW_SECONDS = 30;
/** A token is not used when it would end under way. */
const MARGIN_SECONDS = 120;
const MAX_BYTES = 16 * 1024;
/** Longer than the call's own deadline: an invocation that ended takes what it asked for along, and its answer never comes. */
const SHARED_MS = 20_000;

const Grant = z.object({
  access_token: z.string().min(1).max(8192),
  expires_in: z.number().min(0).max(86_400),
});

/**
 * Access tokens of a service account (https://developers.google.com/identity/protocols/oauth2/service-account),
 * kept until they end, asked for once however many wait.
 */
export function createGoogleTokens(options: {
  account: ServiceAccount;
  tokenUrl: string;
  call: GoogleCall;
  clock: Clock;
}): GoogleTokens {
  const { clock } = options;
  let kept: { token: string; endsAt: number } | null = null;
  let asked: Promise<string> | null = null;

  async function ask(): Promise<string> {
    const { token, seconds } = await requestToken(options);
    kept = { token, endsAt: clock.now().getTime() + (seconds - MARGIN_SECONDS) * 1000 };
    return token;
  }

  return {
    async get() {
      if (kept !== null && kept.endsAt > clock.now().getTime()) return kept.token;
      if (asked !== null) {
        const shared = await within(clock, SHARED_MS, asked).catch(faultOrNull);
        if (shared !== null) return shared;
      }
      const mine = ask();
      asked = mine;
      try {
        return await mine;
      } finally {
        if (asked === mine) asked = null;
      }
    },
    forget(token) {
      if (kept?.token === token) kept = null;
    },
  };
}

/** Null when another request's call fails or hangs, so that this one asks itself; a fault of the sheet is thrown on. */
function faultOrNull(error: unknown): null {
  if (error instanceof SheetsFault) throw error;
  return null;
}

async function requestToken(options: Parameters<typeof createGoogleTokens>[0]) {
  const { account, tokenUrl, call, clock } = options;
  const issuedAt = Math.floor(clock.now().getTime() / 1000) - SKEW_SECONDS;
  const assertion = await signAssertion(account, tokenUrl, issuedAt);
  const body = new URLSearchParams({ grant_type: GRANT, assertion });
  const answer = await call({ url: tokenUrl, method: "POST", body, maxBytes: MAX_BYTES });
  const parsed = Grant.safeParse(readJson(answer.text));
  if (answer.status !== 200 || !parsed.success)
    throw new SheetsFault(
      "unavailable",
      `the token endpoint answered ${answer.status}: ${reasonOf(answer.text)}`,
    );
  return { token: parsed.data.access_token, seconds: parsed.data.expires_in };
}

async function signAssertion(account: ServiceAccount, audience: string, issuedAt: number) {
  const key = await importPKCS8(account.privateKey, "RS256").catch(() => {
    throw new SheetsFault("unavailable", "GOOGLE_SERVICE_ACCOUNT_KEY is no PKCS #8 RSA key");
  });
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(account.email)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key);
}

const Refusal = z.object({ error: z.string(), error_description: z.string().optional() });

/** What Google says of a refusal; never the body as it is, which may hold a token. */
function reasonOf(text: string): string {
  const { success, data } = Refusal.safeParse(readJson(text));
  return success ? `${data.error} ${data.error_description ?? ""}`.slice(0, 300) : "no reason";
}
