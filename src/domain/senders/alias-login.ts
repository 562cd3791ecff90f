import {
  findLogin,
  type LoginContent,
  type LoginRow,
  type ShownLogin,
} from "#db/senders/logins.ts";
import type { OauthProvider } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { hostFault } from "#src/platform/public-host.ts";
import { MAIL_HOSTS } from "#src/providers/oauth/index.ts";
import { type AccountInput, changeAccount, isSameAccount } from "./alias-account.ts";
import { sealClientSecret, sealTokens } from "./oauth-tokens.ts";
import { needsToken, type StoredAccount } from "./stored-account.ts";
import { requireTokenHost } from "./token-hosts.ts";

export { OAUTH_PROVIDERS } from "#db/schema/index.ts";

/** A login by OAuth as its owner describes it; its secrets are never answered. */
export interface LoginInput {
  provider: OauthProvider;
  /** Absent: the deployment's app. */
  clientId?: string | null;
  clientSecret?: string | null;
  /** Absent: the mailbox's owner consents in a browser. */
  refreshToken?: string | null;
  tokenUrl?: string | null;
}

/** The login as it is stored. What `before` had stays, as far as it was given to the same app. */
export async function sealLogin(
  deps: Deps,
  aliasId: string,
  wish: LoginInput,
  before?: LoginRow,
): Promise<LoginContent> {
  const { provider, clientId = null, clientSecret, refreshToken, tokenUrl = null } = wish;
  if (tokenUrl !== null) requireTokenUrl(deps, tokenUrl);
  const isSame =
    before?.provider === provider && before.clientId === clientId && before.tokenUrl === tokenUrl;
  const kept = isSame ? before : { clientSecret: null, tokens: null };
  return {
    provider,
    clientId,
    tokenUrl,
    clientSecret:
      clientSecret == null
        ? kept.clientSecret
        : await sealClientSecret(deps, aliasId, clientSecret),
    tokens: refreshToken == null ? kept.tokens : await sealTokens(deps, aliasId, { refreshToken }),
  };
}

interface AccountChange {
  transport: AccountInput | undefined;
  oauth: LoginInput | null | undefined;
  /** The inbox is to be opened at a host that the token was not given for. */
  moves: boolean;
}

/**
 * What becomes of an alias's account and of its login. Tokens are for the host and the name they were given
 * for, as passwords are: another one wants them again.
 */
export async function planAccount(
  deps: Deps,
  alias: StoredAccount & { email: string; login: ShownLogin | null },
  { transport, oauth, moves }: AccountChange,
) {
  const byOauth = oauth === undefined ? alias.login !== null : oauth !== null;
  const wish = transport && (byOauth ? namedAccount(transport, alias.email) : transport);
  const isSame = wish === undefined || isSameAccount(alias, wish);
  const account = wish === undefined ? {} : await changeAccount(deps, alias, wish, { byOauth });
  const next = { ...alias, ...account };
  const mayKeep = !moves && (!needsToken(next) || (isSame && needsToken(alias)));
  if (!mayKeep && oauth === undefined)
    throw unprocessable(
      "VALIDATION_ERROR",
      moves
        ? "Give oauth again, or a password of the inbox: the token that there is was given for other hosts."
        : "Give oauth again, or a password: the account is logged in to by OAuth, and was not, or is another one.",
    );
  const before = mayKeep && oauth != null ? await findLogin(deps.db, alias.id) : undefined;
  const login = oauth == null ? oauth : await sealLogin(deps, alias.id, oauth, before);
  if (login === null && needsToken(next))
    throw unprocessable(
      "VALIDATION_ERROR",
      "Without oauth, the transport's username needs a password.",
    );
  const { provider } = (login === undefined ? alias.login : login) ?? {};
  const isGiven = transport !== undefined || oauth !== undefined;
  if (isGiven && provider !== undefined && needsToken(next))
    requireTokenHost(deps, provider, next.transportSettings);
  const connected =
    login === undefined
      ? !needsToken(next) || alias.login?.connected === true
      : isConnected(next, login);
  return { account, login, connected, provider };
}

/** Whether everything is there to log in by. */
export const isConnected = (
  account: Parameters<typeof needsToken>[0],
  login: Pick<LoginContent, "tokens"> | null,
): boolean => !needsToken(account) || (login !== null && login.tokens !== null);

/** Judges the host by its name; its addresses are judged at each connection. */
function requireTokenUrl({ settings }: Deps, tokenUrl: string): void {
  const { hostname, protocol, port } = new URL(tokenUrl);
  const { allowLoopback: loopback } = settings;
  const fault = hostFault(hostname, { loopback });
  const isPlain = protocol !== "https:" || port !== "";
  const isHere = loopback && hostFault(hostname, { loopback: false }) !== null;
  if (fault !== null || (isPlain && !isHere))
    throw unprocessable(
      "VALIDATION_ERROR",
      `oauth.token_url must be an https URL of a public host, at its usual port${fault === null ? "." : `: ${fault}`}`,
    );
}

/** The account of a provider whose hosts are known; null for any other provider. */
export function presetAccount(provider: OauthProvider, email: string): AccountInput | null {
  if (provider === "other") return null;
  return { kind: "smtp", settings: { ...MAIL_HOSTS[provider].smtp, username: email } };
}

/** An account without a name and a password of its own is logged in to by the token, as the alias's address. */
export function namedAccount(wish: AccountInput, email: string): AccountInput {
  if (wish.kind !== "smtp" || wish.secret != null || wish.settings.username !== undefined)
    return wish;
  return { ...wish, settings: { ...wish.settings, username: email } };
}
