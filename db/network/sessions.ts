import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { lockDefaultMark } from "../senders/default-mark.ts";
import { closeLanes, openLanes } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { outboxRows } from "../base/fragments/outbox.ts";
import { connectedAccounts } from "../schema/index.ts";
import type { AccountContent, AccountRow } from "./accounts.ts";
import { endCheckpointsStatement } from "./checkpoints.ts";
import { mergeStatements } from "./merge-records.ts";

/** The columns of an account's state; its limits and the default mark have statements of their own. */
export type AccountSet = Partial<
  Omit<AccountContent, "dailyConnectionLimit" | "dailyMessageLimit" | "warmupDays" | "provider">
>;

/** The workspace's records that a session may belong to: the one it was opened for, and the person's. */
export async function recordsOfSession(
  db: Db,
  workspaceId: string,
  recordId: string | null,
  personId: string | null,
): Promise<AccountRow[]> {
  const isOne = or(
    recordId === null ? undefined : eq(connectedAccounts.id, recordId),
    personId === null ? undefined : eq(connectedAccounts.personId, personId),
  );
  if (isOne === undefined) return [];
  return db
    .select()
    .from(connectedAccounts)
    .where(and(eq(connectedAccounts.workspaceId, workspaceId), isOne));
}

const asRead = ({ id, updatedAt, nextSyncAt }: AccountRow): SQL => sql`
  a.id = ${id} and a.updated_at = ${instantParam(updatedAt)}
    and a.next_sync_at is not distinct from ${nextSyncAt?.toISOString() ?? null}::timestamptz`;

const updateStatement = (db: Db, read: AccountRow, set: AccountSet, updatedAt: Date) =>
  db
    .update(connectedAccounts)
    .set({ ...set, updatedAt })
    .where(
      sql`${connectedAccounts.id} = (select a.id from connected_accounts a where ${asRead(read)})`,
    )
    .returning({ id: connectedAccounts.id });

/** The account, if an update at that instant has taken effect. */
const changedAt = (id: string, now: Date): SQL =>
  sql`a.id = ${id} and a.updated_at = ${instantParam(now)}`;

/**
 * Gives an account an open session and its lane work, and ends its challenges. `other`, a record of the same person, is
 * merged into it: what named it names the account from here on. False when the account was changed meanwhile.
 */
export async function openSession(
  db: Db,
  read: AccountRow,
  set: AccountSet,
  { other, now }: { other: AccountRow | null; now: Date },
): Promise<boolean> {
  const { id, workspaceId } = read;
  const lanes = {
    from: sql`connected_accounts a`,
    where: sql`lane.id = a.id and ${changedAt(id, now)}`,
  };
  const [, , , rows] = await commit(db, [
    lockDefaultMark(db, workspaceId),
    lockLanes(db, other === null ? [id] : [id, other.id]),
    // First: it may have this very session.
    other === null ? db.execute(sql`select 1`) : dropStatement(db, read, other),
    updateStatement(db, read, set, now),
    db.execute(openLanes(lanes, instantParam(now))),
    endCheckpointsStatement(db, id, now),
    ...(other === null ? [] : mergeStatements(db, read, other, now)),
  ]);
  return rows.length > 0;
}

const lockLanes = (db: Db, ids: string[]): Statement =>
  db.execute(sql`
    select lane.id from sender_lanes lane where lane.id = any(${sql.param(ids)}::uuid[]) order by lane.id for update`);

const dropStatement = (db: Db, read: AccountRow, other: AccountRow): Statement =>
  db.execute(sql`
    delete from connected_accounts where id = ${other.id} and exists (select 1 from connected_accounts a where ${asRead(read)})`);

/**
 * Writes what the provider says of an account, and keeps its lane in step: opened where it came back, closed where it
 * left `connected`, which its owner is told. False when the account was changed meanwhile.
 */
export async function recordStatus(
  db: Db,
  read: AccountRow,
  set: Omit<AccountSet, "statusSince"> & Pick<AccountContent, "status">,
  now: Date,
): Promise<boolean> {
  const at = instantParam(now);
  const [was, is] = [read.status === "connected", set.status === "connected"];
  const seen = was === is ? set : { ...set, statusSince: now };
  const lanes = {
    from: sql`connected_accounts a`,
    where: sql`lane.id = a.id and ${changedAt(read.id, now)}`,
  };
  const verb = is ? openLanes : closeLanes;
  const [, rows] = await commit(db, [
    lockLanes(db, [read.id]),
    updateStatement(db, read, seen, changes(read, seen) ? now : read.updatedAt),
    ...(was === is ? [] : [db.execute(verb(lanes, at))]),
    ...(was && !is ? [tellStatement(db, read, now)] : []),
  ]);
  return rows.length > 0;
}

/** A look that found everything as it was is no change of the account. */
const changes = (read: AccountRow, { nextSyncAt: _look, ...set }: AccountSet): boolean =>
  Object.entries(set).some(([field, value]) => value !== read[field as keyof AccountRow]);

const tellStatement = (db: Db, { id }: AccountRow, now: Date): Statement =>
  db.execute(
    outboxRows(
      "account_disconnected",
      sql`connected_accounts a where ${changedAt(id, now)}`,
      sql`'account:' || id || ':left:' || ${now.toISOString()}::text`,
      { account_id: sql`id`, account_name: sql`display_name` },
      now,
    ),
  );
