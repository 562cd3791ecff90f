import * as oauth from "oauth4webapi";
import { HostRefused, admitHost } from "#src/providers/net/index.ts";
import { createHttpCall } from "#src/providers/net/http-call.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import type { Oauth, OauthApp, OauthProviderName, TokenAnswer } from "./index.ts";
import { consentPageOf, PRESETS } from "./presets.ts";
import { NotAnswered, tokenFault, tokensOf } from "./token-answer.ts";

/** What a deployment says of one provider. */
export interface OauthProviderSettings {
  /** Null where tenants bring their own. */
  client: { clientId: string; clientSecret: string } | null;
  authorizeUrl: string | null;
  tokenUrl: string | null;
  /** The scopes to ask for of a provider that has no preset. */
  scopes: string | null;
}
export type OauthSettings = Record<OauthProviderName, OauthProviderSettings>;

interface Surroundings {
  fetch: typeof fetch;
  dns: Dns;
  /** Token endpoints that tenants name may be on this machine, over http too. */
  loopback: boolean;
  /** From connecting to the end of the answer, 10 s if absent. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** The authorization code grant with PKCE and the refresh token grant (RFC 6749, 7636), as oauth4webapi speaks them. */
export function createOauth(settings: OauthSettings, surroundings: Surroundings): Oauth {
  const call = createHttpCall(surroundings.fetch);
  const { dns, loopback, timeoutMs = TIMEOUT_MS } = surroundings;

  /** What the library asks with: bounded in time and size, no redirect, and where a tenant named the host, a public one. */
  const askAt =
    ({ isForeign }: OauthApp) =>
    async (
      url: string,
      { headers, body }: { headers: Record<string, string>; body: unknown },
    ): Promise<Response> => {
      if (isForeign) await admitHost(dns, { loopback }, new URL(url).hostname);
      const outcome = await call(
        { method: "POST", url, headers, body: String(body as URLSearchParams) },
        timeoutMs,
      );
      if (outcome.kind !== "answered") throw new NotAnswered(outcome.reason);
      const { status, text } = outcome.answer;
      // Whatever it calls itself, it is read as JSON or not at all.
      const type = { "content-type": "application/json" };
      return new Response(text === "" ? null : text, { status, headers: type });
    };

  async function ask(
    app: OauthApp,
    secrets: string[],
    request: (how: RequestOptions) => Promise<Response>,
  ): Promise<TokenAnswer> {
    const { hostname, protocol } = new URL(app.tokenUrl);
    try {
      if (app.isForeign && protocol !== "https:" && !loopback)
        throw new HostRefused(`${hostname} is asked for tokens over https only.`);
      const response = await request({
        [oauth.customFetch]: askAt(app),
        [oauth.allowInsecureRequests]: true,
      });
      return { kind: "granted", tokens: await tokensOf(response, app) };
    } catch (error) {
      return tokenFault(error, hostname, secrets);
    }
  }

  return {
    appOf(provider) {
      const { client, authorizeUrl, tokenUrl } = settings[provider];
      if (client === null || tokenUrl === null) return null;
      return { provider, ...client, authorizeUrl, tokenUrl, isOwn: false, isForeign: false };
    },
    tenantApp(provider, { tokenUrl: own, ...client }) {
      const { authorizeUrl, tokenUrl } = settings[provider];
      if (own !== null)
        return {
          provider,
          ...client,
          tokenUrl: own,
          authorizeUrl: provider === "microsoft" ? consentPageOf(own) : null,
          isOwn: true,
          isForeign: true,
        };
      if (tokenUrl === null) return null;
      return { provider, ...client, tokenUrl, authorizeUrl, isOwn: true, isForeign: false };
    },
    async consentUrl({ provider, clientId, authorizeUrl }, question) {
      const url = new URL(authorizeUrl);
      const { scopes, parameters } =
        provider === "other"
          ? { scopes: settings.other.scopes ?? "", parameters: {} }
          : PRESETS[provider];
      const asked = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: question.redirectUri,
        scope: question.scopes ?? scopes,
        state: question.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(question.verifier),
        code_challenge_method: "S256",
        login_hint: question.loginHint,
        ...parameters,
      };
      for (const [name, value] of Object.entries(asked))
        if (value !== "") url.searchParams.set(name, value);
      return url.href;
    },
    redeem: (app, code, { redirectUri, verifier }) =>
      ask(app, [code, verifier, app.clientSecret ?? ""], (how) => {
        const { server, client, secret } = partiesOf(app);
        const came = oauth.validateAuthResponse(
          server,
          client,
          new URLSearchParams({ code }),
          oauth.expectNoState,
        );
        return oauth.authorizationCodeGrantRequest(
          server,
          client,
          secret,
          came,
          redirectUri,
          verifier,
          how,
        );
      }),
    renew: (app, refreshToken) =>
      ask(app, [refreshToken, app.clientSecret ?? ""], (how) => {
        const { server, client, secret } = partiesOf(app);
        return oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, how);
      }),
  };
}

type RequestOptions = Pick<
  oauth.TokenEndpointRequestOptions,
  typeof oauth.customFetch | typeof oauth.allowInsecureRequests
>;

/** Both sides as the library names them. The caller, which stores the state, has checked it. */
function partiesOf({ clientId, clientSecret, tokenUrl }: OauthApp) {
  return {
    server: { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl },
    client: { client_id: clientId },
    secret: clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret),
  };
}
