import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { orphansStatements, senderStatements } from "../campaigns/change.ts";
import { commit, type Db, type Statement } from "../client.ts";
import { lockDefaultMark } from "../default-mark.ts";
import { closeLanes, deleteLane, openLanes } from "../engine.ts";
import { instantParam } from "../instants.ts";
import { outboxRows } from "../outbox.ts";
import { connectedAccounts } from "../schema/index.ts";
import { type AccountContent, type AccountRow, passDefaultOn } from "./accounts.ts";
import { endCheckpointsStatement } from "./checkpoints.ts";

/** What becomes of an account; its limits and the mark of the default have statements of their own. */
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

/** As it is once an update at that instant has taken effect. */
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

/** Nothing, where the record was not dropped. */
function mergeStatements(db: Db, kept: AccountRow, other: AccountRow, now: Date): Statement[] {
  const ofKept = sql`campaign.workspace_id = ${kept.workspaceId} and campaign.connected_account_id = ${kept.id}
    and campaign.launched_at is not null and campaign.updated_at = ${instantParam(now)}`;
  return [
    deleteLane(db, other.id),
    db.execute(sql`
      update campaigns c set connected_account_id = ${kept.id}, config_version = config_version + 1, updated_at = ${instantParam(now)}
      where c.workspace_id = ${kept.workspaceId} and c.connected_account_id = ${other.id}
        and not exists (select 1 from connected_accounts a where a.id = ${other.id})`),
    ...RECORDS.map((records) => handOnStatement(db, records, kept, other)),
    ...senderStatements(db, ofKept),
    ...orphansStatements(db, ofKept, now),
    passDefaultOn(db, kept.workspaceId, now),
  ];
}

/** What an account has said and done, which its week counts, and the column that names it. */
const RECORDS = [
  ["campaign_leads", "alias_id"],
  ["sends", "lane_id"],
  ["social_posts", "connected_account_id"],
  ["conversations", "alias_id"],
] as const;

const handOnStatement = (
  db: Db,
  [table, column]: (typeof RECORDS)[number],
  kept: AccountRow,
  other: AccountRow,
): Statement => {
  const account = sql.identifier(column);
  return db.execute(sql`
    update ${sql.identifier(table)} set ${account} = ${kept.id}
    where workspace_id = ${kept.workspaceId} and ${account} = ${other.id}
      and not exists (select 1 from connected_accounts a where a.id = ${other.id})`);
};

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
