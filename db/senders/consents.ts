import { sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { openLanes } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import { mailConsents, type OauthProvider } from "../schema/index.ts";

export type ConsentRow = typeof mailConsents.$inferSelect;

/** Opens a consent for a user who is sent to the provider; a consent opened before for this alias is void. */
export async function openConsent(db: Db, consent: ConsentRow, now: Date): Promise<void> {
  const { aliasId, ...rest } = consent;
  await commit(db, [
    db.delete(mailConsents).where(sql`${mailConsents.expiresAt} < ${instantParam(now)}`),
    db
      .insert(mailConsents)
      .values({ aliasId, ...rest })
      .onConflictDoUpdate({ target: mailConsents.aliasId, set: rest }),
  ]);
}

const readTaken = rowReader({
  aliasId: text,
  workspaceId: text,
  provider: typed<OauthProvider>(),
  verifier: text,
  returnUrl: orNull(text),
  expiresAt: instant,
  email: text,
  username: orNull(text),
});
export type TakenConsent = ReturnType<typeof readTaken>;

/** The consent of that state, which is gone by this: a second call with the same finds none. */
export async function takeConsent(db: Db, stateHash: string): Promise<TakenConsent | undefined> {
  const { rows } = await db.execute(sql`
    with taken as (delete from mail_consents where state_hash = ${stateHash} returning *)
    select taken.*, a.workspace_id, a.email, a.transport_settings->>'username' as username
    from taken join mail_aliases a on a.id = taken.alias_id`);
  return rows[0] && readTaken(rows[0]);
}

export interface GivenConsent {
  aliasId: string;
  workspaceId: string;
  provider: OauthProvider;
  /** The app that the tokens were given to: null for the deployment's. */
  clientId: string | null;
  tokenUrl: string | null;
  tokens: string;
  /** Where the provider itself takes mail: a password for one of these hosts is given up for the tokens. */
  ownHosts: readonly string[];
}

/**
 * Keeps the tokens and heals the alias and the inbox that they open, which is due at once, in one statement. False when the alias is gone, or has another app of
 * its own by now.
 */
export async function keepConsent(db: Db, given: GivenConsent, now: Date): Promise<boolean> {
  const { aliasId, workspaceId, provider, clientId, tokenUrl, tokens, ownHosts } = given;
  const at = instantParam(now);
  const isOwnHost = sql`a.transport_kind = 'smtp'
    and a.transport_settings->>'host' in (select jsonb_array_elements_text(${JSON.stringify(ownHosts)}::jsonb))`;
  const { rows } = await db.execute(sql`
    with login as (
      insert into mail_logins as l (alias_id, provider, client_id, token_url, tokens)
      select a.id, ${provider}, ${clientId}::text, ${tokenUrl}::text, ${tokens} from mail_aliases a
      where a.id = ${aliasId} and a.workspace_id = ${workspaceId}
        and (${clientId}::text is null or exists (select 1 from mail_logins own where own.alias_id = a.id))
      on conflict (alias_id) do update set provider = excluded.provider, client_id = excluded.client_id,
        client_secret = case when excluded.client_id is null then null else l.client_secret end,
        token_url = excluded.token_url, tokens = excluded.tokens, renewing_until = null
      where excluded.client_id is null
        or (l.provider, l.client_id, l.token_url) is not distinct from (excluded.provider, excluded.client_id, excluded.token_url)
      returning alias_id
    ), alias as (
      update mail_aliases a set updated_at = ${at}, last_error = null, last_error_kind = null,
        status = case when a.status in ('error', 'pending') then 'active' else a.status end,
        transport_settings = case when ${isOwnHost} and not a.transport_settings ? 'username'
          then a.transport_settings || jsonb_build_object('username', a.email) else a.transport_settings end,
        transport_secret = case when ${isOwnHost} then null else a.transport_secret end
      from login where a.id = login.alias_id
      returning a.id, a.status
    ), inbox as (
      update inboxes i set failures = 0, broken = false, last_error = null, next_read_at = ${at}
      from login where i.alias_id = login.alias_id and i.secret is null
    ), lanes as (
      ${openLanes({ from: sql`alias`, where: sql`lane.id = alias.id and alias.status = 'active'` }, at)} returning lane.id
    )
    select id from alias`);
  return rows.length > 0;
}
