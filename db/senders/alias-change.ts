import { and, eq, sql, type SQL } from "drizzle-orm";
import { commit, type Db } from "../client.ts";
import { lockDealing, redealStatement } from "../engine.ts";
import { instantParam } from "../instants.ts";
import { type AliasContent, type AliasRow, clearDefaultStatement } from "./aliases.ts";
import { mailAliases } from "../schema/index.ts";

export interface LaneChange {
  /** Absent: as it is. */
  open?: boolean;
  /** Its own; a limit of its domain may leave it less. */
  dayCap: number;
  minIntervalSeconds: number | null;
}

/**
 * Changes an alias and keeps its lane in step, if it is still as it was read. A
 * lane that is open afterwards looks for work at once, but not before the gap
 * after its last action is over. False when it is gone or changed meanwhile.
 */
export async function updateAlias(
  db: Db,
  read: Pick<AliasRow, "id" | "workspaceId" | "updatedAt">,
  change: Partial<AliasContent> & { isDefault?: true },
  lane: LaneChange | null,
  now: Date,
): Promise<boolean> {
  const { id, workspaceId, updatedAt } = read;
  const isAsRead = sql`exists (
    select 1 from mail_aliases a where a.id = ${id} and a.workspace_id = ${workspaceId}
      and a.updated_at = ${instantParam(updatedAt)})`;
  const [, , rows] = await commit(db, [
    lockDealing(db, workspaceId),
    clearDefaultStatement(db, workspaceId, change.isDefault === true ? id : null, now, isAsRead),
    db
      .update(mailAliases)
      .set({ ...change, updatedAt: now })
      .where(
        and(
          eq(mailAliases.workspaceId, workspaceId),
          eq(mailAliases.id, id),
          eq(mailAliases.updatedAt, updatedAt),
        ),
      )
      .returning({ id: mailAliases.id }),
    ...(lane === null
      ? []
      : [
          laneStatement(db, id, lane, now),
          redealStatement(
            db,
            sql`a.id = ${id} and a.workspace_id = ${workspaceId} and a.updated_at = ${instantParam(now)}`,
            now,
          ),
        ]),
  ]);
  return rows.length > 0;
}

/** Takes effect only behind a change of the alias at the same instant. */
function laneStatement(db: Db, id: string, lane: LaneChange, now: Date) {
  const { open, dayCap, minIntervalSeconds } = lane;
  const at = instantParam(now);
  const closedUntil = open === true ? sql`null::timestamptz` : sql`lane.closed_until`;
  const gapOver = sql`lane.last_slot_at + make_interval(secs => coalesce(${minIntervalSeconds}::int, 60))`;
  return db.execute(sql`
    update sender_lanes lane
    set open = ${open === undefined ? sql`lane.open` : open}, ${open === undefined ? sql`` : closedSince(sql`${open}`, at)} day_cap = ${dayCap},
        min_interval_seconds = ${minIntervalSeconds}::int, closed_until = ${closedUntil},
        failures = ${open === true ? 0 : sql`lane.failures`},
        next_slot_at = ${open === false ? sql`lane.next_slot_at` : sql`least(lane.next_slot_at, greatest(${at}, ${closedUntil}, ${gapOver}))`},
        updated_at = ${at}
    from mail_aliases a
    where lane.id = ${id} and a.id = lane.id and a.updated_at = ${at}`);
}

/** Leads of a sender that stays closed go to another one after a while; it counts from here. */
const closedSince = (open: SQL, at: SQL): SQL =>
  sql`closed_since = case when ${open} then null else coalesce(lane.closed_since, ${at}) end,`;

export interface TestNote {
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
export async function noteAliasTest(
  db: Db,
  read: Pick<AliasRow, "id" | "workspaceId" | "updatedAt">,
  { failure, broken }: TestNote,
  now: Date,
): Promise<void> {
  const at = instantParam(now);
  const status =
    failure === null
      ? sql`case when status in ('error', 'pending') then 'active' else status end`
      : sql`case when status in ('active', 'pending') then 'error' else status end`;
  const lane =
    failure === null
      ? sql`open = alias.status = 'active', ${closedSince(sql`(alias.status = 'active')`, at)} failures = 0, closed_until = null,
            next_slot_at = least(lane.next_slot_at, greatest(${at}, lane.last_slot_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60))))`
      : sql`${closedSince(sql`(lane.open and not ${broken})`, at)} open = lane.open and not ${broken}`;
  await db.execute(sql`
    with alias as (
      update mail_aliases set last_error = ${failure}, status = ${status}, updated_at = ${at}
      where id = ${read.id} and workspace_id = ${read.workspaceId} and updated_at = ${instantParam(read.updatedAt)}
      returning id, status
    )
    update sender_lanes lane set ${lane}, updated_at = ${at} from alias where lane.id = alias.id`);
}
