import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { type Deletion, deletionOf, notUsed, usesAccount } from "../base/fragments/uses.ts";
import { commit, type Db, type Statement } from "../base/client.ts";
import { isMarked, lockDefaultMark } from "../senders/default-mark.ts";
import { closeLanes, deleteLane, insertLane } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { ALL, isAbove } from "../base/part.ts";
import { accountCheckpoints, connectedAccounts } from "../schema/index.ts";
import { openCheckpoint } from "./checkpoints.ts";

export type AccountRow = typeof connectedAccounts.$inferSelect;
/** An account as it is answered: `checkpointPending` while the answer to its challenge can still be given. */
export type Account = AccountRow;

const columnsAt = (now: Date) => ({
  ...getTableColumns(connectedAccounts),
  checkpointPending: sql<boolean>`(connected_accounts.checkpoint_pending and exists (
    select 1 from account_checkpoints k where k.account_id = connected_accounts.id and ${openCheckpoint(now)}))`,
});

export async function listAccounts(
  db: Db,
  workspaceId: string,
  now: Date,
  part = ALL,
): Promise<Account[]> {
  return db
    .select(columnsAt(now))
    .from(connectedAccounts)
    .where(and(eq(connectedAccounts.workspaceId, workspaceId), isAbove(connectedAccounts.id, part)))
    .orderBy(asc(connectedAccounts.id))
    .limit(part.limit);
}

export async function getAccount(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<Account | undefined> {
  const [row] = await db
    .select(columnsAt(now))
    .from(connectedAccounts)
    .where(ownedBy(connectedAccounts, workspaceId, id));
  return row;
}

export type AccountContent = Omit<
  typeof connectedAccounts.$inferInsert,
  "id" | "workspaceId" | "userId" | "createdAt" | "updatedAt" | "isDefault"
>;

/** The caps of an account's lane on its day; the interval between two actions is the campaign's. */
export interface LaneSize {
  dayCap: number;
  connectionCap: number;
  minIntervalSeconds: null;
}

/** The account and its lane in one transaction, with what else belongs to it. */
export async function insertAccount(
  db: Db,
  owner: NewOwned,
  content: AccountContent,
  size: LaneSize,
  more: Statement[] = [],
): Promise<true> {
  const [mark, ...rest] = insertStatements(db, owner, content, size);
  await commit(db, [mark, ...rest, ...more]);
  return true;
}

/** The first account of a workspace becomes its default. */
const insertStatements = (
  db: Db,
  owner: NewOwned,
  content: AccountContent,
  size: LaneSize,
): [Statement, Statement, Statement] => [
  lockDefaultMark(db, owner.workspaceId),
  db.insert(connectedAccounts).values({
    ...content,
    ...newRow(owner),
    isDefault: isMarked(connectedAccounts, owner.workspaceId, false),
  }),
  insertLane(
    db,
    {
      kind: "socialnet",
      id: owner.id,
      workspaceId: owner.workspaceId,
      open: content.status === "connected",
      ...size,
    },
    owner.now,
  ),
];

/**
 * Closes an account for good, unless a campaign under way uses it: none can be launched with it from here on. Answers
 * the provider's sessions that it leaves behind.
 */
export async function retireAccount(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<Deletion & { sessions: string[] }> {
  const at = instantParam(now);
  const [retired, open] = await commit(db, [
    db.execute<{ session: string }>(sql`
      with retired as (
        update connected_accounts set status = 'disconnected', next_sync_at = ${at}, updated_at = ${at},
          status_since = case when status = 'connected' then ${at} else status_since end
        where ${ownedBy(connectedAccounts, workspaceId, id)} and ${notUsed(workspaceId, usesAccount(id))}
        returning id, provider_account_id as session
      ), closed as (${closeLanes({ from: sql`retired`, where: sql`lane.id = retired.id` }, at)})
      select session from retired`),
    db
      .selectDistinct({ session: accountCheckpoints.providerAccountId })
      .from(accountCheckpoints)
      .where(
        and(eq(accountCheckpoints.accountId, id), eq(accountCheckpoints.workspaceId, workspaceId)),
      ),
  ]);
  const sessions = [...retired.rows, ...open].map(({ session }) => session);
  return {
    ...(await deletionOf(db, workspaceId, usesAccount(id), retired.rows.length > 0)),
    sessions: [...new Set(sessions)].filter((session) => session !== ""),
  };
}

/**
 * Deletes account and lane, unless a campaign under way uses it by now; answers its last session, '' for none. If it
 * was the default, the oldest remaining account becomes it.
 */
export async function deleteAccount(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<Deletion & { session: string }> {
  const [, rows] = await commit(db, [
    lockDefaultMark(db, workspaceId),
    db
      .delete(connectedAccounts)
      .where(
        and(ownedBy(connectedAccounts, workspaceId, id), notUsed(workspaceId, usesAccount(id))),
      )
      .returning({ session: connectedAccounts.providerAccountId }),
    deleteLane(db, id),
    passDefaultOn(db, workspaceId, now),
  ]);
  const deletion = await deletionOf(db, workspaceId, usesAccount(id), rows.length > 0);
  return { ...deletion, session: rows[0]?.session ?? "" };
}

export const passDefaultOn = (db: Db, workspaceId: string, now: Date): Statement =>
  db.execute(sql`
    update connected_accounts set is_default = true, updated_at = ${instantParam(now)}
    where id = (select a.id from connected_accounts a where a.workspace_id = ${workspaceId} order by a.id limit 1)
      and not exists (select 1 from connected_accounts a where a.workspace_id = ${workspaceId} and a.is_default)`);
