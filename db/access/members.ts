import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { ALL } from "../base/part.ts";
import { instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import { type Plan, type Role, ROLES } from "../schema/index.ts";

export type MemberRow = ReturnType<typeof readMember>;
const readMember = rowReader({
  userId: text,
  email: orNull(text),
  name: orNull(text),
  role: typed<Role>(),
  joinedAt: instant,
  lastSeenAt: orNull(instant),
});

/** Members, those that signed up last first. */
export async function listMembers(
  db: Db,
  workspaceId: string,
  { after = null, limit }: { after?: string | null | undefined; limit: number } = ALL,
): Promise<MemberRow[]> {
  const { rows } = await db.execute(sql`
    select m.user_id, u.email, u.name, m.role, m.joined_at, m.last_seen_at
    from workspace_members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and (${after}::uuid is null or m.user_id < ${after}::uuid)
    order by m.user_id desc limit ${limit}`);
  return rows.map(readMember);
}

export async function findMember(
  db: Db,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  const { rows } = await db.execute(sql`
    select m.user_id, u.email, u.name, m.role, m.joined_at, m.last_seen_at
    from workspace_members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}::uuid and m.user_id = ${userId}::uuid`);
  return rows[0] === undefined ? undefined : readMember(rows[0]);
}

export type JoinedRow = ReturnType<typeof readJoined>;
const readJoined = rowReader({ id: text, name: text, plan: typed<Plan>(), role: typed<Role>() });

/** The workspaces that a user works in, the one that is theirs without a word first. */
export async function workspacesOf(db: Db, userId: string): Promise<JoinedRow[]> {
  const { rows } = await db.execute(sql`
    select w.id, w.name, w.plan, m.role from workspace_members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId}::uuid and w.deleted_at is null
    order by (w.owner_user_id = m.user_id) desc, m.joined_at, w.id`);
  return rows.map(readJoined);
}

/** What became of a change: nothing is done to the last owner, nor by who lost their role behind the door. */
export type MemberEnd = "done" | "unknown" | "last_owner" | "forbidden" | "role_lost";

interface MemberOrder {
  workspaceId: string;
  userId: string;
  /** The roles that the caller may give, change and take out. */
  touches: readonly Role[];
  /** Who asks, and as what they were let in; null for who leaves, which takes no role. */
  by: { userId: string; role: Role } | null;
  now: Date;
}

const isMember = ({ workspaceId, userId }: MemberOrder): SQL =>
  sql`m.workspace_id = ${workspaceId}::uuid and m.user_id = ${userId}::uuid`;
const otherOwner = ({ workspaceId, userId }: MemberOrder): SQL => sql`exists (
  select 1 from workspace_members o where o.workspace_id = ${workspaceId}::uuid and o.role = 'owner' and o.user_id <> ${userId}::uuid)`;
const mayTouch = ({ touches }: MemberOrder, role: Role | null): SQL =>
  sql`m.role = any(${sql.param(touches)}::text[]) and ${role === null || touches.includes(role)}`;
const isStillAllowed = ({ workspaceId, by }: MemberOrder): SQL =>
  by === null ? sql`true` : hasRoleThere({ workspaceId, userId: by.userId }, by.role);

/** Makes the member what `role` says. */
export const changeRole = (db: Db, order: MemberOrder, role: Role): Promise<MemberEnd> =>
  change(
    db,
    order,
    sql`update workspace_members m set role = ${role}
      where ${isMember(order)} and ${isStillAllowed(order)} and ${mayTouch(order, role)} and (${role === "owner"} or m.role <> 'owner' or ${otherOwner(order)})
      returning m.user_id`,
  );

/** Takes the member out; the keys that they made are revoked with it. */
export const removeMember = (db: Db, order: MemberOrder): Promise<MemberEnd> =>
  change(
    db,
    order,
    sql`delete from workspace_members m
      where ${isMember(order)} and ${isStillAllowed(order)} and ${mayTouch(order, null)} and (m.role <> 'owner' or ${otherOwner(order)})
      returning m.user_id`,
  );

/** Places of the roles among each other; null for who is no member. */
const rankOf = (role: SQL): SQL => sql`array_position(${sql.param(ROLES)}::text[], ${role})`;

/** That the user has at least that role there. Behind a lock of the workspace's row, so that it holds as one is taken out. */
export const hasRoleThere = (
  { workspaceId, userId }: { workspaceId: string; userId: string },
  role: Role,
): SQL => sql`exists (
  select from workspaces w left join workspace_members m on m.workspace_id = w.id and m.user_id = ${userId}::uuid
  where w.id = ${workspaceId}::uuid
    and ${rankOf(sql`coalesce(m.role, case when w.owner_user_id = ${userId}::uuid then 'owner' end)`)} >= ${rankOf(sql`${role}::text`)})`;

/** One at a time in a workspace, so that of two owners who leave at once one stays. */
async function change(db: Db, order: MemberOrder, statement: SQL): Promise<MemberEnd> {
  const { workspaceId, userId, touches, now } = order;
  const at = instantParam(now);
  const [, before, done] = await commit(db, [
    db.execute(sql`select id from workspaces where id = ${workspaceId}::uuid for update`),
    db.execute<{ allowed: boolean; role: Role | null }>(
      sql`select ${isStillAllowed(order)} as allowed, (select m.role from workspace_members m where ${isMember(order)}) as role`,
    ),
    db.execute(statement),
    db.execute(sql`
      update api_keys k set revoked_at = ${at}, updated_at = ${at}
      where k.workspace_id = ${workspaceId}::uuid and k.user_id = ${userId}::uuid and k.revoked_at is null
        and not exists (select 1 from workspace_members m where ${isMember(order)})`),
    // What they may not give any more, nobody takes from them; who is out gives nothing.
    db.execute(sql`
      delete from workspace_invitations i where i.workspace_id = ${workspaceId}::uuid and i.user_id = ${userId}::uuid
        and ${rankOf(sql`i.role`)} > coalesce((select ${rankOf(sql`m.role`)} from workspace_members m where ${isMember(order)}), 0)`),
    db.execute(sql`
      update workspaces w set owner_user_id = (
        select m.user_id from workspace_members m where m.workspace_id = w.id and m.role = 'owner' order by m.joined_at, m.user_id limit 1)
      where w.id = ${workspaceId}::uuid and w.owner_user_id = ${userId}::uuid
        and not exists (select 1 from workspace_members m where ${isMember(order)} and m.role = 'owner')
        and ${otherOwner(order)}`),
  ]);
  if (done.rows.length > 0) return "done";
  const [row] = before.rows;
  if (row?.allowed !== true) return "role_lost";
  if (row.role === null) return "unknown";
  return touches.includes("owner") && row.role === "owner" ? "last_owner" : "forbidden";
}

/** Writes when a member was last there by a login, unless that was written after `unlessAfter`. */
export async function touchMember(
  db: Db,
  member: { workspaceId: string; userId: string },
  now: Date,
  unlessAfter: Date,
): Promise<void> {
  await db.execute(sql`
    update workspace_members set last_seen_at = ${instantParam(now)}
    where workspace_id = ${member.workspaceId}::uuid and user_id = ${member.userId}::uuid
      and (last_seen_at is null or last_seen_at < ${instantParam(unlessAfter)})`);
}
