import * as z from "zod";
import type { LoginRow } from "#db/senders/logins.ts";
import type { Deps } from "#src/deps.ts";
import type { OauthApp, OauthTokens } from "#src/providers/oauth/index.ts";

/** The stored tokens of a consent, sealed as one value: a renewal replaces them in one statement. */
const Kept = z.object({
  refreshToken: z.string(),
  /** Absent until it is first asked for. */
  access: z.object({ token: z.string(), renewAt: z.iso.datetime() }).optional(),
});
export type KeptTokens = z.output<typeof Kept>;

type Sealed = Pick<LoginRow, "aliasId" | "tokens">;
const contextOf = (aliasId: string, field: string) => `mail_logins:${aliasId}:${field}`;

export const sealTokens = ({ vault }: Pick<Deps, "vault">, aliasId: string, tokens: KeptTokens) =>
  vault.seal(JSON.stringify(tokens), contextOf(aliasId, "tokens"));

/** Null before the mailbox's owner has consented. */
export async function openTokens(
  { vault }: Pick<Deps, "vault">,
  { aliasId, tokens }: Sealed,
): Promise<KeptTokens | null> {
  if (tokens === null) return null;
  return Kept.parse(JSON.parse(await vault.open(tokens, contextOf(aliasId, "tokens"))));
}

export const sealClientSecret = (
  { vault }: Pick<Deps, "vault">,
  aliasId: string,
  clientSecret: string,
) => vault.seal(clientSecret, contextOf(aliasId, "client_secret"));

/** An access token is renewed so long before it ends: a tick that has it goes on with it. */
const AHEAD_SECONDS = 300;

/** The tokens to store: the provider's, with the old refresh token where it gave no new one. */
export function keptOf(
  { accessToken, lifetime, refreshToken }: OauthTokens,
  now: Date,
  before: string,
): KeptTokens {
  const renewIn = Math.max(lifetime - AHEAD_SECONDS, lifetime / 2);
  const renewAt = new Date(now.getTime() + renewIn * 1000).toISOString();
  return { refreshToken: refreshToken ?? before, access: { token: accessToken, renewAt } };
}

/** The app that a login's tokens were given to: its own, else the deployment's. Null where there is neither. */
export async function appOfLogin(
  { oauth, vault }: Pick<Deps, "oauth" | "vault">,
  login: Pick<LoginRow, "aliasId" | "provider" | "clientId" | "clientSecret" | "tokenUrl">,
): Promise<OauthApp | null> {
  const { aliasId, provider, clientId, clientSecret: sealed, tokenUrl } = login;
  if (clientId === null) return oauth.appOf(provider);
  const clientSecret =
    sealed === null ? null : await vault.open(sealed, contextOf(aliasId, "client_secret"));
  return oauth.tenantApp(provider, {
    clientId,
    tokenUrl,
    ...(clientSecret === null ? {} : { clientSecret }),
  });
}

/** Refusals of the consent itself: it was taken back, has run out, or has to be given anew. */
const CONSENT_ENDED = new Set([
  "invalid_grant",
  "interaction_required",
  "consent_required",
  "login_required",
  "access_denied",
  "invalid_scope",
]);

export const isConsentEnded = ({ error }: { error: string }): boolean => CONSENT_ENDED.has(error);
