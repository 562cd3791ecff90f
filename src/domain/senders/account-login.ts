import { findLogins, type LoginRow } from "#db/senders/logins.ts";
import type { Deps } from "#src/deps.ts";
import type { MailAccount } from "#src/providers/mail/index.ts";
import { needsToken, type StoredAccount } from "./stored-account.ts";
import { accessTokenOf, type NoToken, type TokenResult } from "./access-token.ts";

/** The logins of one tick or request. */
export interface Logins {
  /** Reads the logins of many aliases at once; aliases with another kind of login are skipped. */
  read(aliases: readonly StoredAccount[]): Promise<void>;
  /** An access token for a login at `host`; one that was `refused` is not given again. */
  tokenOf(aliasId: string, host: string, refused?: string): Promise<TokenResult>;
}

/**
 * Each alias's token is looked up once, and renewed once more at most, however many messages it has and
 * whatever comes of it.
 */
export function createLogins(deps: Deps): Logins {
  const known = new Map<string, { result: Promise<TokenResult>; isSecond: boolean }>();
  const rows = new Map<string, LoginRow>();
  const ask = (id: string, host: string, isSecond: boolean, refused?: string) => {
    const result = accessTokenOf(deps, { id, host }, { refused, read: rows.get(id) });
    rows.delete(id);
    known.set(id, { result, isSecond });
    return result;
  };
  return {
    async read(aliases) {
      const wanted = aliases.filter((alias) => needsToken(alias) && !known.has(alias.id));
      if (wanted.length === 0) return;
      const ids = new Set(wanted.map(({ id }) => id));
      for (const row of await findLogins(deps.db, [...ids])) rows.set(row.aliasId, row);
    },
    async tokenOf(aliasId, host, refused) {
      const before = known.get(aliasId);
      if (before === undefined) return ask(aliasId, host, false, refused);
      const result = await before.result;
      const isRefused = result.ok && result.token === refused;
      // Several sends may be refused the same token at once: the first renews it, the rest get the same result.
      if (known.get(aliasId) !== before) return known.get(aliasId)!.result;
      return isRefused && !before.isSecond ? ask(aliasId, host, true, refused) : result;
    },
  };
}

/** An SMTP account with a name and no password is logged in to by a token. */
const takesToken = (account: MailAccount): account is MailAccount & { kind: "smtp" } =>
  account.kind === "smtp" && account.username !== undefined && account.password === undefined;

/**
 * Uses an account with its password or a fresh token. A token that is refused before its expiry (its owner revoked
 * the access, or changed the password) is renewed once and tried again: nothing was sent by the first try.
 */
export async function withLogin<Result extends object>(
  logins: Logins,
  aliasId: string,
  account: MailAccount,
  use: (account: MailAccount) => Promise<Result>,
): Promise<Result | NoToken> {
  if (!takesToken(account)) return use(account);
  const first = await logins.tokenOf(aliasId, account.host);
  if (!first.ok) return first;
  const result = await use({ ...account, accessToken: first.token });
  if (!("tokenRefused" in result)) return result;
  const second = await logins.tokenOf(aliasId, account.host, first.token);
  if (!second.ok) return second;
  return second.token === first.token ? result : use({ ...account, accessToken: second.token });
}
