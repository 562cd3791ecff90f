import * as oauth from "oauth4webapi";
import { HOUR_MS } from "#src/platform/durations.ts";
import { createHttpCall } from "#src/providers/net/http-call.ts";
import type { Oidc, SignedIn, SignIn } from "./index.ts";
import { toClaims } from "./jose.ts";

export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Null for a public client, which PKCE alone protects. */
  clientSecret: string | null;
  scopes: string;
}

interface Surroundings {
  fetch: typeof fetch;
  now(): Date;
  /** Of each question, 5 s if absent. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** How long what a provider says of itself is good. */
const METADATA_MS = HOUR_MS;
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"];

class NotAnswered extends Error {}

/** The authorization code flow of OpenID Connect with PKCE, state and nonce, as oauth4webapi speaks it. */
export function createOidc(settings: OidcSettings, surroundings: Surroundings): Oidc {
  const { issuer, clientId, clientSecret, scopes } = settings;
  const { now, timeoutMs = TIMEOUT_MS } = surroundings;
  const call = createHttpCall(surroundings.fetch);
  const client: oauth.Client = { client_id: clientId };
  const how = {
    [oauth.customFetch]: async (
      url: string,
      {
        method,
        headers,
        body,
      }: { method: string; headers: Record<string, string>; body?: unknown },
    ) => {
      const outcome = await call(
        {
          method: method as "GET" | "POST",
          url,
          headers,
          ...(body == null ? {} : { body: String(body as URLSearchParams) }),
        },
        timeoutMs,
      );
      if (outcome.kind !== "answered") throw new NotAnswered(outcome.reason);
      const { status, text } = outcome.answer;
      return new Response(text === "" ? null : text, { status, headers: outcome.answer.headers });
    },
    // Only where the operator named the issuer so: one that is asked over TLS leads nowhere without it.
    [oauth.allowInsecureRequests]: new URL(issuer).protocol === "http:",
  };

  let known: { server: oauth.AuthorizationServer; until: number } | undefined;
  async function discover(): Promise<oauth.AuthorizationServer> {
    if (known !== undefined && known.until > now().getTime()) return known.server;
    const url = new URL(issuer);
    const response = await oauth.discoveryRequest(url, how);
    const told = await oauth.processDiscoveryResponse(url, response);
    const { id_token_signing_alg_values_supported: algorithms = ["RS256"] } = told;
    const server = {
      ...told,
      // A secret that signs is no public key: never both.
      id_token_signing_alg_values_supported: algorithms.filter((one) => ALGORITHMS.includes(one)),
    };
    known = { server, until: now().getTime() + METADATA_MS };
    return server;
  }

  async function claimsOf(
    server: oauth.AuthorizationServer,
    came: URLSearchParams,
    { state, nonce, verifier, redirectUri }: SignIn,
  ): Promise<SignedIn> {
    const parameters = oauth.validateAuthResponse(server, client, came, state);
    const answered = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authOf(server, clientSecret),
      parameters,
      redirectUri,
      verifier,
      how,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answered, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, answered, how);
    const token = oauth.getValidatedIdTokenClaims(tokens)!;
    const more =
      token["email"] === undefined && server.userinfo_endpoint !== undefined
        ? await userInfo(server, tokens.access_token, token.sub)
        : {};
    const claims = toClaims({ ...more, ...token });
    return claims === null
      ? {
          kind: "refused",
          words: "the identity provider names the person in a form that is not kept",
        }
      : { kind: "known", claims };
  }

  /** Where the address is not in the token itself. */
  async function userInfo(server: oauth.AuthorizationServer, accessToken: string, subject: string) {
    const response = await oauth.userInfoRequest(server, client, accessToken, how);
    const { email, email_verified, name } = await oauth.processUserInfoResponse(
      server,
      client,
      subject,
      response,
    );
    return { email, email_verified, name };
  }

  return {
    issuer,
    async authorizeUrl({ state, nonce, verifier, redirectUri }) {
      try {
        const { authorization_endpoint: page = "" } = await discover();
        const url = new URL(page);
        const asked = {
          response_type: "code",
          client_id: clientId,
          redirect_uri: redirectUri,
          scope: scopes,
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        };
        for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
        // What is told there is bound to this sign-in by PKCE and nonce, however the provider serves its page.
        if (!/^https?:$/.test(url.protocol)) throw new TypeError("That is no page.");
        return { kind: "url", url: url.href };
      } catch (error) {
        return unavailable(error, issuer);
      }
    },
    async redeem(came, signIn) {
      try {
        return await claimsOf(await discover(), came, signIn);
      } catch (error) {
        return faultOf(error, issuer);
      }
    },
  };
}

/** As the provider wants to hear the secret; where it does not say, as OpenID Connect has it (Discovery, section 3). */
function authOf(server: oauth.AuthorizationServer, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
  return methods.includes("client_secret_post")
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret);
}

function faultOf(error: unknown, issuer: string): SignedIn {
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === "access_denied"
      ? { kind: "denied" }
      : { kind: "refused", words: plain(`${error.error} ${error.error_description ?? ""}`) };
  if (error instanceof oauth.ResponseBodyError && error.status < 500)
    return { kind: "refused", words: plain(`${error.error} ${error.error_description ?? ""}`) };
  if (error instanceof oauth.OperationProcessingError && isAboutToken(error))
    return { kind: "refused", words: "what it says of the person is not for this sign-in" };
  return unavailable(error, issuer);
}

/** Nonce, issuer, audience, time or signature is wrong, or state is another one: the answer belongs to another sign-in. */
const isAboutToken = ({ code }: oauth.OperationProcessingError): boolean =>
  [
    oauth.JWT_CLAIM_COMPARISON,
    oauth.JWT_TIMESTAMP_CHECK,
    oauth.KEY_SELECTION,
    oauth.INVALID_RESPONSE,
    oauth.JSON_ATTRIBUTE_COMPARISON,
  ].includes(code ?? "");

function unavailable(error: unknown, issuer: string): Extract<SignedIn, { kind: "unavailable" }> {
  const { host } = new URL(issuer);
  const reason =
    error instanceof NotAnswered ? error.message : `${host} did not answer as an OpenID provider`;
  return { kind: "unavailable", reason };
}

/** One line of printable text. */
const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 300);
