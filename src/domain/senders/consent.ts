import { getAlias } from "#db/senders/aliases.ts";
import { keepConsent, openConsent, takeConsent, type TakenConsent } from "#db/senders/consents.ts";
import { findLogin, type LoginRow } from "#db/senders/logins.ts";
import type { OauthProvider } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { AppError, unprocessable } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { MAIL_HOSTS, type OauthApp, type OauthTokens } from "#src/providers/oauth/index.ts";
import { appOfLogin, keptOf, sealTokens } from "./oauth-tokens.ts";

/** Where people come back to, as it is registered with each provider. */
export const CALLBACK_PATH = "/oauth/mail/callback";

/** How long the way back of a consent works. */
export const CONSENT_MS = 10 * 60_000;

const verifierContext = (aliasId: string) => `mail_consents:${aliasId}:verifier`;
const redirectUri = ({ settings }: Deps) => settings.publicBaseUrl + CALLBACK_PATH;

/** Begins a consent: the URL for the mailbox's owner, and until when it works. */
export async function beginConsent(
  deps: Deps,
  { workspaceId }: Principal,
  aliasId: string,
  { provider, returnUrl }: { provider: OauthProvider; returnUrl: string | null },
): Promise<{ authorizeUrl: string; expiresAt: Date }> {
  const alias = requireFound(await getAlias(deps.db, workspaceId, aliasId), "Mail alias");
  refuseOtherHosts(deps, returnUrl);
  const app = await requireConsentApp(deps, aliasId, provider);
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + CONSENT_MS);
  const [state, verifier] = [deps.ids.secret(32), deps.ids.secret(32)];
  const consent = {
    aliasId,
    stateHash: await sha256Hex(state),
    provider,
    verifier: await deps.vault.seal(verifier, verifierContext(aliasId)),
    returnUrl,
    expiresAt,
  };
  await openConsent(deps.db, consent, now);
  const authorizeUrl = await deps.oauth.consentUrl(app, {
    redirectUri: redirectUri(deps),
    state,
    verifier,
    loginHint: usernameOf(alias.transportSettings) ?? alias.email,
  });
  return { authorizeUrl, expiresAt };
}

const usernameOf = (settings: object): string | undefined =>
  "username" in settings && typeof settings.username === "string" ? settings.username : undefined;

/** Throws for a place that the deployment does not let people return to. */
export function refuseOtherHosts({ settings }: Deps, returnUrl: string | null): void {
  const hosts = settings.mailOauthReturnHosts;
  if (returnUrl === null || hosts === null || hosts.includes(new URL(returnUrl).hostname)) return;
  throw unprocessable(
    "VALIDATION_ERROR",
    "return_url must be on a host that this deployment lets people return to.",
  );
}

/** The alias's own app at that provider, else the deployment's. */
async function requireConsentApp(deps: Deps, aliasId: string, provider: OauthProvider) {
  const app = await appFor(deps, provider, await findLogin(deps.db, aliasId));
  if (app === null)
    throw new AppError(
      "unavailable",
      "MAIL_OAUTH_NOT_CONFIGURED",
      `This deployment has no OAuth app for ${provider}, and the alias has none of its own: give oauth.client_id and oauth.client_secret, or ask its operator.`,
    );
  if (app.authorizeUrl === null)
    throw new AppError(
      "unavailable",
      "MAIL_OAUTH_NOT_CONFIGURED",
      "Nobody said where people consent to this app: give oauth.refresh_token instead.",
    );
  return { ...app, authorizeUrl: app.authorizeUrl };
}

const appFor = (deps: Deps, provider: OauthProvider, login: LoginRow | undefined) =>
  login?.provider === provider ? appOfLogin(deps, login) : deps.oauth.appOf(provider);

/** The query with which the provider sends the browser back. */
export interface ConsentReturn {
  state: string;
  code?: string | undefined;
  /** OAuth's code of what went wrong. */
  error?: string | undefined;
}

/** How a consent ended; for a known state, with the URL that the person is sent back to. */
export type ConsentEnd =
  | { kind: "connected"; email: string; provider: OauthProvider }
  /** Forged, replayed, or its alias is gone. */
  | { kind: "unknown" }
  | { kind: "expired" }
  | { kind: "denied" }
  /** The provider sent an error, or did not take its own code; `words` are its own. */
  | { kind: "failed"; words: string }
  | { kind: "unavailable" }
  | { kind: "no_refresh_token"; provider: OauthProvider }
  | { kind: "other_mailbox"; wanted: string; given: string }
  | { kind: "changed" };

/** Ends a consent once, whatever came back with it. */
export async function endConsent(
  deps: Deps,
  came: ConsentReturn,
): Promise<{ end: ConsentEnd; returnUrl: string | null; aliasId: string | null }> {
  const consent = await takeConsent(deps.db, await sha256Hex(came.state));
  if (consent === undefined) return { end: { kind: "unknown" }, returnUrl: null, aliasId: null };
  const { aliasId, returnUrl } = consent;
  const end = await endOf(deps, consent, came);
  deps.log.info("mail_oauth_consent", {
    alias_id: aliasId,
    provider: consent.provider,
    end: end.kind,
  });
  // Its sender may have been waiting for this.
  if (end.kind === "connected") deps.background(deps.wake());
  return { end, returnUrl, aliasId };
}

async function endOf(
  deps: Deps,
  consent: TakenConsent,
  { code, error }: ConsentReturn,
): Promise<ConsentEnd> {
  const { aliasId, provider } = consent;
  if (consent.expiresAt <= deps.clock.now()) return { kind: "expired" };
  if (error === "access_denied") return { kind: "denied" };
  if (error !== undefined || code === undefined)
    return { kind: "failed", words: error ?? "it sent no code" };
  const app = await appFor(deps, provider, await findLogin(deps.db, aliasId));
  if (app === null) return { kind: "changed" };
  const verifier = await deps.vault.open(consent.verifier, verifierContext(aliasId));
  const answer = await deps.oauth.redeem(app, code, { redirectUri: redirectUri(deps), verifier });
  if (answer.kind === "refused")
    return { kind: "failed", words: `${answer.error} ${answer.words}`.trim() };
  if (answer.kind === "forbidden") return { kind: "failed", words: answer.reason };
  if (answer.kind === "unavailable") return { kind: "unavailable" };
  return keep(deps, consent, app, answer.tokens);
}

async function keep(
  deps: Deps,
  consent: TakenConsent,
  app: OauthApp,
  tokens: OauthTokens,
): Promise<ConsentEnd> {
  const { aliasId, workspaceId, provider, email, username } = consent;
  const wanted = [email, username ?? email].map((each) => each.toLowerCase());
  const [given] = tokens.identities;
  if (given !== undefined && !tokens.identities.some((each) => wanted.includes(each)))
    return { kind: "other_mailbox", wanted: username ?? email, given };
  const { refreshToken } = tokens;
  if (refreshToken === undefined) return { kind: "no_refresh_token", provider };
  const now = deps.clock.now();
  const isKept = await keepConsent(
    deps.db,
    {
      aliasId,
      workspaceId,
      provider,
      clientId: app.isOwn ? app.clientId : null,
      tokenUrl: app.isForeign ? app.tokenUrl : null,
      tokens: await sealTokens(deps, aliasId, keptOf(tokens, now, refreshToken)),
      ownHosts: provider === "other" ? [] : MAIL_HOSTS[provider].names,
    },
    now,
  );
  return isKept ? { kind: "connected", email, provider } : { kind: "changed" };
}
