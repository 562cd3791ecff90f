import { createPublicKey, type KeyObject, randomBytes, verify } from "node:crypto";
import { z } from "zod";

export interface TokenIssuer {
  /** Answers POST /token. */
  grant(form: URLSearchParams): { status: number; body: unknown };
  isValid(token: string): boolean;
  /** Every token given so far stops to work, as when the account's key is deleted. */
  revokeAll(): void;
}

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SCOPES = new Set([
  "https://www.googleapis.com/auth/spreadsheets.readonly",
  "https://www.googleapis.com/auth/spreadsheets",
  "https://www.googleapis.com/auth/drive.readonly",
]);
const LIFETIME_SECONDS = 3599;
const LONGEST_SECONDS = 3600;
const TIMEFRAME =
  "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.";

const Header = z.object({ alg: z.string(), typ: z.string().optional() });
const Claims = z.object({
  iss: z.string(),
  scope: z.string().optional(),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
});

/** Google's token endpoint for service accounts, with its own words for each refusal. */
export function createTokenIssuer(account: {
  email: string;
  privateKey: string;
  audience: () => string;
}): TokenIssuer {
  const publicKey = createPublicKey(account.privateKey);
  const tokens = new Map<string, number>();
  const seconds = () => Math.floor(Date.now() / 1000);

  function faultOf(form: URLSearchParams): [error: string, description: string] | null {
    if (form.get("grant_type") !== GRANT)
      return ["unsupported_grant_type", `Invalid grant_type: ${form.get("grant_type") ?? ""}`];
    const jwt = readJwt(form.get("assertion") ?? "", publicKey);
    if (jwt === null) return ["invalid_grant", "Invalid JWT: Failed to parse."];
    const { claims } = jwt;
    if (claims.iss !== account.email) return ["invalid_grant", "Invalid grant: account not found"];
    if (!jwt.isGenuine) return ["invalid_grant", "Invalid JWT Signature."];
    if (claims.aud !== account.audience())
      return [
        "invalid_grant",
        "Invalid JWT: Failed audience check. The right audience is the token endpoint.",
      ];
    const isTimely =
      claims.iat <= seconds() &&
      claims.exp > seconds() &&
      claims.exp - claims.iat <= LONGEST_SECONDS;
    if (!isTimely) return ["invalid_grant", TIMEFRAME];
    const scopes = (claims.scope ?? "").split(" ").filter(Boolean);
    if (scopes.length === 0 || !scopes.every((scope) => SCOPES.has(scope)))
      return ["invalid_scope", "Invalid OAuth scope or ID token audience provided."];
    return null;
  }

  return {
    grant(form) {
      const fault = faultOf(form);
      if (fault !== null)
        return { status: 400, body: { error: fault[0], error_description: fault[1] } };
      const token = `ya29.c.${randomBytes(48).toString("base64url")}`;
      tokens.set(token, seconds() + LIFETIME_SECONDS);
      return {
        status: 200,
        body: { access_token: token, expires_in: LIFETIME_SECONDS, token_type: "Bearer" },
      };
    },
    isValid: (token) => (tokens.get(token) ?? 0) > seconds(),
    revokeAll: () => tokens.clear(),
  };
}

/** RFC 7515 by node:crypto alone, so that the Worker's library is judged by another. */
function readJwt(text: string, publicKey: KeyObject) {
  const [header = "", payload = "", signature = "", ...rest] = text.split(".");
  const parsed = Claims.safeParse(parsePart(payload));
  const alg = Header.safeParse(parsePart(header)).data?.alg;
  if (rest.length > 0 || !parsed.success || alg === undefined) return null;
  const isGenuine =
    alg === "RS256" &&
    verify(
      "RSA-SHA256",
      Buffer.from(`${header}.${payload}`),
      publicKey,
      Buffer.from(signature, "base64url"),
    );
  return { claims: parsed.data, isGenuine };
}

function parsePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
