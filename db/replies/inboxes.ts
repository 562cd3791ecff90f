import { eq, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { type InboxRow, inboxes, mailAliases } from "../schema/index.ts";

/** An inbox as its owner describes it, its password sealed. */
export type InboxContent = Pick<InboxRow, "host" | "port" | "username" | "folder" | "secret">;

/**
 * Sets the inbox of an alias that was updated at `now`, in the same transaction. Another folder or
 * account is read from its beginning; the same one goes on where it was, and is due at once.
 */
export function setInboxStatement(
  db: Db,
  alias: { id: string; workspaceId: string },
  { host, port, username, folder, secret }: InboxContent,
  now: Date,
): Statement {
  const isSame = sql`(i.host, i.port, i.folder, i.username) is not distinct from
    (excluded.host, excluded.port, excluded.folder, excluded.username)`;
  return db.execute(sql`
    insert into inboxes as i (alias_id, workspace_id, host, port, username, folder, secret, next_read_at, failures, stuck, broken)
    select a.id, a.workspace_id, ${host}, ${port}::int, ${username}::text, ${folder}, ${secret}::text, ${instantParam(now)}, 0, 0, false
    from mail_aliases a where a.id = ${alias.id} and a.workspace_id = ${alias.workspaceId} and a.updated_at = ${instantParam(now)}
    on conflict (alias_id) do update
    set host = excluded.host, port = excluded.port, username = excluded.username, folder = excluded.folder, secret = excluded.secret,
      uid_validity = case when ${isSame} then i.uid_validity end, last_uid = case when ${isSame} then i.last_uid end,
      backlog_before = case when ${isSame} then i.backlog_before end, backlog_since = case when ${isSame} then i.backlog_since end,
      backlog_stuck = 0, read_at = case when ${isSame} then i.read_at end, next_read_at = excluded.next_read_at, leased_until = null,
      failures = 0, stuck = 0, broken = false, last_error = null`);
}

/** Removes the inbox of an alias that was updated at `now`. */
export const removeInboxStatement = (db: Db, aliasId: string, now: Date): Statement =>
  db.execute(sql`
    delete from inboxes i using mail_aliases a
    where i.alias_id = ${aliasId} and a.id = i.alias_id and a.updated_at = ${instantParam(now)}`);

/** The inbox of an alias, under a claim or not, with the alias's address. */
export async function findInbox(db: Db, aliasId: string) {
  const [row] = await db
    .select({ inbox: inboxes, email: mailAliases.email })
    .from(inboxes)
    .innerJoin(mailAliases, eq(mailAliases.id, inboxes.aliasId))
    .where(eq(inboxes.aliasId, aliasId));
  return row && { ...row.inbox, email: row.email };
}

/** A login that works is read at once, and well if it was not. */
export async function healInbox(db: Db, aliasId: string, now: Date): Promise<void> {
  await db
    .update(inboxes)
    .set({ failures: 0, broken: false, lastError: null, nextReadAt: now })
    .where(eq(inboxes.aliasId, aliasId));
}
