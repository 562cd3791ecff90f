import {
  keepPostmasterLogin,
  openPostmasterConsent,
  removePostmasterLogin,
  takePostmasterConsent,
  type TakenPostmasterConsent,
} from "#db/senders/postmaster.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { OauthApp } from "#src/providers/oauth/index.ts";
import { CONSENT_MS, type ConsentReturn, refuseOtherHosts } from "../consent.ts";
import { requireDomain } from "../domains.ts";
import { fetchPostmaster } from "./fetch.ts";
import { sealToken } from "./token.ts";

/** Where people come back to, as it is registered with Google. */
export const POSTMASTER_CALLBACK_PATH = "/oauth/postmaster/callback";

const verifierContext = (domainId: string) => `postmaster_consents:${domainId}:verifier`;
const redirectUri = ({ settings }: Deps) => settings.publicBaseUrl + POSTMASTER_CALLBACK_PATH;

/** Begins a consent: Google's page for the domain's owner in Postmaster Tools, and until when its way back works. */
export async function connectPostmaster(
  deps: Deps,
  principal: Principal,
  domainId: string,
  returnUrl: string | null,
): Promise<{ authorizeUrl: string; expiresAt: Date }> {
  await requireDomain(deps, principal, domainId);
  refuseOtherHosts(deps, returnUrl);
  const app = requireApp(deps);
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + CONSENT_MS);
  const [state, verifier] = [deps.ids.secret(32), deps.ids.secret(32)];
  const consent = {
    domainId,
    stateHash: await sha256Hex(state),
    verifier: await deps.vault.seal(verifier, verifierContext(domainId)),
    returnUrl,
    expiresAt,
  };
  await openPostmasterConsent(deps.db, consent, now);
  const { scopes } = deps.postmaster;
  const question = { redirectUri: redirectUri(deps), state, verifier, loginHint: "", scopes };
  return { authorizeUrl: await deps.oauth.consentUrl(app, question), expiresAt };
}

/** The deployment's app at Google, by which mailboxes are connected as well. */
function requireApp({ oauth }: Deps): OauthApp & { authorizeUrl: string } {
  const app = oauth.appOf("google");
  if (app === null || app.authorizeUrl === null)
    throw new AppError(
      "unavailable",
      "POSTMASTER_NOT_CONFIGURED",
      "This deployment has no OAuth app at Google: its operator sets MAIL_OAUTH_GOOGLE_CLIENT_ID and MAIL_OAUTH_GOOGLE_CLIENT_SECRET.",
    );
  return { ...app, authorizeUrl: app.authorizeUrl };
}

/** How a consent ended; `words` are the provider's own. */
export type PostmasterConsentEnd =
  | { kind: "connected"; domain: string }
  | { kind: "unknown" | "expired" | "denied" | "unavailable" }
  | { kind: "no_refresh_token" }
  | { kind: "changed" }
  | { kind: "failed"; words: string };

/** Ends a consent once, whatever came back with it; the first figures are read behind the answer. */
export async function endPostmasterConsent(
  deps: Deps,
  came: ConsentReturn,
): Promise<{ end: PostmasterConsentEnd; returnUrl: string | null; domainId: string | null }> {
  const consent = await takePostmasterConsent(deps.db, await sha256Hex(came.state));
  if (consent === undefined) return { end: { kind: "unknown" }, returnUrl: null, domainId: null };
  const { domainId, returnUrl } = consent;
  const end = await endOf(deps, consent, came);
  deps.log.info("postmaster_consent", { domain_id: domainId, end: end.kind });
  if (end.kind === "connected") deps.background(fetchPostmaster(deps));
  return { end, returnUrl, domainId };
}

async function endOf(
  deps: Deps,
  { domainId, domain, verifier: sealed, expiresAt }: TakenPostmasterConsent,
  { code, error }: ConsentReturn,
): Promise<PostmasterConsentEnd> {
  const now = deps.clock.now();
  if (expiresAt <= now) return { kind: "expired" };
  if (error === "access_denied") return { kind: "denied" };
  if (error !== undefined || code === undefined)
    return { kind: "failed", words: error ?? "it sent no code" };
  const app = deps.oauth.appOf("google");
  if (app === null) return { kind: "changed" };
  const verifier = await deps.vault.open(sealed, verifierContext(domainId));
  const answer = await deps.oauth.redeem(app, code, { redirectUri: redirectUri(deps), verifier });
  if (answer.kind === "refused")
    return { kind: "failed", words: `${answer.error} ${answer.words}`.trim() };
  if (answer.kind === "forbidden") return { kind: "failed", words: answer.reason };
  if (answer.kind === "unavailable") return { kind: "unavailable" };
  const { refreshToken } = answer.tokens;
  if (refreshToken === undefined) return { kind: "no_refresh_token" };
  const token = await sealToken(deps, domainId, refreshToken);
  const isKept = await keepPostmasterLogin(deps.db, { domainId, token }, now);
  return isKept ? { kind: "connected", domain } : { kind: "changed" };
}

/** Forgets the access; what was read stays. Throws `not_found` for a domain that is not there. */
export async function disconnectPostmaster(
  deps: Deps,
  principal: Principal,
  domainId: string,
): Promise<void> {
  await requireDomain(deps, principal, domainId);
  await removePostmasterLogin(deps.db, domainId);
}
