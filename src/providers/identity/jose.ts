import {
  createRemoteJWKSet,
  decodeJwt,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import type { IdentityProvider, LoginClaims } from "./index.ts";

export interface IssuerSettings {
  issuer: string;
  audience?: string | undefined;
  /** Exactly one of the two: a shared secret and public keys are never accepted for the same issuer (algorithm confusion). */
  key: { kind: "hs256"; secret: string } | { kind: "jwks"; url: string };
}

const CLOCK_TOLERANCE_SECONDS = 10;
const PUBLIC_KEY_ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "EdDSA", "PS256"];

/** Verifies login JWTs (RFC 7519) of the configured issuers. */
export function createJoseIdentity(issuers: IssuerSettings[], now: () => Date): IdentityProvider {
  const keys = new Map<string, JWTVerifyGetKey>();
  const jwks = (url: string) => {
    const known = keys.get(url) ?? createRemoteJWKSet(new URL(url));
    keys.set(url, known);
    return known;
  };
  const check = async (token: string, settings: IssuerSettings): Promise<JWTPayload> => {
    const options = {
      issuer: settings.issuer,
      ...(settings.audience === undefined ? {} : { audience: settings.audience }),
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
    async verify(token) {
      try {
        const { iss } = decodeJwt(token);
        const settings = issuers.find((candidate) => candidate.issuer === iss);
        return settings === undefined ? null : toClaims(await check(token, settings));
      } catch {
        return null;
      }
    },
  };
}

function toClaims(payload: JWTPayload): LoginClaims | null {
  if (
    payload.iss === undefined ||
    payload.sub === undefined ||
    payload.sub === "" ||
    payload.exp === undefined
  ) {
    return null;
  }
  const text = (claim: string) =>
    typeof payload[claim] === "string" ? (payload[claim] as string) : null;
  return {
    issuer: payload.iss,
    subject: payload.sub,
    email: text("email"),
    name: text("name"),
    expiresAt: new Date(payload.exp * 1000),
  };
}
