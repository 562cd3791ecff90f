import { generateKeyPairSync } from "node:crypto";
import type { Faults } from "../part.ts";
import { challengeOf, type Granted, type Shelves } from "./codes.ts";
import { claimsOf, ISSUER, signClaims } from "./signing.ts";

export interface Client {
  id: string;
  secret: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

const refuse = (error: string, error_description: string, status = 400): Answer => ({
  status,
  body: { error, error_description },
});

/** The token endpoint: a code for who it was given to, once, by who can show the verifier. */
export function createTokenEndpoint({
  key,
  clients,
  shelves,
  faults,
}: {
  key: string;
  clients: readonly Client[];
  shelves: Shelves;
  faults: Faults;
}) {
  return async (form: URLSearchParams, authorization?: string): Promise<Answer> => {
    const [id, secret] = credentialsOf(form, authorization);
    if (!clients.some((each) => each.id === id && each.secret === secret))
      return refuse("invalid_client", "The client is not known here.", 401);
    if (form.get("grant_type") !== "authorization_code")
      return refuse("unsupported_grant_type", "Only codes are taken here.");
    const granted = shelves.codes.take(form.get("code") ?? "");
    if (granted === undefined) return refuse("invalid_grant", "The code is not known, or used.");
    if (granted.clientId !== id || granted.redirectUri !== form.get("redirect_uri"))
      return refuse("invalid_grant", "The code was given for another place.");
    if (challengeOf(form.get("code_verifier") ?? "") !== granted.challenge)
      return refuse("invalid_grant", "The code_verifier does not fit.");
    const body = {
      access_token: shelves.access.put(granted.person),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid email profile",
      id_token: await idToken(granted),
    };
    return { status: 200, body };
  };

  async function idToken({ person, clientId, nonce }: Granted): Promise<string> {
    const { email, email_verified, name, ...rest } = claimsOf(person);
    const claims = {
      iss: faults.take("other_issuer_in_token") ? "https://login.evil.zz" : ISSUER,
      aud: faults.take("other_audience") ? "another-app" : clientId,
      ...rest,
      ...(faults.take("no_email_in_token") ? {} : { email, email_verified, name }),
      ...(nonce !== null && { nonce: faults.take("other_nonce") ? "another" : nonce }),
    };
    const signer = faults.take("forged") ? strangersKey() : key;
    return signClaims(signer, claims, {
      lifetime: faults.take("expired") ? "-1h" : "5m",
      ...(faults.take("unknown_key") && { keyId: "nobody's" }),
    });
  }
}

const strangersKey = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;

/** In the form, or by HTTP Basic (RFC 6749 section 2.3.1). */
function credentialsOf(form: URLSearchParams, authorization = ""): (string | null)[] {
  const basic = /^Basic (.+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return [form.get("client_id"), form.get("client_secret")];
  return Buffer.from(basic, "base64")
    .toString("utf8")
    .split(":")
    .map((part) => decodeURIComponent(part));
}
