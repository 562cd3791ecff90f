import { eq, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import { identities, type Plan, type Role, users } from "../schema/index.ts";

export interface FirstLogin {
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
  /** The workspace that is meant; null: the login's own. */
  workspace: string | null;
  /** Ids for the user and workspace that are made if this login is new. */
  userId: string;
  workspaceId: string;
  /** Sessions that began until then have ended, of a login that is new here. */
  sessionsValidFrom: Date;
  now: Date;
}

export type KnownLogin = Omit<ReturnType<typeof readLogin>, "deletedAt">;
const readLogin = rowReader({
  userId: text,
  workspaceId: text,
  plan: typed<Plan>(),
  role: typed<Role>(),
  email: orNull(text),
  name: orNull(text),
  lastSeenAt: orNull(instant),
  sessionsValidFrom: orNull(instant),
  deletedAt: orNull(instant),
  frozenAt: orNull(instant),
  cell: orNull(text),
});

export type FoundLogin = KnownLogin | { deletedAt: Date } | { isNoMember: true };

/** The login's user, in the workspace that is meant; makes user and workspace at first sight, and a workspace for a login that has left all others. */
export async function findLogin(db: Db, login: FirstLogin): Promise<FoundLogin> {
  const known = await selectLogin(db, login);
  if (known !== undefined) return known;
  if (login.workspace !== null) {
    // A new login has no workspace but its own, which no request can have named.
    const own = await findLogin(db, { ...login, workspace: null });
    return "workspaceId" in own && own.workspaceId === login.workspace ? own : { isNoMember: true };
  }
  await makeUser(db, login);
  const made = await selectLogin(db, login);
  if (made === undefined) throw new Error("A login that was just made is not there.");
  return made;
}

/** Two first requests at once: the second waits on the identity's key, or the user's row, and finds the first one's rows. */
async function makeUser(db: Db, login: FirstLogin): Promise<void> {
  const name = login.name ?? login.email?.split("@")[0] ?? "My workspace";
  const at = instantParam(login.now);
  const user = sql`(select user_id from identities where issuer = ${login.issuer} and subject = ${login.subject})`;
  const isWithout = sql`not exists (select 1 from workspace_members m where m.user_id = ${user})`;
  await commit(db, [
    db.execute(sql`
      with new_identity as (
        insert into identities (issuer, subject, user_id, created_at, sessions_valid_from)
        select ${login.issuer}, ${login.subject}, u.id, ${at}, ${instantParam(login.sessionsValidFrom)} from (values (${login.userId}::uuid)) as u(id)
        on conflict (issuer, subject) do nothing
        returning user_id
      )
      insert into users (id, email, name, created_at, updated_at)
      select user_id, ${login.email}, ${login.name}, ${at}, ${at} from new_identity`),
    db.execute(sql`select id from users where id = ${user} for update`),
    // One that a version before members made.
    db.execute(sql`
      insert into workspace_members (workspace_id, user_id, role, joined_at)
      select w.id, w.owner_user_id, 'owner', w.created_at from workspaces w where w.owner_user_id = ${user} and w.erased_at is null
      on conflict do nothing`),
    db.execute(sql`
      with new_workspace as (
        insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at)
        select ${login.workspaceId}::uuid, ${user}, ${name}, 'free', 'UTC', ${at}, ${at} where ${isWithout}
        returning id, owner_user_id
      ), new_member as (
        insert into workspace_members (workspace_id, user_id, role, joined_at)
        select id, owner_user_id, 'owner', ${at} from new_workspace
      )
      insert into credit_balances (workspace_id, available, held, owed, updated_at)
      select id, 0, 0, 0, ${at} from new_workspace`),
  ]);
}

const workspacesOf = (issuer: string, subject: string, workspace: string | null) => sql`
  from identities i join users u on u.id = i.user_id
    join workspace_members m on m.user_id = i.user_id join workspaces w on w.id = m.workspace_id
  where i.issuer = ${issuer} and i.subject = ${subject} and (${workspace}::uuid is null or w.id = ${workspace}::uuid)
  order by w.deleted_at is not null, w.cell is not null and w.frozen_at is null, w.owner_user_id = i.user_id desc, m.joined_at, w.id limit 1`;

/** In the workspace that is meant, else in the login's own, else where they have been longest; one that is not deleted first, and one that lives here. */
async function selectLogin(
  db: Db,
  { issuer, subject, workspace }: Pick<FirstLogin, "issuer" | "subject" | "workspace">,
): Promise<KnownLogin | { deletedAt: Date } | undefined> {
  const { rows } = await db.execute(sql`
    select i.user_id, w.id as workspace_id, w.plan, m.role, u.email, u.name, m.last_seen_at, i.sessions_valid_from, w.deleted_at, w.frozen_at, w.cell
    ${workspacesOf(issuer, subject, workspace)}`);
  if (rows[0] === undefined) return undefined;
  const { deletedAt, ...known } = readLogin(rows[0]);
  return deletedAt === null ? known : { deletedAt };
}

/** Where the workspace is that the login works in, as `findLogin` chooses it; makes nothing. */
export async function placeOfLogin(
  db: Db,
  { issuer, subject, workspace }: Pick<FirstLogin, "issuer" | "subject" | "workspace">,
) {
  const { rows } = await db.execute(sql`
    select w.frozen_at, w.cell, w.deleted_at is not null as is_deleted, w.owner_user_id = i.user_id as is_own, m.joined_at
    ${workspacesOf(issuer, subject, workspace)}`);
  return rows[0] && readPlace(rows[0]);
}
const readPlace = rowReader({
  frozenAt: orNull(instant),
  cell: orNull(text),
  isDeleted: bool,
  isOwn: bool,
  joinedAt: instant,
});

export const loginsOf = (db: Db, userId: string) =>
  db
    .select({ issuer: identities.issuer, subject: identities.subject })
    .from(identities)
    .where(eq(identities.userId, userId));

/** Ends every session of these logins that began before; makes no user of one that is not known. */
export async function endSessionsOfLogins(
  db: Db,
  logins: readonly { issuer: string; subject: string }[],
  before: Date,
): Promise<void> {
  await db.execute(sql`
    update identities i set sessions_valid_from = greatest(i.sessions_valid_from, ${instantParam(before)})
    from jsonb_to_recordset(${JSON.stringify(logins)}::jsonb) as l(issuer text, subject text)
    where i.issuer = l.issuer and i.subject = l.subject`);
}

export async function updateUser(
  db: Db,
  id: string,
  change: { email: string | null; name: string | null },
  now: Date,
): Promise<void> {
  await db
    .update(users)
    .set({ ...change, updatedAt: now })
    .where(eq(users.id, id));
}
