import { createPrivateKey, createPublicKey } from "node:crypto";
import { exportJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import type { Person } from "./people.ts";

export const ISSUER = "https://login.overture.zz";
const KEY_ID = "local-stack-1";
const ALGORITHM = "ES256";

/** Signs as the issuer does; `key` is its private key, PKCS #8 in PEM. */
export const signClaims = (
  key: string,
  claims: JWTPayload,
  { lifetime, keyId = KEY_ID }: { lifetime: string; keyId?: string },
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid: keyId })
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(createPrivateKey(key));

/** What tokens say of a person. */
export const claimsOf = ({ subject, email, name, emailVerified }: Person): JWTPayload => ({
  sub: subject,
  email,
  email_verified: emailVerified,
  name,
});

/** A login token of that person, for calls without a browser. */
export const loginToken = (key: string, person: Person, lifetime: string): Promise<string> =>
  signClaims(key, { iss: ISSUER, ...claimsOf(person) }, { lifetime });

export async function publicKeys(key: string): Promise<{ keys: JWK[] }> {
  const jwk = await exportJWK(createPublicKey(key));
  return { keys: [{ ...jwk, kid: KEY_ID, alg: ALGORITHM, use: "sig" }] };
}
