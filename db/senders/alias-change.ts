import { and, eq, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import {
  closeLanes,
  type Lanes,
  lockLane,
  lockQuotas,
  openLanes,
  reallotStatement,
  sizeLanes,
  wakeLanesForAll,
} from "../engine/index.ts";
import { clearDefaultStatement, lockDefaultMark } from "./default-mark.ts";
import { instantParam } from "../base/instants.ts";
import { ownedBy } from "../base/owned.ts";
import type { AliasContent, AliasRow } from "./aliases.ts";
import { brokenAlias, healedAlias } from "./alias-health.ts";
import { type AliasErrorKind, mailAliases } from "../schema/index.ts";
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
    lockLane(db, id),
    clearDefaultStatement(db, mailAliases, workspaceId, newDefault, now, isAsRead),
    db
      .update(mailAliases)
      .set({ ...change, revision: sql`${mailAliases.revision} + 1`, updatedAt: now })
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

/** The failure that an account test found; null without one. */
export type TestFailure = { kind: AliasErrorKind; message: string } | null;

/**
 * Notes the result of an account test, unless the alias changed while it ran. A good one heals it and lets its sender
 * begin anew; one of which the account is at fault stops it until its owner mended it. Trouble of line or vault is only
 * noted, and not over what the owner has to mend.
 */
export async function recordAliasTest(
  db: Db,
  { id, workspaceId, updatedAt }: Pick<AliasRow, "id" | "workspaceId" | "updatedAt">,
  failure: TestFailure,
  now: Date,
): Promise<void> {
  const at = instantParam(now);
  const asRead = sql`a.id = ${id} and a.workspace_id = ${workspaceId} and a.updated_at = ${instantParam(updatedAt)}`;
  if (failure === null)
    await db.execute(sql`
      with ${healedAlias(asRead, at)}
      ${openLanes({ from: sql`healed`, where: sql`lane.id = healed.id and healed.status = 'active'` }, at)}`);
  else if (failure.kind === "account")
    await db.execute(sql`
      with ${brokenAlias(asRead, sql`${failure.message}::text`, at)} select 1`);
  else
    await db.execute(sql`
      update mail_aliases a
      set last_error = ${failure.message.slice(0, 1000)}, last_error_kind = ${failure.kind}, updated_at = ${at}
      where ${asRead} and a.status <> 'error'`);
}
