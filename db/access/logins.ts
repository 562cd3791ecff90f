import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { identities, type Plan, users, workspaces } from "../schema/index.ts";

export interface FirstLogin {
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
  /** Ids for the user and workspace that are made if this login is new. */
  userId: string;
  workspaceId: string;
  now: Date;
}

export interface KnownLogin {
  userId: string;
  workspaceId: string;
  plan: Plan;
  email: string | null;
  name: string | null;
  sessionsValidFrom: Date | null;
}

/** The login's user and workspace, or when that was deleted; makes both at first sight. */
export async function findLogin(
  db: Db,
  login: FirstLogin,
): Promise<KnownLogin | { deletedAt: Date }> {
  const known = await selectLogin(db, login);
  if (known !== undefined) return openOrDeleted(known);
  const name = login.name ?? login.email?.split("@")[0] ?? "My workspace";
  // Two first requests at once: the second waits on the identity's key, inserts nothing, and reads the first one's rows below.
  await db.execute(sql`
    with new_identity as (
      insert into identities (issuer, subject, user_id, created_at)
      select ${login.issuer}, ${login.subject}, u.id, ${login.now.toISOString()}::timestamptz
      from (values (${login.userId}::uuid)) as u(id)
      on conflict (issuer, subject) do nothing
      returning user_id
    ), new_user as (
      insert into users (id, email, name, created_at, updated_at)
      select user_id, ${login.email}, ${login.name}, ${login.now.toISOString()}::timestamptz, ${login.now.toISOString()}::timestamptz
      from new_identity
      returning id
    ), new_workspace as (
      insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at)
      select ${login.workspaceId}::uuid, id, ${name}, 'free', 'UTC', ${login.now.toISOString()}::timestamptz, ${login.now.toISOString()}::timestamptz
      from new_user
      returning id
    )
    insert into credit_balances (workspace_id, available, held, owed, updated_at)
    select id, 0, 0, 0, ${login.now.toISOString()}::timestamptz from new_workspace`);
  const made = await selectLogin(db, login);
  if (made === undefined) throw new Error("A login that was just made is not there.");
  return openOrDeleted(made);
}

const openOrDeleted = ({ deletedAt, ...known }: KnownLogin & { deletedAt: Date | null }) =>
  deletedAt === null ? known : { deletedAt };

async function selectLogin(db: Db, { issuer, subject }: Pick<FirstLogin, "issuer" | "subject">) {
  const [row] = await db
    .select({
      userId: identities.userId,
      workspaceId: workspaces.id,
      plan: workspaces.plan,
      email: users.email,
      name: users.name,
      sessionsValidFrom: identities.sessionsValidFrom,
      deletedAt: workspaces.deletedAt,
    })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .innerJoin(workspaces, eq(workspaces.ownerUserId, identities.userId))
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row;
}

/** Ends every session of the user's logins that began before. */
export async function endSessions(db: Db, userId: string, now: Date): Promise<void> {
  await db.update(identities).set({ sessionsValidFrom: now }).where(eq(identities.userId, userId));
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
