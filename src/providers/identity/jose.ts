import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import * as z from "zod";
import { type IdentityProvider, KeysNotTold, type LoginClaims } from "./index.ts";

export interface IssuerSettings {
  issuer: string;
  audience?: string | undefined;
  /** Exactly one of the two: a shared secret and public keys are never accepted for the same issuer (algorithm confusion). */
  key: { kind: "hs256"; secret: string } | { kind: "jwks"; url: string };
}

/** Text that a database takes: whole Unicode without control characters. */
const storable = (max: number) =>
  z
    .string()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .refine((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text));

/** The end of the year 9999, as far as dates are written in four digits. */
const LAST_SECOND = 253_402_300_799;

/** A text with blanks (RFC 8693 section 4.2, RFC 9068 section 2.2.3), or as some issuers write it a list. */
const Granted = z
  .union([z.string().transform((text) => text.split(" ")), z.array(z.string())])
  .catch([]);

/** A signature proves a token's issuer, not that the claims are what they should be. */
const Claims = z.object({
  iss: z.string(),
  // OpenID Connect Core 1.0 section 2: at most 255 characters.
  sub: storable(255).min(1),
  exp: z.number().min(0).max(LAST_SECOND),
  email: storable(320).nullish(),
  // Some issuers write it as text.
  email_verified: z.union([z.boolean(), z.literal("true").transform(() => true)]).catch(false),
  // Shown, and compared with nothing: one that is unfit is left out.
  name: storable(500).nullish().catch(null),
  scope: Granted,
  scp: Granted,
});

const CLOCK_TOLERANCE_SECONDS = 10;
const PUBLIC_KEY_ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "EdDSA", "PS256"];

/** What the token's header is to blame for, where the issuer's keys are known. */
const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

function keysAt(url: string): JWTVerifyGetKey {
  const find = createRemoteJWKSet(new URL(url));
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      throw isOfToken(error) ? error : new KeysNotTold(url, { cause: error });
    }
  };
}

/** Verifies login JWTs (RFC 7519) of the configured issuers. */
export function createJoseIdentity(issuers: IssuerSettings[], now: () => Date): IdentityProvider {
  const keys = new Map<string, JWTVerifyGetKey>();
  const jwks = (url: string) => {
    const known = keys.get(url) ?? keysAt(url);
    keys.set(url, known);
    return known;
  };
  const check = async (
    token: string,
    settings: IssuerSettings,
    resource: string | undefined,
  ): Promise<JWTPayload> => {
    const audience = [settings.audience, resource].filter((each) => each !== undefined);
    const options = {
      issuer: settings.issuer,
      ...(audience.length === 0 ? {} : { audience }),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now(),
      requiredClaims: ["sub", "exp"],
    };
    if (settings.key.kind === "jwks") {
      const { payload } = await jwtVerify(token, jwks(settings.key.url), {
        ...options,
        algorithms: PUBLIC_KEY_ALGORITHMS,
      });
      return payload;
    }
    const secret = new TextEncoder().encode(settings.key.secret);
    const { payload } = await jwtVerify(token, secret, { ...options, algorithms: ["HS256"] });
    return payload;
  };
  return {
    async verify(token, resource) {
      try {
        const { iss } = decodeJwt(token);
        const settings = issuers.find((candidate) => candidate.issuer === iss);
        return settings === undefined ? null : toClaims(await check(token, settings, resource));
      } catch (error) {
        if (error instanceof KeysNotTold) throw error;
        return null;
      }
    },
  };
}

/** The claims of a token whose writer is known; null where they are unfit. */
export function toClaims(payload: Record<string, unknown>): LoginClaims | null {
  const { success, data } = Claims.safeParse(payload);
  if (!success) return null;
  const { iss: issuer, sub: subject, exp, email = null, name = null } = data;
  const emailVerified = email !== null && data.email_verified;
  const granted = [...data.scope, ...data.scp];
  return { issuer, subject, email, emailVerified, name, expiresAt: new Date(exp * 1000), granted };
}
