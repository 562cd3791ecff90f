import { and, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { ALL, isBelow } from "../base/part.ts";
import { deleteOwned } from "../base/owned.ts";
import { hasRoleThere } from "./members.ts";
import { type Role, workspaceInvitations, workspaces } from "../schema/index.ts";

export type InvitationRow = Omit<typeof workspaceInvitations.$inferSelect, "tokenHash">;

const { tokenHash: _, ...shown } = getTableColumns(workspaceInvitations);

/** Newest first, those that are over too. */
export const listInvitations = async (
  db: Db,
  workspaceId: string,
  part = ALL,
): Promise<InvitationRow[]> =>
  db
    .select(shown)
    .from(workspaceInvitations)
    .where(
      and(
        eq(workspaceInvitations.workspaceId, workspaceId),
        isBelow(workspaceInvitations.id, part),
      ),
    )
    .orderBy(desc(workspaceInvitations.id))
    .limit(part.limit);

/**
 * In the place of an older one for the address, whose link ends; undefined where the workspace has `most` others that are
 * not over, or a member of that address already, or where who invites may not give that role any more.
 */
export async function saveInvitation(
  db: Db,
  row: typeof workspaceInvitations.$inferInsert,
  most: number,
): Promise<InvitationRow | "too_many" | "member" | "forbidden"> {
  const { workspaceId, emailKey } = row;
  const mayInvite = hasRoleThere(row, row.role);
  const [, counted, , saved] = await commit(db, [
    db.execute(sql`select id from workspaces where id = ${workspaceId}::uuid for update`),
    db.execute<{ others: number; is_member: boolean; may_invite: boolean }>(sql`
      select (select count(*)::int from workspace_invitations where workspace_id = ${workspaceId}::uuid
          and email_key <> ${emailKey} and expires_at > ${instantParam(row.createdAt)}) as others,
        ${isMember(workspaceId, emailKey)} as is_member, ${mayInvite} as may_invite`),
    db.execute(sql`
      delete from workspace_invitations where workspace_id = ${workspaceId}::uuid and email_key = ${emailKey}
        and not ${isMember(workspaceId, emailKey)} and ${mayInvite}`),
    db.execute<{ id: string }>(sql`
      insert into workspace_invitations (id, workspace_id, user_id, email, email_key, role, token_hash, expires_at, created_at, updated_at)
      select ${row.id}::uuid, ${workspaceId}::uuid, ${row.userId}::uuid, ${row.email}, ${emailKey}, ${row.role}, ${row.tokenHash},
        ${instantParam(row.expiresAt)}, ${instantParam(row.createdAt)}, ${instantParam(row.updatedAt)}
      where not ${isMember(workspaceId, emailKey)} and ${mayInvite}
        and (select count(*) from workspace_invitations where workspace_id = ${workspaceId}::uuid
          and expires_at > ${instantParam(row.createdAt)}) < ${most}
      returning id`),
  ]);
  if (saved.rows.length > 0) {
    const { tokenHash: _hash, ...kept } = row;
    return kept;
  }
  if (!counted.rows[0]!.may_invite) return "forbidden";
  return counted.rows[0]!.is_member ? "member" : "too_many";
}

const isMember = (workspaceId: string, emailKey: string) => sql`exists (
  select 1 from workspace_members m join users u on u.id = m.user_id
  where m.workspace_id = ${workspaceId}::uuid and lower(u.email) = ${emailKey})`;

export const removeInvitation = (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  deleteOwned(db, workspaceInvitations, workspaceId, id);

/** One that is good now, of a workspace that is there. */
export async function findInvitation(db: Db, tokenHash: string, now: Date) {
  const [row] = await db
    .select({ ...shown, workspaceName: workspaces.name })
    .from(workspaceInvitations)
    .innerJoin(workspaces, eq(workspaces.id, workspaceInvitations.workspaceId))
    .where(
      and(
        eq(workspaceInvitations.tokenHash, tokenHash),
        gt(workspaceInvitations.expiresAt, now),
        sql`${workspaces.deletedAt} is null`,
      ),
    );
  return row;
}

/** Uses the invitation up, once of however many at a time; undefined where it is gone. A member keeps their role. */
export async function takeInvitation(
  db: Db,
  tokenHash: string,
  userId: string,
  now: Date,
): Promise<{ workspaceId: string; role: Role } | undefined> {
  const at = instantParam(now);
  const { rows } = await db.execute<{ workspace_id: string; role: Role }>(sql`
    with taken as (
      delete from workspace_invitations i using workspaces w
      where i.token_hash = ${tokenHash} and i.expires_at > ${at} and w.id = i.workspace_id and w.deleted_at is null
      returning i.workspace_id, i.role
    ), joined as (
      insert into workspace_members (workspace_id, user_id, role, joined_at)
      select workspace_id, ${userId}::uuid, role, ${at} from taken
      on conflict (workspace_id, user_id) do nothing
    )
    select t.workspace_id, coalesce(m.role, t.role) as role from taken t
    left join workspace_members m on m.workspace_id = t.workspace_id and m.user_id = ${userId}::uuid`);
  const [row] = rows;
  return row === undefined ? undefined : { workspaceId: row.workspace_id, role: row.role };
}
