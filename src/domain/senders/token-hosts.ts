import type { InboxRow, OauthProvider } from "#db/schema/index.ts";
import type { Settings } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { readHost } from "#src/platform/public-host.ts";
import { MAIL_HOSTS } from "#src/providers/oauth/index.ts";
import type { ShownLogin } from "#db/senders/logins.ts";
import { needsToken, type StoredAccount } from "./stored-account.ts";

/**
 * An access token opens a whole mailbox to whoever has it, and a mail host is given it at the login. So Google's and
 * Microsoft's go to these providers' own hosts alone, whoever names another; one of another provider to the hosts that
 * its alias had when it was given.
 */

/** Why a token of the provider goes to no such host, in words; null where it may. */
export function tokenHostFault(
  provider: OauthProvider,
  host: string,
  { allowLoopback }: Pick<Settings, "allowLoopback">,
): string | null {
  if (provider === "other") return null;
  const { name, tokens } = MAIL_HOSTS[provider];
  if (tokens.includes(host.toLowerCase().replace(/\.$/, ""))) return null;
  const named = readHost(host);
  // The local stack's own.
  if (allowLoopback && named.kind === "refused" && named.isLoopback) return null;
  return `${name}'s tokens go to ${name}'s own mail hosts alone (${tokens.join(", ")}), not to ${host}.`;
}

/** 422 for an account or inbox whose host gets no token of the provider. */
export function requireTokenHost(
  { settings }: { settings: Pick<Settings, "allowLoopback"> },
  provider: OauthProvider,
  place: object,
): void {
  const host = "host" in place && typeof place.host === "string" ? place.host : null;
  const fault = host === null ? null : tokenHostFault(provider, host, settings);
  if (fault !== null) throw unprocessable("VALIDATION_ERROR", fault);
}

interface Place {
  host: string;
  port: number;
  username?: string | null | undefined;
  password?: string | null | undefined;
}

/** Whether an inbox so described is opened by the alias's token: without a password of its own. */
export const opensByToken = (before: InboxRow | null, { password }: Place): boolean =>
  password === null || (password === undefined && (before?.secret ?? null) === null);

/** Whether the token that an alias has would open an inbox at a host that it was not given for. */
export function movesToken(
  alias: StoredAccount & { login: ShownLogin | null; inbox: InboxRow | null },
  wish: Place | null | undefined,
): boolean {
  const { login, inbox, transportSettings } = alias;
  if (wish == null || login?.provider !== "other" || !login.connected) return false;
  if (!opensByToken(inbox, wish)) return false;
  // A transport that has a password of its own shows no host that the token was given for.
  const isTransports = "host" in transportSettings && transportSettings.host === wish.host;
  if (isTransports && needsToken(alias)) return false;
  const isSame =
    inbox?.secret === null &&
    inbox.host === wish.host &&
    inbox.port === wish.port &&
    inbox.username === (wish.username ?? null);
  return !isSame;
}
