import { and, eq, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../client.ts";
import {
  closeLanes,
  type Lanes,
  lockQuotas,
  openLanes,
  reallotStatement,
  sizeLanes,
  wakeLanesForAll,
} from "../engine.ts";
import { clearDefaultStatement, lockDefaultMark } from "../default-mark.ts";
import { instantParam } from "../instants.ts";
import { ownedBy } from "../owned.ts";
import type { AliasContent, AliasRow } from "./aliases.ts";
import { SUSPENDED } from "./domain-checks.ts";
import { mailAliases } from "../schema/index.ts";
import { aliasChangedAt, type LoginContent, putLoginStatement } from "./logins.ts";

export interface LaneChange {
  /** Absent: as it is. */
  open?: boolean;
  /** Its own; a limit of its domain may leave it less. */
  dayCap: number;
  minIntervalSeconds: number | null;
}

/**
 * Changes an alias and keeps its lane in step, with `more` that looks whether it did, if it is still as it was read. A
 * lane that is open afterwards looks for work at once, but not before the gap
 * after its last action is over. False when it is gone or changed meanwhile.
 */
export async function updateAlias(
  db: Db,
  read: Pick<AliasRow, "id" | "workspaceId" | "updatedAt">,
  change: Partial<AliasContent> & { isDefault?: true },
  lane: LaneChange | null,
  now: Date,
  more: Statement[] = [],
  /** Absent: as it is. */
  login?: LoginContent | null,
): Promise<boolean> {
  const { id, workspaceId, updatedAt } = read;
  const isAsRead = sql`exists (
    select 1 from mail_aliases a where a.id = ${id} and a.workspace_id = ${workspaceId}
      and a.updated_at = ${instantParam(updatedAt)})`;
  const newDefault = change.isDefault === true ? id : null;
  const [, , , , rows] = await commit(db, [
    lockQuotas(db, workspaceId),
    lockDefaultMark(db, workspaceId),
    db.execute(sql`select lane.id from sender_lanes lane where lane.id = ${id} for update`),
    clearDefaultStatement(db, mailAliases, workspaceId, newDefault, now, isAsRead),
    db
      .update(mailAliases)
      .set({ ...change, updatedAt: now })
      .where(and(ownedBy(mailAliases, workspaceId, id), eq(mailAliases.updatedAt, updatedAt)))
      .returning({ id: mailAliases.id }),
    ...(login === undefined
      ? []
      : [putLoginStatement(db, id, login, aliasChangedAt(id, workspaceId, now))]),
    ...(lane === null
      ? []
      : [
          ...laneStatements(db, id, lane, now),
          reallotStatement(
            db,
            sql`a.id = ${id} and a.workspace_id = ${workspaceId} and a.updated_at = ${instantParam(now)}`,
            now,
          ),
        ]),
    ...more,
  ]);
  return rows.length > 0;
}

/** Each takes effect only behind a change of the alias at the same instant. */
function laneStatements(db: Db, id: string, { open, ...size }: LaneChange, now: Date) {
  const at = instantParam(now);
  const lanes: Lanes = {
    from: sql`mail_aliases a`,
    where: sql`lane.id = ${id} and a.id = lane.id and a.updated_at = ${at}`,
  };
  const verb = open === undefined ? wakeLanesForAll : open ? openLanes : closeLanes;
  return [
    db.execute(sizeLanes(lanes, { ...size, connectionCap: null }, at)),
    db.execute(verb(lanes, at)),
  ];
}

export interface TestRecord {
  /** Null when all went well. */
  failure: string | null;
  /** The account itself was refused: trying again unchanged is pointless. */
  broken: boolean;
}

/**
 * Notes the result of an account test, unless the alias changed while it ran. A
 * good one heals an alias in error; a bad one puts it there, and one that was
 * refused sends no more until its owner mended it.
 */
export async function recordAliasTest(
  db: Db,
  read: Pick<AliasRow, "id" | "workspaceId" | "updatedAt">,
  { failure, broken }: TestRecord,
  now: Date,
): Promise<void> {
  const at = instantParam(now);
  // A test that says nothing of the account leaves it known why its domain keeps the sender closed.
  const lastError = sql`case when last_error = ${SUSPENDED} and ${failure !== null && !broken}::boolean
    then last_error else ${failure} end`;
  const status =
    failure === null
      ? sql`case when status in ('error', 'pending') then 'active' else status end`
      : sql`case when status in ('active', 'pending') then 'error' else status end`;
  const lanes = {
    from: sql`alias`,
    where: sql`lane.id = alias.id and ${failure === null ? sql`alias.status = 'active'` : sql`${broken}::boolean`}`,
  };
  await db.execute(sql`
    with alias as (
      update mail_aliases set last_error = ${lastError}, status = ${status}, updated_at = ${at}
      where id = ${read.id} and workspace_id = ${read.workspaceId} and updated_at = ${instantParam(read.updatedAt)}
      returning id, status
    )
    ${failure === null ? openLanes(lanes, at) : closeLanes(lanes, at)}`);
}
