import { and, eq, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { mailLogins, type OauthProvider } from "../schema/index.ts";

export type LoginRow = typeof mailLogins.$inferSelect;

/** The fields of a login that callers may see. */
export interface ShownLogin {
  provider: OauthProvider;
  clientId: string | null;
  tokenUrl: string | null;
  connected: boolean;
}

/** The login of the alias that the outer query reads, as JSON; null for none. */
export const shownLogin: SQL<ShownLogin | null> = sql`case when ${mailLogins.aliasId} is null then null
  else json_build_object('provider', ${mailLogins.provider}, 'clientId', ${mailLogins.clientId},
    'tokenUrl', ${mailLogins.tokenUrl}, 'connected', ${mailLogins.tokens} is not null) end`;

export async function findLogin(db: Db, aliasId: string): Promise<LoginRow | undefined> {
  const [row] = await db.select().from(mailLogins).where(eq(mailLogins.aliasId, aliasId));
  return row;
}

export const findLogins = (db: Db, aliasIds: string[]): Promise<LoginRow[]> =>
  db.select().from(mailLogins).where(inArray(mailLogins.aliasId, aliasIds));

export type LoginContent = Omit<LoginRow, "aliasId" | "renewingUntil">;

/** Puts the login in the place of what the alias had, or with null takes it away, where the alias is as `alias` says. */
export function putLoginStatement(
  db: Db,
  aliasId: string,
  login: LoginContent | null,
  alias: SQL,
): Statement {
  if (login === null)
    return db
      .delete(mailLogins)
      .where(and(eq(mailLogins.aliasId, aliasId), sql`exists (${alias})`));
  const { provider, clientId, clientSecret, tokenUrl, tokens } = login;
  return db.execute(sql`
    insert into mail_logins (alias_id, provider, client_id, client_secret, token_url, tokens)
    select ${aliasId}::uuid, ${provider}, ${clientId}, ${clientSecret}, ${tokenUrl}, ${tokens} where exists (${alias})
    on conflict (alias_id) do update set provider = excluded.provider, client_id = excluded.client_id,
      client_secret = excluded.client_secret, token_url = excluded.token_url, tokens = excluded.tokens,
      renewing_until = null`);
}

/** Claims the renewal of these very tokens; false when another worker has it, or the tokens were replaced. */
export async function claimRenewal(
  db: Db,
  { aliasId, tokens }: Pick<LoginRow, "aliasId" | "tokens">,
  now: Date,
  until: Date,
): Promise<boolean> {
  const rows = await db
    .update(mailLogins)
    .set({ renewingUntil: until })
    .where(
      and(
        eq(mailLogins.aliasId, aliasId),
        eq(mailLogins.tokens, tokens ?? ""),
        or(isNull(mailLogins.renewingUntil), lt(mailLogins.renewingUntil, now)),
      ),
    )
    .returning({ aliasId: mailLogins.aliasId });
  return rows.length > 0;
}

/**
 * Replaces the tokens that were read by the new ones, and ends the renewal; null ends it without new
 * tokens. False when the tokens were replaced meanwhile, and stay.
 */
export async function endRenewal(
  db: Db,
  { aliasId, tokens }: Pick<LoginRow, "aliasId" | "tokens">,
  fresh: string | null,
): Promise<boolean> {
  const rows = await db
    .update(mailLogins)
    .set({ renewingUntil: null, ...(fresh === null ? {} : { tokens: fresh }) })
    .where(and(eq(mailLogins.aliasId, aliasId), eq(mailLogins.tokens, tokens ?? "")))
    .returning({ aliasId: mailLogins.aliasId });
  return rows.length > 0;
}

/** Whether the statement before, in the same transaction, changed the alias: by its `updated_at`. */
export const aliasChangedAt = (id: string, workspaceId: string, at: Date): SQL =>
  sql`select 1 from mail_aliases a where a.id = ${id} and a.workspace_id = ${workspaceId} and a.updated_at = ${instantParam(at)}`;
