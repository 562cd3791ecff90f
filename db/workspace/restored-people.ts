import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { isInUseHere } from "../base/moving.ts";
import { rowReader, text } from "../base/rows.ts";

/** An address that a workspace has, and the user in whose name the service acts there. */
export type KnownPerson = ReturnType<typeof readKnown>;
const readKnown = rowReader({ workspaceId: text, userId: text, emailKey: text });

/** Whom a workspace writes to, has written to, or may write to. */
const PEOPLE = sql`(
  select workspace_id, email_key from leads where email_key is not null
  union select workspace_id, email_key from campaign_leads where email_key is not null
  union select workspace_id, email_key from emails
  union select workspace_id, peer_key from conversations)`;

/** The workspaces of this database that know one of these addresses. */
export async function whoKnows(db: Db, emailKeys: readonly string[]): Promise<KnownPerson[]> {
  const { rows } = await db.execute(sql`
    select p.workspace_id, w.owner_user_id as user_id, p.email_key
    from ${PEOPLE} p join workspaces w on w.id = p.workspace_id and w.deleted_at is null
    where ${isInUseHere(sql`p.workspace_id`)} and p.email_key = any(${sql.param(emailKeys)}::text[]) order by 1, 3`);
  return rows.map(readKnown);
}

/** People that a workspace erased, as the hash says that suppresses them, and of whom it has records all the same. */
export async function erasedButKnown(db: Db): Promise<KnownPerson[]> {
  const { rows } = await db.execute(sql`
    select p.workspace_id, s.user_id, p.email_key
    from suppressions s join ${PEOPLE} p on p.workspace_id = s.workspace_id
      and encode(sha256(convert_to(p.email_key, 'UTF8')), 'hex') = s.value_hash
    where s.kind = 'email' and s.value is null and ${isInUseHere(sql`p.workspace_id`)} order by 1, 3`);
  return rows.map(readKnown);
}
