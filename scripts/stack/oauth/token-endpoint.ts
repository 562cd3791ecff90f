import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Faults } from "../part.ts";
import type { Grants, Issued, ProviderName } from "./grants.ts";

export interface Client {
  id: string;
  secret: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** What each provider says of a refresh token that is none any more. */
const ENDED: Record<ProviderName, string> = {
  google: "Token has been expired or revoked.",
  microsoft:
    "AADSTS50173: The provided grant has expired due to it being revoked, a fresh auth token is needed.",
  other: "The refresh token is not valid.",
};

const refuse = (status: number, error: string, words: string): Answer => ({
  status,
  body: { error, error_description: words },
});

/** Answers POST /token of one provider (RFC 6749 sections 4.1.3 and 6, RFC 7636). */
export function createTokenEndpoint(options: {
  grants: Grants;
  clients: readonly Client[];
  faults: Faults;
  issuer: () => string;
}) {
  const { grants, clients, faults } = options;
  let key: KeyObject | undefined;

  const lifetime = () => (faults.take("short_lived") ? 60 : undefined);

  function grant(provider: ProviderName, form: URLSearchParams, client: Client): Answer {
    const ended = refuse(400, "invalid_grant", ENDED[provider]);
    const type = form.get("grant_type");
    if (faults.take("invalid_grant")) return ended;
    if (type === "authorization_code") {
      const issued = grants.redeem(
        form.get("code") ?? "",
        {
          clientId: client.id,
          redirectUri: form.get("redirect_uri"),
          verifier: form.get("code_verifier"),
        },
        lifetime(),
      );
      return issued === null
        ? refuse(400, "invalid_grant", "Malformed auth code.")
        : answer(issued, client);
    }
    if (type !== "refresh_token")
      return refuse(400, "unsupported_grant_type", `Invalid grant_type: ${type ?? ""}`);
    const strict = faults.take("rotate");
    const issued = grants.renew(form.get("refresh_token") ?? "", client.id, {
      rotate: strict || provider === "microsoft",
      strict,
      lifetime: lifetime(),
    });
    return issued === null ? ended : answer(issued, client);
  }

  function answer(issued: Issued, { id }: Client): Answer {
    const { consent, accessToken, lifetime, refreshToken } = issued;
    const saysWho = consent.scopes.includes("openid") && !faults.take("no_id_token");
    return {
      status: 200,
      body: {
        access_token: accessToken,
        expires_in: lifetime,
        token_type: "Bearer",
        scope: consent.scopes.join(" "),
        ...(refreshToken === undefined || faults.take("no_refresh_token")
          ? {}
          : { refresh_token: refreshToken }),
        ...(saysWho ? { id_token: idToken(consent.email, id) } : {}),
      },
    };
  }

  function idToken(email: string, audience: string): string {
    key ??= generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: options.issuer(),
      aud: audience,
      sub: email,
      email,
      email_verified: true,
    };
    const text = [
      { alg: "RS256", typ: "JWT" },
      { ...claims, iat: now, exp: now + 3600 },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
  }

  function clientOf(form: URLSearchParams, authorization?: string): Client | undefined {
    const [id, secret] = credentialsOf(form, authorization);
    return clients.find((each) => each.id === id && each.secret === secret);
  }
  const stranger = () => refuse(401, "invalid_client", "The provided client secret is invalid.");

  return {
    answer(provider: ProviderName, form: URLSearchParams, authorization?: string): Answer {
      const client = clientOf(form, authorization);
      if (client === undefined || faults.take("invalid_client")) return stranger();
      return grant(provider, form, client);
    },
    /** Whether an access token is in force, and whose it is (RFC 7662). */
    introspect(form: URLSearchParams, authorization?: string): Answer {
      if (clientOf(form, authorization) === undefined) return stranger();
      const held = grants.inForce(form.get("token") ?? "");
      const said =
        held === undefined
          ? { active: false }
          : { active: true, username: held.email, exp: Math.floor(held.expiresAt / 1000) };
      return { status: 200, body: said };
    },
  };
}

/** In the form, or by HTTP Basic (RFC 6749 section 2.3.1). */
function credentialsOf(form: URLSearchParams, authorization = ""): (string | null)[] {
  const basic = /^Basic (.+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return [form.get("client_id"), form.get("client_secret")];
  return Buffer.from(basic, "base64")
    .toString("utf8")
    .split(":")
    .map((part) => decodeURIComponent(part));
}
