import type { Deps } from "#src/deps.ts";
import type { MailAccount } from "#src/providers/mail/index.ts";
import { accessTokenOf, type NoToken, type TokenResult } from "./access-token.ts";

/** Gives access tokens; one that was refused is not given again. */
export type Logins = (aliasId: string, refused?: string) => Promise<TokenResult>;

/**
 * The logins of one tick or request: each alias's token is looked up once, and renewed once more at most,
 * however many messages it has and whatever comes of it.
 */
export function createLogins(deps: Deps): Logins {
  const known = new Map<string, { result: Promise<TokenResult>; isSecond: boolean }>();
  const ask = (aliasId: string, isSecond: boolean, refused?: string) => {
    const result = accessTokenOf(deps, aliasId, refused);
    known.set(aliasId, { result, isSecond });
    return result;
  };
  return async (aliasId, refused) => {
    const before = known.get(aliasId);
    if (before === undefined) return ask(aliasId, false, refused);
    const result = await before.result;
    const isRefused = result.ok && result.token === refused;
    // Several may be refused the same token at once: the first of them asks, the others get what it got.
    if (known.get(aliasId) !== before) return known.get(aliasId)!.result;
    return isRefused && !before.isSecond ? ask(aliasId, true, refused) : result;
  };
}

/** An SMTP account with a name and no password is logged in to by a token. */
const takesToken = (account: MailAccount): account is MailAccount & { kind: "smtp" } =>
  account.kind === "smtp" && account.username !== undefined && account.password === undefined;

/**
 * Uses an account once it has what it logs in by. A token that is refused before its time (somebody took
 * the access back, or changed the password) is renewed once and tried again: nothing was sent by the first.
 */
export async function withLogin<Result extends object>(
  logins: Logins,
  aliasId: string,
  account: MailAccount,
  use: (account: MailAccount) => Promise<Result>,
): Promise<Result | NoToken> {
  if (!takesToken(account)) return use(account);
  const first = await logins(aliasId);
  if (!first.ok) return first;
  const result = await use({ ...account, accessToken: first.token });
  if (!("tokenRefused" in result)) return result;
  const second = await logins(aliasId, first.token);
  if (!second.ok) return second;
  return second.token === first.token ? result : use({ ...account, accessToken: second.token });
}
